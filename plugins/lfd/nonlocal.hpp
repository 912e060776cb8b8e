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

#include "lfd.hpp"

namespace suite::lfd {

// How many of an atom's points come before the padding, for each atom.
std::vector<int64_t> sphere_points(const int32_t* nlpoint, int64_t nsphere, int64_t natom);

// S(nproj,nproj,natom) of beta(nsphere,nproj,natom); volume = hx hy hz.
std::vector<double> projector_overlaps(const double* beta, const int32_t* nlpoint, int64_t nsphere,
                                       int64_t nproj, int64_t natom, double volume);

// K(nproj,nproj,natom), symmetric, of dnl(nproj,nproj,natom) and S. A K that is not finite is refused.
std::vector<std::complex<double>> projector_exponentials(const double* overlaps, const double* dnl,
                                                         int64_t nproj, int64_t natom, double tau);

}  // namespace suite::lfd
