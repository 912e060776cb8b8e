// SPDX-License-Identifier: BSD-3-Clause
// suite/opencl/engine.hpp - the common host side of OpenCL plugins: the knobs `vector` and `local`,
// the device's shape, kernels compiled on first use, and ranges of work-items.
#pragma once

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <suite/opencl.hpp>
#include <suite/opencl/vectors.hpp>

namespace suite::opencl {

inline constexpr suite_parameter vector_parameter =
    knob("vector", 0, 0, 16, "numbers", "numbers per work-item, a power of 2; 0: the CPU's vector width, 1 on a GPU");
inline constexpr suite_parameter local_parameter =
    knob("local", 0, 0, 256, "work-items", "work-items per group; 0: 1 on a CPU, 64 on a GPU");

// Their values.
struct Knobs {
  int64_t vector, local;
};

inline int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

// " -DNAME=value"
inline std::string define(const char* name, int64_t value) { return concat(" -D", name, "=", value); }

// An array's handle, or another one's if it is unset: a kernel argument must be a buffer.
inline cl_mem memory_or(const suite_array& array, cl_mem otherwise) { return array.data ? memory_of(array) : otherwise; }

// An extent for kernels with 32-bit indices; throws if it is too large.
inline cl_int count_of(const suite_array& array, int d, const char* name) {
  constexpr int64_t most = std::numeric_limits<cl_int>::max() / 16;
  const int64_t n = array.extent[d];
  if (n > most)
    throw Failure(SUITE_UNSUPPORTED, concat("extent ", d + 1, " of ", name, " is ", n, "; the OpenCL kernels count up to ", most));
  return static_cast<cl_int>(n);
}

// A count for kernels with 32-bit indices; throws if it is too large. what: "shells".
inline cl_int as_int(int64_t n, const char* what) {
  constexpr int64_t most = std::numeric_limits<cl_int>::max();
  if (n > most) throw Failure(SUITE_UNSUPPORTED, concat("a call has ", n, " ", what, "; the OpenCL kernels count up to ", most));
  return static_cast<cl_int>(n);
}

// The programs of a context, compiled once for all engines of a plugin that are open in it, and kept for as
// long as one of them is.
class Programs {
public:
  static std::shared_ptr<Programs> of(cl_context context) {
    static std::mutex mutex;
    static auto& all = *new std::map<cl_context, std::weak_ptr<Programs>>;  // for whoever closes last
    const std::lock_guard lock(mutex);
    std::erase_if(all, [](const auto& entry) { return entry.second.expired(); });
    auto programs = all[context].lock();
    if (!programs) all[context] = programs = std::make_shared<Programs>();
    return programs;
  }
  // what: "gpp.sigma", for the failure of a program that does not compile.
  const Program& get(const Device& device, const std::string& source, const std::string& options, const char* what) {
    const std::lock_guard lock(mutex_);
    Program& program = programs_[{source, options}];
    if (!program) program = build_program(device, source, options, what);
    return program;
  }

private:
  std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, Program> programs_;
};

// The device and its compiled kernels, for one suite_kernel.
class Engine {
public:
  // name: of the kernel, for messages. common: source text prepended to every source given to run().
  Engine(const suite_backend* backend_, suite_queue* queue_, Knobs knobs, const char* name, std::string common)
      : backend(backend_),
        queue(queue_),
        device(backend_, queue_),
        programs_(Programs::of(device.context)),
        knobs_(knobs),
        name_(name),
        common_(std::move(common)) {
    if (device.doubles == 0) throw Failure(SUITE_UNSUPPORTED, device.name + " has no double precision");
    if (knobs.vector != 0 && !std::has_single_bit(static_cast<uint64_t>(knobs.vector)))
      throw Failure(SUITE_INVALID_ARGUMENT, concat("vector is ", knobs.vector, "; it must be one of 0, 1, 2, 4, 8, 16"));
  }

  // Before anything else of a call: its precision.
  void set_single(bool single) { single_ = single; }
  bool single() const { return single_; }
  size_t real_bytes() const { return single_ ? 4 : 8; }

  // Numbers per work-item. In single precision twice as many fill the CPU's vectors.
  int vector() const {
    if (knobs_.vector > 0) return static_cast<int>(knobs_.vector);
    if (!device.is_processor) return 1;
    return static_cast<int>(std::min(16u, std::bit_floor(device.doubles) * (single_ ? 2u : 1u)));
  }
  // Work-items per group: 1 on a CPU, at most `most` elsewhere.
  int local(int most = 64) const {
    const int64_t wanted = knobs_.local > 0 ? knobs_.local : device.is_processor ? 1 : most;
    return static_cast<int>(std::min<int64_t>({wanted, most, static_cast<int64_t>(device.most_items)}));
  }
  // Whether to use few large work-items, as CPUs need.
  bool coarse() const { return device.is_processor && local(256) == 1; }
  int64_t vectors(int64_t n) const { return ceil_div(n, vector()); }
  int64_t padded(int64_t n) const { return vectors(n) * vector(); }

  // For kernels that share n pieces of work in dimension 0, each work-item at least so many.
  Range shares(int64_t n, int64_t least = 1) const {
    if (coarse()) {
      const int64_t most = std::min<int64_t>(16 * device.units, n / std::max<int64_t>(least, 1));
      return {{static_cast<size_t>(std::max<int64_t>(n > 0, most)), 1, 1}, {1, 1, 1}};
    }
    const auto group = static_cast<int64_t>(local(256));
    const int64_t groups = std::min<int64_t>(ceil_div(n, group), 1 << 16);
    return {{static_cast<size_t>(groups * group), 1, 1}, {static_cast<size_t>(group), 1, 1}};
  }
  // The same in dimension 1, with vectors of neighbouring numbers in 0.
  Range vector_shares(int64_t vectors, int64_t n) const {
    if (coarse()) return {{static_cast<size_t>(vectors > 0), shares(n).global[0], 1}, {1, 1, 1}};
    const auto group = static_cast<int64_t>(local(256));
    return {{static_cast<size_t>(ceil_div(vectors, group) * group), static_cast<size_t>(std::min<int64_t>(n, 1 << 15)), 1},
            {static_cast<size_t>(group), 1, 1}};
  }

  // Starts a kernel of a source (a text of sources.hpp), compiled with SINGLE, VW and the given options.
  template <class... Arguments>
  void run(const char* source, const char* name, const std::string& options, const Range& range, const Arguments&... arguments) {
    const Kernel& compiled =
        kernel(common_, source, name, " -cl-mad-enable" + define("SINGLE", single_) + define("VW", vector()) + options);
    launch(device, compiled, name, range, arguments...);
  }

  // Groups of `items` work-items for `count` rows of work, shared along dimension 1.
  Range rows(int64_t count, int items) const {
    const int64_t most = device.is_processor && items == 1 ? 16 * int64_t{device.units} : 1 << 16;
    return {{static_cast<size_t>(items), static_cast<size_t>(std::min(count, most)), 1}, {static_cast<size_t>(items), 1, 1}};
  }
  int64_t groups(int64_t count, int items) const { return static_cast<int64_t>(rows(count, items).global[1]); }
  // Starts a kernel whose groups share rows, in double precision; `options` go beyond VW and LOCAL.
  template <class... Arguments>
  void start(const char* source, const char* name, const std::string& options, int64_t count, int lanes, int items,
             const Arguments&... arguments) {
    const Kernel& compiled = kernel(common_, source, name, " -cl-mad-enable" + define("VW", lanes) + define("LOCAL", items) + options);
    launch(device, compiled, name, rows(count, items), arguments...);
  }

  // In the call's precision.
  void upload(Scratch& to, const std::vector<double>& values) const {
    if (single_) to.upload(std::vector<float>(values.begin(), values.end()));
    else to.upload(values);
  }
  // As gpu::Queue has them.
  void download(void* host, const void* memory, size_t bytes) const {
    suite_error error{};
    require(backend->download(queue, host, memory, bytes, &error), error);
  }
  void wait() const {
    suite_error error{};
    require(backend->wait(queue, &error), error);
  }
  // Elements of an array of a call, on the host; none when it is unset.
  template <class T> std::vector<T> fetch(const suite_array& array, const char* name) const {
    return array.data ? read_back<T>(backend, queue, array, name) : std::vector<T>();
  }
  std::vector<double> read(const suite_array& array, const char* name) const { return fetch<double>(array, name); }

  const suite_backend* backend;
  suite_queue* queue;
  Device device;

protected:
  // Compiled from `before` and `source` on first use with these options; sources are known by
  // their address.
  const Kernel& kernel(const std::string& before, const char* source, const char* name, const std::string& options) {
    const Key key{source, options};
    auto& kernels = kernels_[key];
    if (const auto found = kernels.find(name); found != kernels.end()) return found->second;
    const Program& program = programs_->get(device, before + source, "-cl-std=CL1.2" + options, name_);
    return kernels.emplace(name, make_kernel(program, name)).first->second;
  }

  const std::string& common() const { return common_; }

private:
  static void require(int status, const suite_error& error) {
    if (status != SUITE_OK) throw Failure(static_cast<suite_status>(status), error.message);
  }

  std::shared_ptr<Programs> programs_;
  Knobs knobs_;
  bool single_ = false;
  const char* name_;
  std::string common_;
  using Key = std::pair<const char*, std::string>;  // source and options
  std::map<Key, std::map<std::string, Kernel>> kernels_;
};

// The base of a kernel class with the named choices, then the knobs `vector` and `local`, as its parameters.
// EngineOf: the family's engine, made of (backend, queue, knobs, name).
template <class EngineOf, class Interface, const suite_parameter&... choices> class WithEngine {
public:
  static constexpr suite_parameter parameters[] = {choices..., vector_parameter, local_parameter};
  WithEngine(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : engine(backend, queue, {p[sizeof...(choices)], p[sizeof...(choices) + 1]}, Interface::name) {}

protected:
  EngineOf engine;
};

}  // namespace suite::opencl
