// SPDX-License-Identifier: BSD-3-Clause
// suite/plugin.hpp - the C++ side of abi.h, header-only, for plugin authors. Every plugin compiles its own hidden
// copy, so no C++ ABI crosses a library's border. docs/add-a-kernel.md walks through a complete plugin.
#pragma once

#include <complex>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <new>
#include <span>
#include <stdexcept>
#include <string>

#include <suite/abi.h>

namespace suite {

// What C++ code throws; guarded() turns it into a status and a sentence at the C border.
class Failure : public std::runtime_error {
public:
  Failure(suite_status status, const std::string& sentence) : std::runtime_error(sentence), status_(status) {}
  suite_status status() const noexcept { return status_; }

private:
  suite_status status_;
};

// The suite_type of a C++ type.
template <class T> inline constexpr int32_t type_of = 0;
template <> inline constexpr int32_t type_of<int32_t> = SUITE_INT32;
template <> inline constexpr int32_t type_of<int64_t> = SUITE_INT64;
template <> inline constexpr int32_t type_of<float> = SUITE_REAL32;
template <> inline constexpr int32_t type_of<double> = SUITE_REAL64;
template <> inline constexpr int32_t type_of<std::complex<float>> = SUITE_COMPLEX64;
template <> inline constexpr int32_t type_of<std::complex<double>> = SUITE_COMPLEX128;

// Column-major view of a suite_array: first index fastest, indices from zero.
template <class T, int Rank> class View {
public:
  explicit View(const suite_array& array) : data_(static_cast<T*>(array.data)) {
    for (int d = 0; d < Rank; ++d) extent_[d] = array.extent[d];
  }
  explicit operator bool() const { return data_ != nullptr; }
  T* data() const { return data_; }
  int64_t extent(int d) const { return extent_[d]; }
  template <class... I> T& operator()(I... index) const {
    static_assert(sizeof...(I) == Rank);
    const int64_t i[]{static_cast<int64_t>(index)...};
    int64_t offset = 0;
    for (int d = Rank; d-- > 0;) offset = offset * extent_[d] + i[d];
    return data_[offset];
  }

private:
  T* data_;
  int64_t extent_[Rank];
};

// Whether an argument of a cost is set: costs get those that are not with rank -1. (A kernel gets them with data NULL.)
inline bool is_set(const suite_array& array) { return array.rank >= 0; }

// A scalar argument, or what stands for it when an optional one is unset.
template <class T> T scalar_or(const suite_array& array, T otherwise) {
  return array.data ? *static_cast<const T*>(array.data) : otherwise;
}

// Of an argument whose type is one of two precisions.
inline bool is_single(const suite_array& array) {
  return array.type == SUITE_REAL32 || array.type == SUITE_COMPLEX64;
}
// f(float()) or f(double()).
template <class F> void by_precision(const suite_array& array, F&& f) {
  if (is_single(array))
    f(float());
  else
    f(double());
}

inline void tell(suite_error* error, const char* sentence) noexcept {
  if (error) std::snprintf(error->message, sizeof error->message, "%s", sentence);
}

// Runs f and turns whatever it throws into a status and a message: the exception firewall.
template <class F> int guarded(suite_error* error, F&& f) noexcept {
  try {
    f();
    return SUITE_OK;
  } catch (const Failure& e) {
    tell(error, e.what());
    return e.status();
  } catch (const std::bad_alloc&) {
    tell(error, "out of memory");
    return SUITE_OUT_OF_MEMORY;
  } catch (const std::exception& e) {
    tell(error, e.what());
    return SUITE_INTERNAL;
  } catch (...) {
    tell(error, "an exception of unknown type");
    return SUITE_INTERNAL;
  }
}

// Makes a kernel of a class K with a constructor (backend, queue, parameters), execute(arguments) and, if it keeps
// anything derived from constants, prepare(arguments).
template <class K> struct Adapter {
  static K* self(suite_kernel* kernel) { return reinterpret_cast<K*>(kernel); }
  static int create(const suite_backend* backend, suite_queue* queue, const int64_t* parameters, suite_kernel** kernel,
                    suite_error* error) {
    return guarded(error, [&] { *kernel = reinterpret_cast<suite_kernel*>(new K(backend, queue, parameters)); });
  }
  static int prepare(suite_kernel* kernel, const suite_array* arguments, suite_error* error) {
    return guarded(error, [&] {
      if constexpr (requires { self(kernel)->prepare(arguments); }) self(kernel)->prepare(arguments);
    });
  }
  static int execute(suite_kernel* kernel, const suite_array* arguments, suite_error* error) {
    return guarded(error, [&] { self(kernel)->execute(arguments); });
  }
  static void destroy(suite_kernel* kernel) { delete self(kernel); }
};

// The table of kernel class K. Interface (one per kernel, in <family>.hpp) has static members name, summary,
// arguments (array), cost, generate, and may have merit; K may have a static array `parameters`, a static array `layouts`, and a static
// cost(arguments, parameters, cost) where the parameters decide what is counted.
template <class Interface, class K>
constexpr suite_kernel_table kernel_table(const char* implementation, const char* backend) {
  suite_kernel_table table{};
  table.struct_size = sizeof table;
  table.kernel = Interface::name;
  table.implementation = implementation;
  table.backend = backend;
  table.summary = Interface::summary;
  table.arguments = std::data(Interface::arguments);
  table.argument_count = static_cast<uint32_t>(std::size(Interface::arguments));
  if constexpr (requires { K::parameters; }) {
    table.parameters = std::data(K::parameters);
    table.parameter_count = static_cast<uint32_t>(std::size(K::parameters));
  }
  table.create = Adapter<K>::create;
  table.prepare = Adapter<K>::prepare;
  table.execute = Adapter<K>::execute;
  table.destroy = Adapter<K>::destroy;
  table.cost = Interface::cost;
  table.generate = Interface::generate;
  if constexpr (requires { K::layouts; }) table.layouts = std::data(K::layouts);
  if constexpr (requires { K::cost; }) table.cost_with = K::cost;
  if constexpr (requires { Interface::merit; }) table.merit = Interface::merit;
  return table;
}

}  // namespace suite

#ifndef SUITE_PLUGIN_VERSION
#define SUITE_PLUGIN_VERSION "0.1.0"
#endif
#ifndef SUITE_PLUGIN_COMPILER
#define SUITE_PLUGIN_COMPILER "g++ " __VERSION__
#endif

// Exports the kernels of one family and one implementation: SUITE_PLUGIN("gpp", "cpu", &sigma_table).
#define SUITE_PLUGIN(family, implementation, ...)                                                                     \
  extern "C" SUITE_EXPORT const suite_plugin* suite_plugin_query(uint32_t) {                                          \
    static const suite_kernel_table* const kernels[] = {__VA_ARGS__};                                                 \
    static const suite_plugin plugin{SUITE_ABI_VERSION, sizeof(suite_plugin), SUITE_PLUGIN_VERSION,                   \
                                     SUITE_PLUGIN_COMPILER, nullptr, kernels, sizeof kernels / sizeof *kernels,       \
                                     family, implementation};                                                        \
    return &plugin;                                                                                                   \
  }

// Exports a backend: SUITE_BACKEND_PLUGIN(&table).
#define SUITE_BACKEND_PLUGIN(table)                                                                                   \
  extern "C" SUITE_EXPORT const suite_plugin* suite_plugin_query(uint32_t) {                                          \
    static const suite_plugin plugin{SUITE_ABI_VERSION, sizeof(suite_plugin), SUITE_PLUGIN_VERSION,                   \
                                     SUITE_PLUGIN_COMPILER, table, nullptr, 0, nullptr, (table)->name};              \
    return &plugin;                                                                                                   \
  }
