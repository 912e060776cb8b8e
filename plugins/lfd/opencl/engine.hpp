// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of this folder have in common on the host: the device's shape, compiled programs, ranges
// of work-items, and the tables of the orbitals.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <suite/opencl.hpp>

#include "../call.hpp"
#include "../parameters.hpp"

namespace suite::lfd::cl {

inline constexpr suite_parameter vector_parameter{
    "vector", 0,
    0,        16,
    nullptr,  "numbers of a work-item, a power of 2; 0: as many as the processor's vectors have, 1 on a GPU"};
inline constexpr suite_parameter local_parameter{
    "local", 0, 0, 256, nullptr, "work-items of a group; 0: 1 on a processor, 64 on a GPU"};

struct Knobs {
  int64_t vector, local;
};

inline int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }
std::string define(const char* name, int64_t value);  // " -DNAME=value"

// The device and its compiled kernels, for one suite_kernel.
class Engine {
public:
  // name: of the kernel, for messages.
  Engine(const suite_backend* backend, suite_queue* queue, Knobs knobs, const char* name);

  // Before anything else of a call: its precision.
  void set_single(bool single) { single_ = single; }
  bool single() const { return single_; }
  size_t real_bytes() const { return single_ ? 4 : 8; }

  int vector() const;              // numbers of a work-item
  int local(int most = 64) const;  // work-items of a group
  bool coarse() const;             // few large work-items, as a processor wants them
  int64_t vectors(int64_t norb) const { return ceil_div(norb, vector()); }
  int64_t padded(int64_t norb) const { return vectors(norb) * vector(); }

  // For kernels that share n pieces of work in dimension 0, or in dimension 1 with the vectors of orbitals in
  // 0.
  opencl::Range shares(int64_t n, int64_t least = 1) const;
  opencl::Range orbital_shares(int64_t vectors, int64_t n) const;

  // Starts a kernel of a source (a text of sources.hpp), compiled with the options that go beyond SINGLE and
  // VW.
  template <class... Arguments>
  void run(const char* source, const char* name, const std::string& options, const opencl::Range& range,
           const Arguments&... arguments) {
    opencl::launch(device, kernel(source, name, options), name, range, arguments...);
  }

  void upload(opencl::Scratch& to, const std::vector<double>& values) const;   // in the call's precision
  std::vector<double> read(const suite_array& array, const char* name) const;  // of real64; empty when unset

  const suite_backend* backend;
  suite_queue* queue;
  opencl::Device device;

private:
  const opencl::Kernel& kernel(const char* source, const char* name, const std::string& options);

  Knobs knobs_;
  bool single_ = false;
  const char* name_;
  using Key = std::pair<const char*, std::string>;  // source and options
  std::map<Key, opencl::Program> programs_;
  std::map<Key, std::map<std::string, opencl::Kernel>> kernels_;
};

// An array's handle, or another one's where it is unset: a kernel's argument must be a buffer.
inline cl_mem memory_or(const suite_array& array, cl_mem otherwise) {
  return array.data ? opencl::memory_of(array) : otherwise;
}

// Extents as the kernels count them; throws where they are too many.
struct Counts {
  explicit Counts(const Grid& grid);
  cl_int nx, ny, nz, norb, points;
};

// A+k, bond phases and occupations of the orbitals on the device (orbitals.cl, tables).
class Tables {
public:
  explicit Tables(Engine& engine);
  // Bonds of several A, one after the other.
  static constexpr int slots = 8;
  // length, scale: of each direction's phase. f: may be null. slot: of the bonds; waves are of the last call.
  void set(const Grid& grid, const suite_array* k, const suite_array* f, const Three& A, const double* length,
           const double* scale, int slot = 0);
  cl_mem waves() { return waves_.at_least(0); }
  cl_mem bonds() { return bonds_.at_least(0); }
  cl_mem f_double() { return f_double_.at_least(0); }
  cl_mem f_real() { return f_real_.at_least(0); }

private:
  Engine& engine_;
  opencl::Scratch waves_, bonds_, f_double_, f_real_;
};

}  // namespace suite::lfd::cl
