// SPDX-License-Identifier: BSD-3-Clause
// gw - what stands before the sums of a GW self-energy (gpp.sigma): matrix elements and the screening model.
//
// gw.mtxel: matrix elements between external bands n at k and internal bands n' at k-q,
//   M_nn'(G) = <n,k| exp(i(q+G)r) |n',k-q> = sum_s sum_G2 conj(c_ns(G2+G)) c_n's(G2),
// with c the plane-wave coefficients of the periodic parts and s the spinor components. Umklapp vectors are
// in the lists: where k-q lies outside the stored zone, g_ket holds its G vectors shifted. With conjugate = 1
// the results are conj(M), which is <n'|exp(-i(q+G)r)|n> as the polarizability takes it: bra v,k+q, ket c,k.
// In real space M_nn'(G) = 1/N sum_r exp(iGr) conj(u_n(r)) u_n'(r) on a grid of N points.
//
// gw.screening: from the static inverse dielectric matrix of one q, the strengths and the plasmon-pole
// energies of gpp.sigma,
//   I(G,G') = delta_GG' - eps^-1(G,G')
//   Hybertsen-Louie: w^2 = Omega^2/I,  Omega^2(G,G') = 2 nq rho(G-G') (q+G).(q+G') v(q+G)   with energies in
//   Ry,
//     which is w_p^2 rho(G-G')/rho(0) (q+G).(q+G')/|q+G|^2 where v is not averaged. For q+G = 0: w_p^2 = 16
//     pi rho(0)/volume if G' = G, else 0. Complex I: w^2 = |z|^2/Re z with z = Omega^2/I.
//   Godby-Needs: w^2 = Re[ w_i^2 I_i/(I - I_i) ],  I_i of eps^-1 at the imaginary frequency i w_i
//   static: no frequency dependence (COHSEX), w = 1e12 eV
// Hybertsen and Louie, Phys. Rev. B 34, 5390 (1986); Zhang, Tomanek, Cohen, Louie, Hybertsen, Phys. Rev. B
// 40, 3162 (1989); Godby and Needs, Phys. Rev. Lett. 62, 1169 (1989). Thresholds and the treatment of
// negative w^2 are BerkeleyGW's.
//
// gw.chi: the polarizability of independent particles from which the dielectric matrix comes,
//   chi(G,G';z) += sum over pairs p of weight_p M_p(G) conj(M_p(G')) 1/2 [1/(-Delta_p-z) + 1/(-Delta_p+z)],
// where p stands for v, c and k, M_p(G) = <c,k| exp(-i(q+G)r) |v,k+q> (gw.mtxel with conjugate = 1), Delta_p = E_c - E_v,
// and weight_p = (f_v - f_c) 4/(N_k volume nspin nspinor). The bracket is -Delta/(Delta^2 - z^2): real for z = 0, on the
// imaginary axis and on the real one, where chi is Hermitian. eps(G,G') = delta_GG' - v(q+G) chi(G,G').
// Adler, Phys. Rev. 126, 413 (1962); Wiser, Phys. Rev. 129, 62 (1963).
#pragma once

#include <cmath>
#include <numbers>

#include <suite/plugin.hpp>

namespace suite::gw {

struct Mtxel : Arguments {
  using Arguments::Arguments;
  using integer = element::integer;
  using real = element::real;
  using complex = element::complex;
  using flavour = element::Either<real, complex>;  // real with inversion symmetry ("real flavour")
  static constexpr const char* name = "gw.mtxel";
  static constexpr const char* summary = "matrix elements of exp(i(q+G)r) between external and internal bands";
  static constexpr const char *merit_unit = "elements", *merit_count = "ncouls*ntband*nex";

  // clang-format off
  SUITE_ARGUMENT(constant, flavour, ket,   "npw_ket,ntband[,nspinor]",  "1", "coefficients c_n'(G) of the internal bands at k-q");
  SUITE_ARGUMENT(constant, integer, g_ket, "3,npw_ket",                 "1", "components of their G vectors, umklapp included");
  SUITE_ARGUMENT(constant, integer, g_bra, "3,npw_bra",                 "1", "components of the G vectors of the external bands");
  SUITE_ARGUMENT(constant, integer, g,     "3,ncouls",                  "1", "components of the wanted G");
  SUITE_ARGUMENT(in,       flavour, bra,   "npw_bra[,nex,nspinor]",     "1", "coefficients c_n(G) of the external bands at k");
  SUITE_ARGUMENT(in,       flavour, phase, "ncouls",                    "1", "factor of each G, of a symmetry: aqs is phase(G) M(G)",
                                                                             when_unset("1"));
  SUITE_ARGUMENT(in,       integer, conjugate, "",                      "1", "1: phase(G) conj(M(G))", when_unset("0"));
  SUITE_ARGUMENT(out,      flavour, aqs,   "ncouls,ntband[,nex]",       "1", "M_nn'(G), as aqsntemp of gpp.sigma", tolerance{1e-12});
  // clang-format on

  int64_t npw_ket() const { return g_ket.extent(1); }
  int64_t npw_bra() const { return g_bra.extent(1); }
  int64_t ncouls() const { return g.extent(1); }
  int64_t ntband() const { return ket.extent(1); }
  int64_t nspinor() const { return ket.extent(2); }
  int64_t nex() const { return bra.extent(1); }
  bool is_real() const { return ket.is<real>(); }
  int parts() const { return is_real() ? 1 : 2; }  // numbers of a coefficient

  static int cost(const suite_array* arguments, suite_cost* cost);
  static int generate(const char* size, uint64_t seed, suite_array* arguments, suite_error* error);
};

struct PolesOfScreening : Arguments {
  using Arguments::Arguments;
  using integer = element::integer;
  using real = element::real;
  using complex = element::complex;
  using flavour = element::Either<real, complex>;
  static constexpr const char* name = "gw.screening";
  static constexpr const char* summary = "strengths and plasmon-pole energies of one q from its inverse dielectric matrix";
  static constexpr const char *merit_unit = "pairs", *merit_count = "ncouls*ngpown";

  // clang-format off
  SUITE_ARGUMENT(constant, integer, g,       "3,ncouls", "1", "components of the G vectors");
  SUITE_ARGUMENT(constant, integer, g_rho,   "3,ng",     "1", "components of the G vectors of rho");
  SUITE_ARGUMENT(constant, flavour, rho,     "ng",       "1", "density, electrons in the cell at G = 0; 0 where g_rho has no G-G'");
  SUITE_ARGUMENT(constant, integer, indigp,  "ngpown",   "1", "G index (from 1) of each owned column G'; 0: padding, gets I = 0 and w = 0",
                                                              when_unset("1, 2, ... ngpown"), copied);
  SUITE_ARGUMENT(in,       flavour, epsinv,  "ncouls,ngpown", "1", "eps^-1(G,G') at frequency 0, its wings as Sigma takes them");
  SUITE_ARGUMENT(in,       flavour, epsinv_imaginary, "ncouls,ngpown", "1", "eps^-1 at the frequency i w_i; for model godby_needs",
                                                              when_unset("model is not godby_needs"));
  SUITE_ARGUMENT(in,       real,    w_imaginary, "",      "eV", "w_i; for model godby_needs", when_unset("0"));
  SUITE_ARGUMENT(in,       real,    vcoul,   "ncouls",   "Ry", "v(q+G) divided by nq and the cell volume, as for gpp.sigma");
  SUITE_ARGUMENT(in,       real,    q,       "3",        "1", "q in units of the reciprocal lattice vectors; 0 for q -> 0", copied);
  SUITE_ARGUMENT(in,       real,    bdot,    "3,3",      "bohr^-2", "scalar products of the reciprocal lattice vectors", copied);
  SUITE_ARGUMENT(in,       integer, nq,      "",         "1", "number of q points of the full grid");
  SUITE_ARGUMENT(in,       integer, invalid_gpp_mode, "", "1", "where w^2 < 0: 0 no pole, 1 imaginary w, 2 w = 2 Ry, 3 w = 1e12 eV",
                                                              when_unset("3"));
  SUITE_ARGUMENT(out,      flavour, I_eps_array,  "ncouls,ngpown", "1",  "I(G,G'), 0 below 1e-6", tolerance{1e-13});
  SUITE_ARGUMENT(out,      complex, wtilde_array, "ncouls,ngpown", "eV", "w(G,G'); 0: no pole", tolerance{1e-12});
  // clang-format on

  int64_t ncouls() const { return epsinv.extent(0); }
  int64_t ngpown() const { return epsinv.extent(1); }
  int64_t ng() const { return g_rho.extent(1); }
  bool is_real() const { return epsinv.is<real>(); }
  int parts() const { return is_real() ? 1 : 2; }

  static int cost(const suite_array* arguments, suite_cost* cost);
  static int generate(const char* size, uint64_t seed, suite_array* arguments, suite_error* error);
};

struct Chi : Arguments {
  using Arguments::Arguments;
  using integer = element::integer;
  using real = element::real;
  using complex = element::complex;
  using flavour = element::Either<real, complex>;
  static constexpr const char* name = "gw.chi";
  static constexpr const char* summary = "polarizability of one q, summed over pairs of an occupied and an empty band";
  static constexpr const char *merit_unit = "terms", *merit_count = "ncouls*ngpown*npair*nfreq", *sums_over = "npair,ngpown";

  // clang-format off
  SUITE_ARGUMENT(constant, integer, indigp,  "ngpown",             "1",  "G index (from 1) of each owned column G'; 0: padding, to which nothing is added",
                                                                         when_unset("1, 2, ... ngpown"), copied);
  SUITE_ARGUMENT(in,       flavour, aqs,     "ncouls,npair",       "1",  "M_p(G), as gw.mtxel has it with conjugate = 1");
  SUITE_ARGUMENT(in,       real,    delta,   "npair",              "Ry", "E_c - E_v; pairs whose delta is not positive are left out");
  SUITE_ARGUMENT(in,       real,    weight,  "npair",              "bohr^-3", "(f_v - f_c) 4/(N_k volume nspin nspinor)");
  SUITE_ARGUMENT(in,       complex, z,       "nfreq",              "Ry", "frequencies", when_unset("0, the static limit, with nfreq = 1"));
  SUITE_ARGUMENT(inout,    flavour, chi,     "ncouls,ngpown[,nfreq]", "Ry^-1 bohr^-3", "chi(G,G'), to which the pairs of the call are added", tolerance{1e-12});
  SUITE_ARGUMENT(inout,    real,    chi_imaginary, "ncouls,ngpown[,nfreq]", "Ry^-1 bohr^-3", "its imaginary part where aqs is real",
                                                                         tolerance{1e-12}, when_unset("all z on the axes, or aqs complex"));
  // clang-format on

  int64_t ncouls() const { return aqs.extent(0); }
  int64_t npair() const { return aqs.extent(1); }
  int64_t ngpown() const { return chi.extent(1); }
  int64_t nfreq() const { return chi.extent(2); }
  bool is_real() const { return aqs.is<real>(); }
  int parts() const { return is_real() ? 1 : 2; }

  static int cost(const suite_array* arguments, suite_cost* cost);
  static int generate(const char* size, uint64_t seed, suite_array* arguments, suite_error* error);
};

using kernels = Kernels<Mtxel, PolesOfScreening, Chi>;

inline constexpr double rydberg_eV = 13.60569253;  // BerkeleyGW's
inline constexpr double largest_w = 1e12;          // eV, for the static limit
inline constexpr double smallest = 1e-6;           // of I, of Omega^2 in eV^2, of |z| in eV^2, of cos(arg z)

enum class Model { hybertsen_louie, godby_needs, static_limit };
inline constexpr suite_choice models[] = {
    choice("hybertsen_louie", "w^2 from the density, by the f-sum rule"),
    choice("godby_needs", "w^2 from eps^-1 at a second, imaginary frequency"),
    choice("static", "w = 1e12 eV for every pair: COHSEX"),
};
inline constexpr suite_parameter model_parameter = option("model", 0, models, "where the plasmon-pole energies come from");

}  // namespace suite::gw
