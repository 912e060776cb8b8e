// SPDX-License-Identifier: BSD-3-Clause
// The exponential of the nonlocal pseudopotential of each atom (Kleinman-Bylander form). With V = B D B^H dr,
// S = B^H B dr and dr = hx hy hz, V^n = B (D S)^{n-1} D B^H dr, hence
//   exp(-i tau V) = 1 + B K B^H dr,   K = sum_{n >= 1} (-i tau)^n/n! (D S)^{n-1} D = (exp(-i tau D S) - 1)
//   S^-1.
// The phases exp(-i(A+k).(r-R)) of B cancel in S: S is real, and S and K depend on neither A nor k nor the
// orbital. K is found without S^-1 (an atom may have fewer projectors than nproj): the series for tau/2^m,
// then m times K(2 tau) = 2 K + K S K. All host memory, first index fastest.
#pragma once

#include <complex>
#include <vector>

#include "call.hpp"

namespace suite::lfd {

// How many of an atom's points come before the padding, for each atom.
std::vector<int64_t> sphere_points(const int32_t* nlpoint, int64_t nsphere, int64_t natom);

// S(nproj,nproj,natom) of beta(nsphere,nproj,natom); volume = hx hy hz.
std::vector<double> projector_overlaps(const double* beta, const int32_t* nlpoint, int64_t nsphere, int64_t nproj, int64_t natom,
                                       double volume);

// K(nproj,nproj,natom), symmetric, of dnl(nproj,nproj,natom) and S. A K that is not finite is refused.
std::vector<std::complex<double>> projector_exponentials(const double* overlaps, const double* dnl, int64_t nproj, int64_t natom,
                                                         double tau);

// That of a call, copied to the host from the device where the arrays lie, and checked: what tables for the
// device are made of.
struct Pseudopotential {
  int64_t nsphere = 0, nproj = 0, natom = 0;
  double volume = 0;            // hx hy hz
  std::vector<int32_t> points;  // (nsphere,natom), from 1
  std::vector<int32_t> counts;  // points of each atom, before the padding
  std::vector<double> displacements, beta, D;
  std::vector<double> overlaps;

  bool empty() const { return natom == 0 || nproj == 0; }
  // copy(argument, its name, a vector that becomes its elements).
  template <class Copy> void read(const Grid& grid, const line::Nonlocal& V, Copy&& copy) {
    *this = {};
    if (!has_nonlocal(V)) return;
    copy(V.nlpoint, "nlpoint", points);
    copy(V.nldisp, "nldisp", displacements);
    copy(V.beta, "beta", beta);
    copy(V.dnl, "dnl", D);
    set(grid, V);
  }
  // K of projector_exponentials(), times hx hy hz.
  std::vector<std::complex<double>> exponentials(double tau) const;
  // What r - R of each point has beyond the grid's own vector from the sphere's first point,
  // (3,nsphere,natom): the lattice vectors of images, 0 inside the cell. For chi = e^{i(A+k).r} psi
  // (cpu/spheres.hpp) only they are left of the projectors' phases.
  std::vector<double> image_shifts(const Grid& grid) const;

private:
  void set(const Grid& grid, const line::Nonlocal& V);
};

}  // namespace suite::lfd
