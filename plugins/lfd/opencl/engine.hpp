// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of this folder have in common on the host: extents and the tables of the orbitals.
#pragma once

#include <string>
#include <vector>

#include <suite/opencl/engine.hpp>

#include "../call.hpp"
#include "../parameters.hpp"

namespace suite::lfd::cl {

using opencl::vector_parameter, opencl::local_parameter, opencl::Knobs, opencl::ceil_div, opencl::define, opencl::memory_or;

template <class E, int rank, bool changes> cl_mem memory_of(const Argument<E, rank, changes>& argument) {
  return opencl::memory_of(argument.array());
}

class Engine : public opencl::Engine {
public:
  // name: of the kernel, for messages.
  Engine(const suite_backend* backend, suite_queue* queue, Knobs knobs, const char* name);
  // For kernels that share n pieces of work in dimension 1, with the vectors of orbitals in 0.
  opencl::Range orbital_shares(int64_t vectors, int64_t n) const { return vector_shares(vectors, n); }
};

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
  // length, scale: of each direction's phase. k, f: may be null. slot: of the bonds; waves are of the last
  // call.
  void set(const Grid& grid, cl_mem k, cl_mem f, const Three& A, const double* length, const double* scale, int slot = 0);
  cl_mem waves() { return waves_.at_least(0); }
  cl_mem bonds() { return bonds_.at_least(0); }
  cl_mem f_double() { return f_double_.at_least(0); }
  cl_mem f_real() { return f_real_.at_least(0); }

private:
  Engine& engine_;
  opencl::Scratch waves_, bonds_, f_double_, f_real_;
};

}  // namespace suite::lfd::cl
