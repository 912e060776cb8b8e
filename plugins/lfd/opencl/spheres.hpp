// SPDX-License-Identifier: BSD-3-Clause
// The nonlocal pseudopotential on the device (spheres.cl): tables of a call's spheres, and what is done with
// them.
#pragma once

#include <complex>

#include "engine.hpp"

namespace suite::lfd::cl {

// The four arrays of a nonlocal pseudopotential, on the host.
struct SphereArrays {
  bool there = false;
  int64_t nsphere = 0, nproj = 0, natom = 0;
  std::vector<int32_t> points, counts;
  std::vector<double> displacements, beta, D;
  std::vector<double> overlaps;

  // Fetches and checks them.
  void read(const Engine& engine, const Grid& grid, const line::Nonlocal& V);
};

class Spheres {
public:
  // blocks: for the orbitals of lfd.propagate, which hold chi.
  Spheres(Engine& engine, bool blocks);

  void set(const SphereArrays& arrays, const Grid& grid);
  // K for a time tau. Does nothing where it is so already.
  void set_time(double tau);
  bool empty() const { return !arrays_ || arrays_->natom == 0 || arrays_->nproj == 0; }

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
  const SphereArrays* arrays_ = nullptr;
  Grid grid_;
  double tau_ = 0;
  bool timed_ = false;
  opencl::Scratch counts_, points_, shifts_, displacements_, beta_, K_, D_;
};

}  // namespace suite::lfd::cl
