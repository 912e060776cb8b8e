// SPDX-License-Identifier: BSD-3-Clause
// The Hartree field on the device, from call to call of lfd.field_prop and lfd.spectral_field_solve and from
// step to step of lfd.propagate. Transforms are small dense products with the real Fourier basis of each axis
// (../spectrum.hpp).
#pragma once

#include "engine.hpp"

namespace suite::lfd::cl {

// A cl_mem of the call's precision: bytes from one buffer to another, in order with the kernels.
void copy(const Engine& engine, cl_mem from, size_t from_number, cl_mem to, size_t to_number, size_t count);

// How the loops of a field step are started: by one work-item, each with a wait behind it, or one behind the
// other.
enum class Start { one_item, wait, queue };

class FieldSolver {
public:
  // functional: of the other kernels that the caller takes from the same program.
  explicit FieldSolver(Engine& engine, Functional functional = Functional::none);

  // For steps of the wave equation, and with `at_once` for all of them in waves. Does little where nothing
  // changed.
  void set_steps(const Grid& grid, const FieldConstants& constants, bool at_once);
  // For the solution of a density.
  void set_solution(const Grid& grid, Laplacian laplacian);

  // v and w come from vH(Nz,Ny,Nx,2) and go back there.
  void take(cl_mem vH);
  void give(cl_mem vH);
  // field_steps steps with v and w as they are.
  void loop(cl_mem rho, Start start);
  void fused(cl_mem rho);
  // The same at once: waves of v and w are made by begin_closed, and v alone is brought up to date by each
  // closed; end_closed does it for w.
  void begin_closed();
  void closed(cl_mem rho);
  void end_closed();
  // v of rho; w = 0.
  void solve(cl_mem rho);
  void clear_w();

  cl_mem v() { return v_.at_least(0); }

private:
  void set_grid(const Grid& grid, bool padded);
  void forward(cl_mem in, cl_mem out);
  void backward(cl_mem in, cl_mem out);
  void product(cl_mem a, cl_mem b, cl_mem c, int64_t rows, int64_t inner, int64_t columns, int64_t batches);
  void source_of(cl_mem rho);
  template <class... Arguments> void run(const char* name, const opencl::Range& range, const Arguments&... arguments);

  Engine& engine_;
  Functional functional_;
  Grid grid_;
  FieldConstants constants_;
  bool set_ = false, padded_ = false, single_ = false;
  int table_ = -1;  // what the table holds: 0 closed, 1 + laplacian
  FieldConstants table_constants_;
  int64_t waves_[3] = {1, 1, 1};
  opencl::Scratch v_, w_, other_, source_, first_, second_, rho_waves_, v_waves_, w_waves_, table_of_waves_;
  opencl::Scratch to_x_, to_y_, to_z_, from_x_, from_y_, from_z_;  // [wave][point], [point][wave]
};

// Options of the program fields.cl.
std::string field_options(const Engine& engine, Functional functional = Functional::none);

}  // namespace suite::lfd::cl
