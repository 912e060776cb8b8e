// SPDX-License-Identifier: BSD-3-Clause
// The Coulomb interaction of a system that is periodic in two, one or no directions: cut off outside of the cell, so that its images do not see each
// other (Ismail-Beigi, Phys. Rev. B 73, 233103 (2006)). Ry bohr^3.
//   slab, periodic along 1 and 2, z along 3, z_c half of the cell's height:  v(k) = 8 pi/k^2 (1 - exp(-k_xy z_c) cos(k_z z_c))
//   wire, periodic along 3, r over the two-dimensional Wigner-Seitz cell:    v(k) = 4 int K_0(|k_z| r) exp(-i k_xy.r) d^2r
//   box, r over the Wigner-Seitz cell:                                        v(G) = int 2/r exp(-iG.r) d^3r
// The integrals are sums over grids that are shifted by half a step, as fine as BerkeleyGW's.
#pragma once

#include <complex>
#include <functional>

#include "lattice.hpp"
#include "small_q.hpp"

namespace suite::gw {

class TruncatedCoulomb {
public:
  // fft_grid: that of the charge density. Fails where the lattice is not one for this truncation.
  TruncatedCoulomb(Truncation kind, const Matrix3& bdot, const Miller& fft_grid);
  // At q+G of each; where that is 0 what is finite of it, which is all of it in a box alone.
  std::vector<double> v(const Vector3& q, const std::vector<Miller>& g) const;

  // The mean over the cell of q = 0, of a grid of so many q, of v and of W, which goes on from the small q as small_q.hpp says. Slab and wire.
  struct Head {
    double v = 0;
    std::complex<double> w = 0;
  };
  Head head(const Miller& q_grid, const SmallQ& at) const;
  // Of a slab the same with the means over these points of the plane, |q| in bohr^-1.
  using MeanOfLength = std::function<double(const std::function<double(double q)>& f)>;
  Head head_of_slab(const MeanOfLength& mean, const SmallQ& at) const;

private:
  double slab(const Vector3& k) const;
  std::vector<double> wire(double k_z, const std::vector<Miller>& g) const;
  std::vector<double> box(const std::vector<Miller>& g) const;
  Head head_of_wire(int q_points, const SmallQ& at) const;

  Truncation kind_;
  Matrix3 bdot_, adot_;  // adot: metric of the direct lattice, bohr^2
  Miller grid_;
  double half_height_ = 0;  // of a slab's cell
};

// The name that input files have for it, and the number (icutv) in BerkeleyGW's.
const char* truncation_name(Truncation kind);
int truncation_number(Truncation kind);
// Fails where a grid of k or q has more than one point along a direction in which the system is not periodic; `what` names it.
void require_truncated_grid(Truncation kind, const Miller& grid, const std::string& what);
// Fails where an operation exchanges periodic directions and others.
void require_truncated_operations(Truncation kind, const std::vector<Operation>& operations, const std::string& file);

}  // namespace suite::gw
