// SPDX-License-Identifier: BSD-3-Clause
// Quasiparticle energies with the mixing of bands: the eigenvalues of H = E_n delta_nm + <n|Sigma|m> - <n|Vxc|m> between the bands of sigma_matrix.
//
// Of H the Hermitian part is taken: with l = -1 or -2 that is 1/2 (Sigma_nm(E_n) + Sigma_nm(E_m)), as in quasiparticle self-consistency (van Schilfgaarde,
// Kotani, Faleev, Phys. Rev. Lett. 96, 226402 (2006)).
#pragma once

#include "gw.hpp"

namespace suite::gw {

// Of one k, spin and energy number iw of finite_difference_form; eV.
struct MixedLevels {
  int k = 0;
  int spin = 1, iw = 2;
  std::vector<double> energies;  // increasing
  // Of each the band that it has most of, from 1, and how much of it.
  std::vector<int> bands;
  std::vector<double> shares;
};

// Whether this build can: it needs Eigen.
bool mixes_levels();
// The elements that t leaves out are conjugates of those it has. None where the elements were listed one by one.
std::vector<MixedLevels> mixed_levels(const Settings& settings, const Result& result);

// offdiag.dat: "k1 k2 k3 n" and n lines "spin number energy band share" for every k and energy.
std::string offdiag_file(const Settings& settings, const Result& result, const std::vector<MixedLevels>& levels);

}  // namespace suite::gw
