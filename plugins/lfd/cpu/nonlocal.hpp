// SPDX-License-Identifier: BSD-3-Clause
// The spheres of the nonlocal pseudopotential as the kernels of this folder use them.
//
// For chi(r) = e^{i(A+k).r} psi(r) the phases e^{-i(A+k).(r-R)} of the projectors are the same at all points
// of a sphere, and cancel, except where the sphere reaches across the border of the cell: there r - R differs
// from the grid's r - R by a lattice vector. `image` numbers these differences, 0 for none; a caller that
// works with psi itself takes the whole displacement.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "../call.hpp"

namespace suite::lfd {

struct Sphere {
  std::vector<int32_t> point;  // from 0, in the order of v(Nz,Ny,Nx)
  std::vector<uint8_t> image;  // of each point
  std::vector<Three> shift;    // of each image, bohr; image 0 has none
  std::vector<double> beta;    // [point][nproj]
  std::vector<Three> displacement;
  std::vector<std::complex<double>> K;  // [nproj][nproj] times hx hy hz, of exp(-i tau V_nl)
  std::vector<double> D;                // [nproj][nproj] times hx hy hz
};

struct Spheres {
  int64_t nproj = 0;
  std::vector<Sphere> atoms;
  bool empty() const { return atoms.empty(); }
};

}  // namespace suite::lfd
