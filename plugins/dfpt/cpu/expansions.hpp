// SPDX-License-Identifier: BSD-3-Clause
// Solid harmonics that translate without coefficients (White and Head-Gordon, J. Chem. Phys. 101, 6593
// (1994)), here without the Condon-Shortley phase:
//   R_lm(r) = r^l P_lm(cos theta) e^(i m phi)/(l+m)!        I_lm(r) = (l-m)! P_lm e^(i m phi)/r^(l+1)
//   R_lm(a+b) = sum_jk R_(l-j)(m-k)(a) R_jk(b)              and with X_l(-m) = (-1)^m conj(X_lm) for both
//   I_lm(r+u) = sum_jk (-1)^j conj(R_jk(u)) I_(l+j)(m+k)(r),  |u| < |r|
// A field of sources is Phi = sum_lm conj(M_lm) I_lm(r - source), of a target sum_jk conj(R_jk(r - target))
// L_jk. Sums go over all m; only m >= 0 is kept. Along z R_l0 = z^l/l!, I_l0 = l!/z^(l+1), and all others are 0.
#pragma once

#include "along_axis.hpp"

namespace suite::dfpt {

// M_lm of an atom's real moments m_lm, `next` apart for `many` directions.
template <class Lanes> void read_moments(const double* moments, int64_t next, int many, int l_max, Term<Lanes>* M);
// M' += M moved: `by` is from the new centre to the old one.
template <class Lanes> void add_multipole(const double* by, const Term<Lanes>* from, int from_order, Term<Lanes>* to, int order);
// L += of M: `by` is from the source to the target.
template <class Lanes> void add_local(const double* by, const Term<Lanes>* M, int source_order, Term<Lanes>* L, int order);
// L' += L moved: `by` is from the old centre to the new one. order: at most that of L.
template <class Lanes> void add_moved(const double* by, const Term<Lanes>* from, int from_order, Term<Lanes>* to, int order);
// potential += of L at points; potential of each direction lies `stride` apart.
template <class Lanes>
void add_potential(const double* centre, const Term<Lanes>* L, int order, const double* x, const double* y, const double* z, int64_t points,
                   int many, double* potential, int64_t stride);

}  // namespace suite::dfpt
