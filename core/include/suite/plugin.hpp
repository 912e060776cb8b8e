// SPDX-License-Identifier: BSD-3-Clause
// suite/plugin.hpp - the C++ side of abi.h, header-only, for plugin authors. Every plugin compiles its own hidden
// copy, so no C++ ABI crosses a library boundary. docs/add-a-kernel.md walks through a complete plugin.
#pragma once

#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <initializer_list>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <suite/abi.h>
#include <suite/arguments.hpp>

namespace suite {

// The exception of C++ code; guarded() turns it into a status and a message at the C boundary.
class Failure : public std::runtime_error {
public:
  Failure(suite_status status, const std::string& sentence) : std::runtime_error(sentence), status_(status) {}
  suite_status status() const noexcept { return status_; }

private:
  suite_status status_;
};

// Joins strings, characters and numbers into one string, numbers as by std::to_string: concat("extent ", d + 1,
// " of ", name, " is ", n).
template <class... T> std::string concat(const T&... parts) {
  std::string text;
  const auto append = [&text](const auto& part) {
    if constexpr (requires { std::string_view(part); } || std::is_same_v<decltype(part), const char&>) text += part;
    else text += std::to_string(part);
  };
  (append(parts), ...);
  return text;
}

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

// Whether an argument of a cost function is set: unset ones have rank -1 there. (In a kernel they have data NULL.)
inline bool is_set(const suite_array& array) { return array.rank >= 0; }

// Whether an argument with two possible precisions is in single precision.
inline bool is_single(const suite_array& array) { return array.type == SUITE_REAL32 || array.type == SUITE_COMPLEX64; }
// Calls f(float()) or f(double()).
template <class F> void by_precision(const suite_array& array, F&& f) {
  if (is_single(array)) f(float());
  else f(double());
}

inline void tell(suite_error* error, const char* sentence) noexcept {
  if (error) std::snprintf(error->message, sizeof error->message, "%s", sentence);
}

// Runs f and turns every exception into a status and a message.
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

// Whether a kernel looks at what it found on the device after the work: finish().
template <class K>
concept Finishing = requires(K& kernel) { kernel.finish(); };
// A kernel of that kind, and whether the host calls it.
template <class K> struct WithFinish : K {
  using K::K;
  bool host_finishes = false;
};
template <class K> using Held = std::conditional_t<Finishing<K>, WithFinish<K>, K>;

// Wraps a class K with a constructor (backend, queue, parameters), execute(arguments) and, if it keeps
// anything derived from constants, prepare(arguments), as a kernel. finish(), if it has one, waits for the device and throws if the
// work could not be done as asked; execute() then need not wait. The same work may be asked about twice.
template <class K> struct Adapter {
  static Held<K>* self(suite_kernel* kernel) { return reinterpret_cast<Held<K>*>(kernel); }
  static int create(const suite_backend* backend, suite_queue* queue, const int64_t* parameters, suite_kernel** kernel,
                    suite_error* error) {
    return guarded(error, [&] { *kernel = reinterpret_cast<suite_kernel*>(new Held<K>(backend, queue, parameters)); });
  }
  static int prepare(suite_kernel* kernel, const suite_array* arguments, suite_error* error) {
    return guarded(error, [&] {
      if constexpr (requires { self(kernel)->prepare(arguments); }) self(kernel)->prepare(arguments);
    });
  }
  static int execute(suite_kernel* kernel, const suite_array* arguments, suite_error* error) {
    return guarded(error, [&] {
      self(kernel)->execute(arguments);
      if constexpr (Finishing<K>)
        if (!self(kernel)->host_finishes) self(kernel)->finish();
    });
  }
  static int finish(suite_kernel* kernel, suite_error* error)
    requires Finishing<K>
  {
    return guarded(error, [&] {
      self(kernel)->host_finishes = true;
      self(kernel)->finish();
    });
  }
  static void destroy(suite_kernel* kernel) { delete self(kernel); }
};

// The names of the extents in a shape: ncouls, ntband, nex for "ncouls,ntband[,nex]"; none for a scalar's "".
inline std::vector<std::string> extents_in(std::string_view shape) {
  std::vector<std::string> extents;
  if (shape.empty()) return extents;
  const size_t open = shape.find("[,");
  const bool bracketed = open != shape.npos && open > 0 && shape.back() == ']';
  extents.emplace_back();
  for (size_t i = 0; i < shape.size(); ++i) {
    if (bracketed && (i == open || i + 1 == shape.size())) continue;
    if (shape[i] == ',') extents.emplace_back();
    else extents.back() += shape[i];
  }
  return extents;
}

// For generate(): sets types and extents of all arguments of kernel K from its table. set_type: the type of those declared with a set of
// types; extents: the values of the names in the shapes.
template <class K>
void describe_arguments(suite_array* arguments, int32_t set_type, std::initializer_list<std::pair<std::string_view, int64_t>> extents) {
  for (const suite_argument& row : rows<K>) {
    suite_array& a = arguments[&row - rows<K>.data()];
    a.type = row.type & SUITE_TYPE_SET ? set_type : row.type;
    a.rank = 0;
    for (auto& e : a.extent) e = 1;
    for (const std::string& name : extents_in(row.shape)) {
      const auto* const known = std::find_if(extents.begin(), extents.end(), [&](const auto& e) { return e.first == name; });
      if (known == extents.end()) throw Failure(SUITE_INTERNAL, "no size gives the extent " + name + " of " + row.name);
      a.extent[a.rank++] = known->second;
    }
  }
}

// A numeric parameter.
constexpr suite_parameter knob(const char* name, int64_t value, int64_t low, int64_t high, const char* unit, const char* meaning) {
  return {name, meaning, unit, value, low, high, nullptr, 0, 0};
}
// A parameter with named choices that selects how something is computed; value is an index into them.
template <class Choices> constexpr suite_parameter variant(const char* name, int64_t value, const Choices& choices, const char* meaning) {
  const auto count = static_cast<uint32_t>(std::size(choices));
  return {name, meaning, "1", value, 0, count - 1, std::data(choices), count, 0};
}
// One that selects what is computed: every implementation has it, including the reference.
template <class Choices> constexpr suite_parameter option(const char* name, int64_t value, const Choices& choices, const char* meaning) {
  suite_parameter parameter = variant(name, value, choices, meaning);
  parameter.changes_result = 1;
  return parameter;
}
// A choice without published numbers.
constexpr suite_choice choice(const char* name, const char* meaning, suite_effect expected = SUITE_UNKNOWN) {
  return {name, meaning, 0, nullptr, expected, 0, nullptr};
}
// A less accurate choice: outputs may be this far from the reference.
constexpr suite_choice choice(const char* name, const char* meaning, tolerance off, suite_effect expected = SUITE_UNKNOWN) {
  return {name, meaning, off.value, nullptr, expected, 0, nullptr};
}
// A step of a published ladder of optimisations. after: nullptr for the step before it.
template <size_t N>
constexpr suite_choice step(const char* name, const char* meaning, const suite_published (&published)[N], const char* after = nullptr,
                            suite_effect expected = SUITE_UNKNOWN) {
  return {name, meaning, 0, after, expected, N, published};
}

struct Meaning {
  const char *choice, *text;
};
// The family's choices with an implementation's own meanings: with_meaning(steps, {{"v3", "512 pairs (G,G') at a time"}}). Does not
// compile for an unknown choice.
template <size_t N, size_t M>
consteval std::array<suite_choice, N> with_meaning(const suite_choice (&choices)[N], const Meaning (&meanings)[M]) {
  std::array<suite_choice, N> result{};
  for (size_t i = 0; i < N; ++i) result[i] = choices[i];
  for (const Meaning& meaning : meanings) {
    bool found = false;
    for (suite_choice& c : result)
      if (std::string_view(c.name) == meaning.choice) c.meaning = meaning.text, found = true;
    if (!found) throw "no choice of this name";
  }
  return result;
}

// The table of kernel class K. Interface (one per kernel, in <family>.hpp) describes the arguments (suite/arguments.hpp), has static
// members name and summary, and may have cost, generate, merit_unit, merit_count and sums_over; K may have a static array `parameters`, a static
// array `layouts`, and a static cost(arguments, parameters, cost) if the cost depends on the parameters.
template <class Interface, class K> constexpr suite_kernel_table kernel_table(const char* implementation, const char* backend) {
  suite_kernel_table table{};
  table.struct_size = sizeof table;
  table.sizes = {sizeof(suite_argument), sizeof(suite_parameter), sizeof(suite_choice), sizeof(suite_published)};
  table.kernel = Interface::name;
  table.implementation = implementation;
  table.backend = backend;
  table.summary = Interface::summary;
  table.arguments = std::data(rows<Interface>);
  table.argument_count = static_cast<uint32_t>(std::size(rows<Interface>));
  if constexpr (requires { K::parameters; }) {
    table.parameters = std::data(K::parameters);
    table.parameter_count = static_cast<uint32_t>(std::size(K::parameters));
  }
  if constexpr (requires { Interface::merit_unit; }) {
    table.merit_unit = Interface::merit_unit;
    table.merit_count = Interface::merit_count;
  }
  table.create = Adapter<K>::create;
  table.prepare = Adapter<K>::prepare;
  table.execute = Adapter<K>::execute;
  table.destroy = Adapter<K>::destroy;
  if constexpr (requires { K::cost; }) table.cost = K::cost;
  else if constexpr (requires { Interface::cost; })
    table.cost = [](const suite_array* arguments, const int64_t*, suite_cost* cost) { return Interface::cost(arguments, cost); };
  if constexpr (requires { Interface::generate; }) table.generate = Interface::generate;
  if constexpr (requires { K::layouts; }) table.layouts = std::data(K::layouts);
  if constexpr (requires { Interface::sums_over; }) table.sums_over = Interface::sums_over;
  if constexpr (Finishing<K>) table.finish = Adapter<K>::finish;
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
#define SUITE_PLUGIN(family, implementation, ...)                            \
  extern "C" SUITE_EXPORT const suite_plugin* suite_plugin_query(uint32_t) { \
    static const suite_kernel_table* const kernels[] = {__VA_ARGS__};        \
    static const suite_plugin plugin{SUITE_ABI_VERSION,                      \
                                     sizeof(suite_plugin),                   \
                                     SUITE_PLUGIN_VERSION,                   \
                                     SUITE_PLUGIN_COMPILER,                  \
                                     nullptr,                                \
                                     kernels,                                \
                                     sizeof kernels / sizeof *kernels,       \
                                     family,                                 \
                                     implementation};                        \
    return &plugin;                                                          \
  }

// Exports a backend: SUITE_BACKEND_PLUGIN(&table).
#define SUITE_BACKEND_PLUGIN(table)                                                                                                       \
  extern "C" SUITE_EXPORT const suite_plugin* suite_plugin_query(uint32_t) {                                                              \
    static const suite_plugin plugin{                                                                                                     \
        SUITE_ABI_VERSION, sizeof(suite_plugin), SUITE_PLUGIN_VERSION, SUITE_PLUGIN_COMPILER, table, nullptr, 0, nullptr, (table)->name}; \
    return &plugin;                                                                                                                       \
  }
