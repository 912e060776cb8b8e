// SPDX-License-Identifier: BSD-3-Clause
// The nonlocal pseudopotential on the device (spheres.cl): tables of a call's spheres, and what is done with
// them.
#pragma once

#include "../nonlocal.hpp"
#include "engine.hpp"

namespace suite::lfd::cl {

// The four arrays of a nonlocal pseudopotential, on the host.
Pseudopotential read(const Engine& engine, const Grid& grid, const line::Nonlocal& V);

class Spheres {
public:
  // blocks: for the orbitals of lfd.propagate, which hold chi.
  Spheres(Engine& engine, bool blocks);

  void set(const Pseudopotential& V, const Grid& grid);
  // K for a time tau. Does nothing where it is so already.
  void set_time(double tau);
  bool empty() const { return !V_ || V_->empty(); }

  // u: what the orbitals wait for, or null; times: 1/|u|^2. phased: there are A or k, in waves.
  void propagate(cl_mem psi, cl_mem u, bool phased, cl_mem waves, bool descending, double times = 1);
  void energies(cl_mem psi, bool phased, cl_mem waves, cl_mem enl);
  // i[V_nl,r] over hx hy hz: three numbers of each vector of orbitals, from place `from` on.
  void currents(cl_mem psi, bool phased, cl_mem waves, cl_mem f, cl_mem partial, int64_t from);

private:
  std::string options(bool u, bool phased) const;
  opencl::Range range() const;
  int local() const;

  Engine& engine_;
  bool blocks_;
  const Pseudopotential* V_ = nullptr;
  Grid grid_;
  double tau_ = 0;
  bool timed_ = false;
  opencl::Scratch counts_, points_, shifts_, displacements_, beta_, K_, D_;
};

}  // namespace suite::lfd::cl
