// SPDX-License-Identifier: BSD-3-Clause
// gpp - the GW self-energy in the generalized plasmon-pole model, as BerkeleyGW's Sigma computes it.
//
// gpp.sigma: for one q, one k and `nex` pairs of external bands (n,m), the sums over internal bands n' and
// over G, G'
//   asx(E) = -        sum_{n' occ} f_n' sum_{G,G'} M_nn'(G) conj(M_mn'(G')) v(q+G') ssx(G,G'; E - E_n')
//   ach(E) = + 1/2    sum_{n'}          sum_{G,G'} M_nn'(G) conj(M_mn'(G')) v(q+G') sch(G,G'; E - E_n')
// with x = E - E_n' (|x| < 1e-12 counts as 1e-12), D = x - w, delta = w/D, I = delta_GG' - eps^-1(G,G'), w =
// wtilde:
//   (A) |D|^2 > gamma^2 and |delta|^2 < 1/(4e-6):  sch = I delta,  ssx = w^2 I/(x^2 - w^2)
//   (B) otherwise, if |delta|^2 > 1e-12:           sch = 0,        ssx = -w^2 I delta/(4 w^2 (delta + 1/2))
//   (C) otherwise:                                 both 0.         Then ssx = 0 where |ssx| > sexcut |I| and
//   x < 0.
// Hybertsen and Louie, Phys. Rev. B 34, 5390 (1986), eqs. 34a, b; complex form: Zhang et al., Phys. Rev. B
// 40, 3162 (1989). Energies are in eV, v and results in Ry. Results are additive over the columns G'
// (ngpown), so those may be split over processes.
//
// gpp.sigma_offdiag: the same sums for all pairs (n,m) of `nex` external bands at energies that all of them
// share, as off-diagonal elements and frequency grids need them. v(q+G') ssx and v(q+G') sch do not depend on
// n and m, so that for every n' and E they are one matrix A(G,G') and Sigma_nm is M_n^T A conj(M_m).
#pragma once

#include <suite/plugin.hpp>

namespace suite::gpp {

// T: real64 with inversion symmetry ("real flavour"), complex128 in general.
inline constexpr int32_t flavour = SUITE_ONE_OF2(SUITE_REAL64, SUITE_COMPLEX128);

struct Sigma {
  static constexpr const char* name = "gpp.sigma";
  static constexpr const char* summary =
      "self-energy sums SX-X and CH of the plasmon-pole model for one k and q";
  static constexpr const char* merit = "terms: ncouls*ngpown*ntband*nex*nw";

  // Positions in `arguments`.
  enum : int {
    wtilde_array,
    I_eps_array,
    vcoul,
    indigp,
    aqsntemp,
    aqsmtemp,
    wx_array,
    occ_array,
    gamma,
    sexcut,
    asxtemp,
    achtemp,
    acht_n1,
    achstemp
  };

  static constexpr suite_argument arguments[] = {
      {"wtilde_array", SUITE_COMPLEX128, 2, SUITE_CONSTANT, "ncouls,ngpown", "eV",
       "plasmon-pole energies w(G,G'); real and >= 0 but for invalid_gpp_mode 1; 0: no pole; 1e12: static "
       "limit",
       0},
      {"I_eps_array", flavour, 2, SUITE_CONSTANT, "ncouls,ngpown", "1", "delta_GG' - eps^-1(G,G')", 0},
      {"vcoul", SUITE_REAL64, 1, SUITE_CONSTANT, "ncouls", "Ry",
       "v(q+G) divided by the number of q points and the cell volume", 0},
      {"indigp", SUITE_INT32, 1, SUITE_CONSTANT, "ngpown", "1",
       "G index (from 1) of each owned column G'; 0: padding, skipped", 0},
      {"aqsntemp", flavour, 3, SUITE_IN, "ncouls,ntband,nex", "1",
       "M_nn'(G) = <nk|exp(i(q+G)r)|n'k-q> of each external band n", 0},
      {"aqsmtemp", flavour, 3, SUITE_IN, "ncouls,ntband,nex", "1",
       "M_mn'(G') of each external band m; the same array as aqsntemp for the diagonal", 0},
      {"wx_array", SUITE_REAL64, 3, SUITE_IN, "nw,ntband,nex", "eV", "E_iw - E_n'k-q", 0},
      {"occ_array", SUITE_REAL64, 1, SUITE_IN, "ntband", "1",
       "occupation f_n', 0 to 1; SX counts where f > 0", 0},
      {"gamma", SUITE_REAL64, 0, SUITE_IN | SUITE_OPTIONAL, "", "eV", "gpp_broadening, 0.5 when unset", 0},
      {"sexcut", SUITE_REAL64, 0, SUITE_IN | SUITE_OPTIONAL, "", "1", "gpp_sexcutoff, 4.0 when unset", 0},
      {"asxtemp", SUITE_COMPLEX128, 2, SUITE_OUT, "nw,nex", "Ry", "SX - X", 1e-11},
      {"achtemp", SUITE_COMPLEX128, 2, SUITE_OUT, "nw,nex", "Ry", "CH", 1e-11},
      {"acht_n1", SUITE_COMPLEX128, 3, SUITE_OUT | SUITE_OPTIONAL, "nw,ntband,nex", "Ry",
       "CH band by band: achtemp is its sum over n'", 1e-11},
      {"achstemp", SUITE_COMPLEX128, 1, SUITE_OUT | SUITE_OPTIONAL, "nex", "Ry",
       "static CH of the bands present, -1/2 sum M conj(M) v I, for the static remainder", 1e-11},
  };

  static int cost(const suite_array* arguments, suite_cost* cost);
  static int generate(const char* size, uint64_t seed, suite_array* arguments, suite_error* error);
};

struct SigmaOffdiag {
  static constexpr const char* name = "gpp.sigma_offdiag";
  static constexpr const char* summary =
      "self-energy matrix SX-X and CH of the plasmon-pole model between external bands, for one k and q";
  static constexpr const char* merit = "terms: ncouls*ngpown*ntband*nex*nex*nw";

  // Positions in `arguments`; the constants stand where those of Sigma do.
  enum : int { wtilde_array, I_eps_array, vcoul, indigp, aqs, wx_array, occ_array, gamma, sexcut, asx, ach };

  static constexpr suite_argument arguments[] = {
      Sigma::arguments[Sigma::wtilde_array],
      Sigma::arguments[Sigma::I_eps_array],
      Sigma::arguments[Sigma::vcoul],
      Sigma::arguments[Sigma::indigp],
      {"aqs", flavour, 3, SUITE_IN, "ncouls,ntband,nex", "1",
       "M_nn'(G) = <nk|exp(i(q+G)r)|n'k-q> of each external band n", 0},
      {"wx_array", SUITE_REAL64, 2, SUITE_IN, "nw,ntband", "eV",
       "E_iw - E_n'k-q, the same E for all external bands", 0},
      Sigma::arguments[Sigma::occ_array],
      Sigma::arguments[Sigma::gamma],
      Sigma::arguments[Sigma::sexcut],
      {"asx", SUITE_COMPLEX128, 3, SUITE_OUT, "nex,nex,nw", "Ry",
       "SX - X of (n,m): n with G, m with G'; at one E not Hermitian in n and m", 1e-11},
      {"ach", SUITE_COMPLEX128, 3, SUITE_OUT, "nex,nex,nw", "Ry", "CH of (n,m)", 1e-11},
  };

  static int cost(const suite_array* arguments, suite_cost* cost);
  static int generate(const char* size, uint64_t seed, suite_array* arguments, suite_error* error);
};

// The largest w of the model, eV: it stands for the static limit, and above any w of an invalid mode.
inline constexpr double largest_w = 1e12;

// Throws unless every column G' names one of the ncouls G vectors, or 0. For both kernels.
inline void check_columns(const suite_array* arguments) {
  const suite_array& columns = arguments[Sigma::indigp];
  const int64_t ncouls = arguments[Sigma::wtilde_array].extent[0];
  const auto* indigp = static_cast<const int32_t*>(columns.data);
  for (int64_t igp = 0; igp < columns.extent[0]; ++igp)
    if (indigp[igp] < 0 || indigp[igp] > ncouls)
      throw Failure(SUITE_INVALID_ARGUMENT, "indigp(" + std::to_string(igp + 1) + ") is " +
                                                std::to_string(indigp[igp]) +
                                                "; it must lie from 0 to ncouls = " + std::to_string(ncouls));
}

}  // namespace suite::gpp
