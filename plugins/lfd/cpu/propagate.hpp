// SPDX-License-Identifier: BSD-3-Clause
// One call of lfd.propagate, and what its variants share.
#pragma once

#include <complex>
#include <vector>

#include "../call.hpp"
#include "../parameters.hpp"
#include "../splitting.hpp"
#include "spheres.hpp"

namespace suite::lfd {

template <class T> struct PropagateCall {
  PropagateCall(const Choices& choices, const Propagate& arguments);

  Choices choices;
  Grid grid;
  std::complex<T>* psi;
  const double *f, *k, *drive;  // k(3,Norb) or null; drive(3,nsteps)
  const T* vloc;
  T *vH, *rho;
  double dt;
  int64_t nsteps;
  FieldConstants field;
  Spheres spheres;  // of V_nl, for dt/2; empty without it
  double *dipole, *current;

  const double* drive_of(int64_t step) const { return drive + 3 * step; }
  double angle(int d) const { return grid.n[d] > 1 ? splitting_angle(dt, grid.h[d], choices.mass_correction) : 0; }
  // Grid point i of direction d lies here, in bohr.
  double coordinate(int d, int64_t i) const { return static_cast<double>(i - grid.n[d] / 2) * grid.h[d]; }
};

}  // namespace suite::lfd
