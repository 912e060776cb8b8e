// SPDX-License-Identifier: BSD-3-Clause
// qmc - quantum Monte Carlo in a periodic cell or of molecules, with the kernels that CASINO's developers name as its hot spots
// ("CASINO on GPUs": Ewald interactions, two-body Jastrow terms, closest images, orbitals, determinants; Needs, Towler, Drummond, Lopez
// Rios, Trail, J. Chem. Phys. 152, 154106 (2020)). CASINO's source is not public and was not read: formulas are from papers
// (docs/theory/qmc.md), names are those of its input files and manual.
//
// Hartree atomic units. cell(:,1..3) are the lattice vectors a_1..a_3, b_i the reciprocal ones (a_i.b_j = 2 pi delta_ij), V the
// volume. Every array ends with the walkers; a call serves all of them. netot electrons, the first nele(1) of them with spin up,
// then nele(2) down, at rele(3,netot,nwalker).
//
//   psi = exp(J) D_up D_down,   J = sum_{i>j} u(r_ij) + sum_{i>j} p(r_ij)   (Drummond, Towler, Needs, Phys. Rev. B 70, 235119 (2004))
//
// Ions are at rion(3,nion), the same for all walkers, and add sum_i chi(r_iI) and sum_{i>j} f_I(r_iI, r_jI, r_ij) to J; kernels with ions take an unset cell for open space.
// qmc.sweep and qmc.local_energy are of the electron gas; the kernels with ions serve host codes.
//
// One electron or all: ewald, jastrow_u, jastrow_chi, jastrow_f and jastrow_p answer for every electron where it is (ie and rnew unset, npos =
// netot), or for electron ie (from 1) at npos positions rnew tried for it, the others where they are. Per-electron values of pairs count
// each pair in both electrons, so that J = 1/2 sum_i value_i; value_ie(rnew) - value_ie(rele) is the change by a move.
//
// Sets of parameters by the spins of a pair (CASINO's "Spin dep"): one set for all, two for parallel and antiparallel, three for
// up-up, up-down and down-down.
//
// Random numbers are Philox4x32-10 (Salmon et al., SC11 (2011)) of (seed, stream of the walker, sweep, electron), so that every
// implementation, any number of walkers at a time and any number of processes walk the same walk (philox.hpp).
#pragma once

#include "arguments.hpp"

namespace suite::qmc {

enum class Form { polynomial, bspline };
inline constexpr suite_choice forms[] = {
    choice("polynomial", "(r - L_u)^C sum_l alpha(l+1) r^l for r < L_u, 0 beyond; C = truncation"),
    choice("bspline",
           "uniform cubic B-spline over nalpha - 3 intervals of L_u (interval i, from 0, uses alpha(i+1..i+4)), 0 beyond; "
           "QMCPACK's form with the sign of u reversed"),
};
enum class Move { metropolis, langevin };
inline constexpr suite_choice moves[] = {
    choice("metropolis", "Gaussian step"),
    choice("langevin", "drift and diffusion, accepted with their Green's function, fixed nodes"),
};

// Rows of local_energy's output.
enum class Energy : int { total, kei, ti, fisq, ewald };

#define SUITE_QMC_COST_AND_GENERATE                                \
  static int cost(const suite_array* arguments, suite_cost* cost); \
  static int generate(const char* size, uint64_t seed, suite_array* arguments, suite_error* error)

// clang-format off
// Exact for every cell: by rule for sc, fcc, bcc (Conway, Sloane, IEEE Trans. Inf. Theory 28, 227 (1982)), by the relevant vectors of
// the Wigner-Seitz cell otherwise. Of images equally close, any.
struct ClosestImages : InCell {
  using InCell::InCell;
  static constexpr const char* name = "qmc.closest_images";
  static constexpr const char* summary = "vectors to the closest periodic images, and distances";
  static constexpr const char *merit_unit = "pairs", *merit_count = "nfrom*nto*nwalker";

  SUITE_ARGUMENT(in,  real, rfrom,  "3,nfrom,nwalker",     "bohr", "origins of the vectors");
  SUITE_ARGUMENT(in,  real, rto,    "3,nto,nwalker",       "bohr", "end points of the vectors");
  SUITE_ARGUMENT(out, real, eevecs, "4,nto,nfrom,nwalker", "bohr", "rto - rfrom + R with the lattice vector R that makes it shortest, and its length", tolerance{1e-13});

  int64_t nfrom() const { return rfrom.extent(1); }
  int64_t nto() const { return rto.extent(1); }
  int64_t nwalker() const { return rto.extent(2); }
  SUITE_QMC_COST_AND_GENERATE;
};

// Of images equally close, any.
struct IonDistances : WithIons<OpenOrPeriodic> {
  using WithIons::WithIons;
  static constexpr const char* name = "qmc.ion_distances";
  static constexpr const char* summary = "vectors from the ions to electrons, and distances";
  static constexpr const char *merit_unit = "pairs", *merit_count = "nion*npos*nwalker";

  SUITE_ARGUMENT(in,  real, r,      "3,npos,nwalker",      "bohr", "positions of electrons");
  SUITE_ARGUMENT(out, real, eivecs, "4,nion,npos,nwalker", "bohr", "r - rion, in a cell to the closest image of the ion, and its length", tolerance{1e-13});

  int64_t positions() const { return r.extent(1) * r.extent(2); }  // of all walkers
  SUITE_QMC_COST_AND_GENERATE;
};

// v_E(r) = sum_R erfc(alpha |r-R|)/|r-R| + 4 pi/V sum_{G/=0} exp(-G^2/4 alpha^2)/G^2 cos(G.r) - pi/(alpha^2 V),
// xi     = lim v_E - 1/r                       (Ewald 1921; Fraser et al., Phys. Rev. B 53, 1814 (1996))
// energy_i = sum_{j/=i} q_i q_j v_E(r_ij) + q_i^2 xi,   total = 1/2 sum_i energy_i
// Parameter: variant. At least one of energy, total and field is set; with ie set, total is not. With gvec and rhok, set together, the
// sum over G is over gvec and takes rhok for sum_j q_j exp(i G.r_j), which the caller keeps up to date by qmc.structure_factor:
// O(N) + O(ngvec) for a move of one particle. The variants that go over pairs do not look at them.
struct Ewald : WithEwaldSums<OneOrAll<InCell>> {
  using WithEwaldSums::WithEwaldSums;
  static constexpr const char* name = "qmc.ewald";
  static constexpr const char* summary = "Coulomb energy of charges in a periodic cell with neutralising background";
  static constexpr const char *merit_unit = "pairs", *merit_count = "netot*npos*nwalker";

  SUITE_ARGUMENT(constant, real,    charge, "netot",           "e", "charge of each particle; -1 for electrons", copied);
  SUITE_ARGUMENT(constant, integer, gvec,   "3,ngvec",         "1", "all G = sum_i gvec(i) b_i up to a length, one of each pair +-G, without 0; if ewald_alpha is "
                 "unset, it is chosen to suit this length; fastest if sorted by gvec(1), gvec(2), gvec(3)", copied, when_unset("all that the tolerance requires"));
  SUITE_ARGUMENT(in,       complex, rhok,   "ngvec,1,nwalker", "1", "sum_j charge(j) exp(i G.r_j) of rele, from qmc.structure_factor; set with gvec",
                 when_unset("computed"));
  SUITE_ARGUMENT(out, real, energy, "npos,nwalker",   "Ha",          "energy_i",           tolerance{2e-11}, when_unset("not computed"));
  SUITE_ARGUMENT(out, real, total,  "nwalker",        "Ha",          "energy of the cell", tolerance{2e-11}, when_unset("not computed"));
  SUITE_ARGUMENT(out, real, field,  "3,npos,nwalker", "Ha/(e bohr)", "electric field of the others at each particle, -grad sum_{j/=i} q_j v_E",
                 tolerance{2e-11}, when_unset("not computed"));

  SUITE_QMC_COST_AND_GENERATE;
};

// Parameter: form. Derivatives by the parameters take each alpha(l,set) as free; the cusp ties alpha_1 to alpha_0 (jastrow.hpp), which
// is the caller's to apply.
struct JastrowU : WithU<OneOrAll<Spins>, must_be_set> {
  using WithU::WithU;
  static constexpr const char* name = "qmc.jastrow_u";
  static constexpr const char* summary = "the u term of the Jastrow factor with derivatives";
  static constexpr const char *merit_unit = "pairs", *merit_count = "netot*npos*nwalker";

  SUITE_ARGUMENT(out, real, value,      "npos,nwalker",                 "1",            "sum_{j/=i} u(r_ij)",    tolerance{1e-12});
  SUITE_ARGUMENT(out, real, gradient,   "3,npos,nwalker",               "bohr^-1",      "grad_i of value",       tolerance{1e-12}, when_unset("not computed"));
  SUITE_ARGUMENT(out, real, laplacian,  "npos,nwalker",                 "bohr^-2",      "lap_i of value",        tolerance{1e-12}, when_unset("not computed"));
  SUITE_ARGUMENT(out, real, dvalue,     "nalpha,nset_u,npos,nwalker",   "bohr^(C+l)",   "d value / d alpha",     tolerance{1e-12}, when_unset("not computed"));
  SUITE_ARGUMENT(out, real, dgradient,  "3,nalpha,nset_u,npos,nwalker", "bohr^(C+l-1)", "d gradient / d alpha",  tolerance{1e-12}, when_unset("not computed"));
  SUITE_ARGUMENT(out, real, dlaplacian, "nalpha,nset_u,npos,nwalker",   "bohr^(C+l-2)", "d laplacian / d alpha", tolerance{1e-12}, when_unset("not computed"));

  int64_t npos() const { return value.extent(0); }
  SUITE_QMC_COST_AND_GENERATE;
};

// chi(r) = (r - L_chi)^C sum_l beta(l+1) r^l for r < L_chi, 0 beyond, of the set of the ion and the spin of the electron (Drummond,
// Towler, Needs, Phys. Rev. B 70, 235119 (2004)); J = sum_i value_i. With `slope`, chi'(0) of each set, beta(2) is not looked at: it is
// slope/(-L)^C + C beta(1)/L. -Z imposes the cusp at a bare nucleus, 0 leaves it to the orbitals or the pseudopotential. Derivatives by
// the parameters take each beta(l) as free. At an ion itself the gradient is 0 and the Laplacian 3 chi''(0): with a cusp they are the mean
// over directions and the part without 2 chi'(0)/r, which has no limit.
struct JastrowChi : OneOrAll<WithIons<OpenOrPeriodic>> {
  using OneOrAll::OneOrAll;
  static constexpr const char* name = "qmc.jastrow_chi";
  static constexpr const char* summary = "the chi term (electrons and ions) of the Jastrow factor with derivatives";
  static constexpr const char *merit_unit = "pairs", *merit_count = "nion*npos*nwalker";

  SUITE_ARGUMENT(constant, integer, nele,       "2",                "1",           "numbers of electrons with spin up and down", copied);
  SUITE_ARGUMENT(constant, integer, set_of_ion, "nion",             "1",           "the set of parameters of each ion, from 1; 0: it has none", copied);
  SUITE_ARGUMENT(constant, real,    beta,       "nbeta,nspin,nset", "bohr^(-C-l)", "coefficients of chi; nspin 1: the same for both spins, 2: up, down", copied);
  SUITE_ARGUMENT(constant, real,    L_chi,      "nset",             "bohr",        "cutoffs of chi; in a cell at most the inscribed radius of the Wigner-Seitz cell", copied);
  SUITE_ARGUMENT(constant, real,    slope,      "nset",             "bohr^-1",     "chi'(0)", copied, when_unset("as beta(2) gives it"));
  SUITE_ARGUMENT(constant, integer, truncation, "",                 "1",           "C, 2 or 3", when_unset("3"));

  SUITE_ARGUMENT(out, real, value,      "npos,nwalker",                    "1",            "sum_I chi(r_iI)",      tolerance{1e-12});
  SUITE_ARGUMENT(out, real, gradient,   "3,npos,nwalker",                  "bohr^-1",      "grad_i of value",      tolerance{1e-12}, when_unset("not computed"));
  SUITE_ARGUMENT(out, real, laplacian,  "npos,nwalker",                    "bohr^-2",      "lap_i of value",       tolerance{1e-12}, when_unset("not computed"));
  SUITE_ARGUMENT(out, real, dvalue,     "nbeta,nspin,nset,npos,nwalker",   "bohr^(C+l)",   "d value / d beta",     tolerance{1e-12}, when_unset("not computed"));
  SUITE_ARGUMENT(out, real, dgradient,  "3,nbeta,nspin,nset,npos,nwalker", "bohr^(C+l-1)", "d gradient / d beta",  tolerance{1e-12}, when_unset("not computed"));
  SUITE_ARGUMENT(out, real, dlaplacian, "nbeta,nspin,nset,npos,nwalker",   "bohr^(C+l-2)", "d laplacian / d beta", tolerance{1e-12}, when_unset("not computed"));

  int64_t npos() const { return value.extent(0); }
  SUITE_QMC_COST_AND_GENERATE;
};

// f_I(r_i, r_j, r_ij) = (r_i - L_f)^C (r_j - L_f)^C sum_lmn gamma(l+1,m+1,n+1) r_i^l r_j^m r_ij^n where both r_i and r_j, the distances from
// ion I, are below L_f, else 0; gamma of the set of the ion and the spins of the pair (Drummond, Towler, Needs, Phys. Rev. B 70, 235119
// (2004)). Which gamma leave no cusp is for the caller to see to. Derivatives by the parameters take each gamma(l,m,n,..) as free. Where
// two particles coincide, a slope over their distance is the second derivative, and a direction is 0.
struct JastrowF : OneOrAll<WithIons<OpenOrPeriodic>> {
  using OneOrAll::OneOrAll;
  static constexpr const char* name = "qmc.jastrow_f";
  static constexpr const char* summary = "the f term (pairs of electrons at an ion) of the Jastrow factor with derivatives";
  static constexpr const char *merit_unit = "terms", *merit_count = "nion*netot*npos*nwalker";

  SUITE_ARGUMENT(constant, integer, nele,       "2",                            "1",               "numbers of electrons with spin up and down", copied);
  SUITE_ARGUMENT(constant, integer, set_of_ion, "nion",                         "1",               "the set of parameters of each ion, from 1; 0: it has none", copied);
  SUITE_ARGUMENT(constant, real,    gamma,      "nf_en,nf_en,nf_ee,nset_f,nset", "bohr^(-2C-l-m-n)", "coefficients of f, symmetric in l and m; nset_f: by the spins of the pair", copied);
  SUITE_ARGUMENT(constant, real,    L_f,        "nset",                         "bohr",            "cutoffs of f; in a cell at most half the inscribed radius of the Wigner-Seitz cell, so that the pairs at an ion are closest images", copied);
  SUITE_ARGUMENT(constant, integer, truncation, "",                             "1",               "C, 2 or 3", when_unset("3"));

  SUITE_ARGUMENT(out, real, value,      "npos,nwalker",          "1",                  "sum_{j/=i} sum_I f_I",              tolerance{1e-12});
  SUITE_ARGUMENT(out, real, gradient,   "3,npos,nwalker",        "bohr^-1",            "grad_i of value",                   tolerance{1e-12}, when_unset("not computed"));
  SUITE_ARGUMENT(out, real, laplacian,  "npos,nwalker",          "bohr^-2",            "lap_i of value",                    tolerance{1e-12}, when_unset("not computed"));
  SUITE_ARGUMENT(out, real, dvalue,     "nf_all,npos,nwalker",   "bohr^(2C+l+m+n)",    "d value / d gamma, in its order",     tolerance{1e-12}, when_unset("not computed"));
  SUITE_ARGUMENT(out, real, dgradient,  "3,nf_all,npos,nwalker", "bohr^(2C+l+m+n-1)",  "d gradient / d gamma",              tolerance{1e-12}, when_unset("not computed"));
  SUITE_ARGUMENT(out, real, dlaplacian, "nf_all,npos,nwalker",   "bohr^(2C+l+m+n-2)",  "d laplacian / d gamma",             tolerance{1e-12}, when_unset("not computed"));

  int64_t npos() const { return value.extent(0); }
  SUITE_QMC_COST_AND_GENERATE;
};

// Parameter: variant. With rho_G = sum_j exp(i G.r_j) the sum over pairs is 1/2 sum_G a (|rho_G|^2 - N).
struct JastrowP : WithP<OneOrAll<Spins>, must_be_set> {
  using WithP::WithP;
  static constexpr const char* name = "qmc.jastrow_p";
  static constexpr const char* summary = "the p (plane-wave) term of the Jastrow factor with derivatives";
  static constexpr const char *merit_unit = "waves", *merit_count = "ngvec*npos*nwalker";

  SUITE_ARGUMENT(in,  complex, rhok,    "ngvec,2,nwalker",             "1",       "sum_j exp(i G.r_j) of rele by spin, from qmc.structure_factor",
                 when_unset("computed"));
  SUITE_ARGUMENT(out, real, value,      "npos,nwalker",                "1",       "sum_{j/=i} p(r_ij)", tolerance{1e-12});
  SUITE_ARGUMENT(out, real, gradient,   "3,npos,nwalker",              "bohr^-1", "grad_i of value",    tolerance{1e-12}, when_unset("not computed"));
  SUITE_ARGUMENT(out, real, laplacian,  "npos,nwalker",                "bohr^-2", "lap_i of value",     tolerance{1e-12}, when_unset("not computed"));
  SUITE_ARGUMENT(out, real, dvalue,     "nstar,nset_p,npos,nwalker",   "1",       "d value / d a",      tolerance{1e-12}, when_unset("not computed"));
  SUITE_ARGUMENT(out, real, dgradient,  "3,nstar,nset_p,npos,nwalker", "bohr^-1", "d gradient / d a",   tolerance{1e-12}, when_unset("not computed"));
  SUITE_ARGUMENT(out, real, dlaplacian, "nstar,nset_p,npos,nwalker",   "bohr^-2", "d laplacian / d a",  tolerance{1e-12}, when_unset("not computed"));

  int64_t npos() const { return value.extent(0); }
  SUITE_QMC_COST_AND_GENERATE;
};

// With ie and rnew unset: of all electrons. With them set (npos = 1): rhok changes by exp(i G.rnew) - exp(i G.r_ie) for the walkers
// whose accept is not 0; call it before rele is changed. nchannel is 2, spin up and down, or 1, all together, each with its charge
// where that is set.
struct StructureFactor : WithG<OneOrAll<Spins>, must_be_set> {
  using WithG::WithG;
  static constexpr const char* name = "qmc.structure_factor";
  static constexpr const char* summary = "sum_j exp(i G.r_j) by spin or weighted by charge, from scratch or after a move of one electron";
  static constexpr const char *merit_unit = "structure factors", *merit_count = "ngvec*nchannel*nwalker";

  SUITE_ARGUMENT(in,       integer, accept, "nwalker",                "1", "0: the move was rejected", when_unset("all moved"));
  SUITE_ARGUMENT(constant, real,    charge, "netot",                  "e", "weight of each electron", copied, when_unset("1"));
  SUITE_ARGUMENT(inout,    complex, rhok,   "ngvec,nchannel,nwalker", "1", "structure factors of spin up and down, or of all", tolerance{1e-12});

  int64_t nchannel() const { return rhok.extent(1); }
  SUITE_QMC_COST_AND_GENERATE;
};

// phi_1 = 1, phi_2m = cos(k_m.r), phi_2m+1 = sin(k_m.r); norb <= 1 + 2 nkvec.
struct OrbitalsFree : Orbitals<WithWaves<InCell>> {
  using Orbitals::Orbitals;
  static constexpr const char* name = "qmc.orbitals_free";
  static constexpr const char* summary = "real plane waves 1, cos k.r, sin k.r with derivatives";
  static constexpr const char *merit_unit = "orbital values", *merit_count = "norb*npos*nwalker";
  SUITE_QMC_COST_AND_GENERATE;
};

// psi(r) = sum_ijk c(:,k,j,i) T(Nx s_1 - i) T(Ny s_2 - j) T(Nz s_3 - k),   r = sum_d s_d a_d, periodic, with
// T(t) = 1 - 3/2 t^2 + 3/4 |t|^3 (|t| <= 1), (2 - |t|)^3/4 (|t| <= 2)      (Alfe, Gillan, Phys. Rev. B 70, 161101 (2004))
// Tables in single precision are summed in double.
struct OrbitalsBlip : Orbitals<InCell> {
  using Orbitals::Orbitals;
  static constexpr const char* name = "qmc.orbitals_blip";
  static constexpr const char* summary = "orbitals as tricubic B-splines (blips) on a grid of the cell";
  static constexpr const char *merit_unit = "orbital values", *merit_count = "norb*npos*nwalker";

  SUITE_ARGUMENT(constant, precision, c, "norb,Nz,Ny,Nx", "1", "coefficients, orbital fastest; Nx, Ny, Nz at least 4");
  SUITE_QMC_COST_AND_GENERATE;
};

// psi_a(r) = sum_s sum_m mo(a) R_s(|r - R_I|) S_lm(r - R_I),   R_s(d) = sum_k coefficient(k) exp(-exponent(k) d^2)
// S_lm = sqrt(4 pi/(2l+1)) d^l Y_lm, real; the functions of a shell come in the order m = 0, 1, -1, 2, -2, ..: z, x, y for l = 1, then
// (3z^2-d^2)/2, sqrt(3) xz, sqrt(3) yz, sqrt(3)/2 (x^2-y^2), sqrt(3) xy. That is the order of TREXIO files; of what they hold,
// coefficient is basis.shell_factor basis.coefficient basis.prim_factor, and mo is mo.coefficient times ao.normalization. At an ion
// all are the limits. Beyond shell_cutoff a shell and its derivatives are 0.
struct OrbitalsGaussian : WithShells<Orbitals<WithIons<Arguments>>> {
  using WithShells::WithShells;
  static constexpr const char* name = "qmc.orbitals_gaussian";
  static constexpr const char* summary = "molecular orbitals of contracted Gaussian shells, s to g";
  static constexpr const char *merit_unit = "orbital values", *merit_count = "norb*npos*nwalker";

  SUITE_ARGUMENT(constant, real,    exponent,     "nprim",    "bohr^-2",       "exponents of the primitives, shell by shell");
  SUITE_ARGUMENT(constant, real,    coefficient,  "nprim",    "bohr^(-3/2-l)", "coefficients of the primitives with all norms");
  SUITE_ARGUMENT(constant, real,    shell_cutoff, "nshell",   "bohr",          "distance beyond which a shell counts as 0", copied, when_unset("where it is below 1e-16 of its size"));
  SUITE_ARGUMENT(constant, real,    mo,           "nao,norb", "1",             "orbitals by the functions of all shells");

  int64_t nao() const { return mo.extent(0); }
  int64_t nprim() const { return exponent.extent(0); }
  SUITE_QMC_COST_AND_GENERATE;
};

// As qmc.orbitals_gaussian with   R_s(d) = sum_k coefficient(k) d^power(k) exp(-exponent(k) d)
// power counts beyond the d^l of S_lm: it is n - 1 - l of a Slater-type orbital of principal quantum number n, basis.r_power of TREXIO
// files and the "order of radial prefactor" of CASINO's stowfn.data. Near an ion gradients and Laplacians go as the functions do: those
// of s shells with power 0 have a cusp, and a Laplacian of -2 exponent/d. At the ion itself terms with negative powers of d are left out
// and gradients are means over directions: there an s shell with power 0, 1, 2 has the gradient 0 and the Laplacian exponent^2,
// -4 exponent, 6 times its coefficient.
struct OrbitalsSlater : WithShells<Orbitals<WithIons<Arguments>>> {
  using WithShells::WithShells;
  static constexpr const char* name = "qmc.orbitals_slater";
  static constexpr const char* summary = "molecular orbitals of contracted Slater shells, s to g";
  static constexpr const char *merit_unit = "orbital values", *merit_count = "norb*npos*nwalker";

  SUITE_ARGUMENT(constant, integer, power,        "nprim",    "1",                   "power of the distance of each primitive beyond l, 0 to 8", copied);
  SUITE_ARGUMENT(constant, real,    exponent,     "nprim",    "bohr^-1",             "exponents of the primitives, shell by shell");
  SUITE_ARGUMENT(constant, real,    coefficient,  "nprim",    "bohr^(-3/2-l-power)", "coefficients of the primitives with all norms");
  SUITE_ARGUMENT(constant, real,    shell_cutoff, "nshell",   "bohr",                "distance beyond which a shell counts as 0", copied, when_unset("where it is below 1e-16 of its size"));
  SUITE_ARGUMENT(constant, real,    mo,           "nao,norb", "1",                   "orbitals by the functions of all shells");

  int64_t nao() const { return mo.extent(0); }
  int64_t nprim() const { return exponent.extent(0); }
  SUITE_QMC_COST_AND_GENERATE;
};

// Semi-local pseudopotentials by quadrature over spheres (Mitas, Shirley, Ceperley, J. Chem. Phys. 95, 3467 (1991)). With d the vector
// from ion I to an electron closer than the cutoff of the ion's set, r = |d|, and directions n_q with weights w_q:
//   point_q = rele - d + r n_q,   weight_q = w_q sum_l (2l+1) v_l(r) P_l(d.n_q/r),   energy_i = sum_{I,q} weight_q ratio_q
//   v_l(r) = sum_t coefficient(t) r^power(t) exp(-exponent(t) r^2), over the terms t of the set and l
// ratio_q = psi(point_q)/psi(rele), one electron moved, is the host's, so a host calls twice with the same arguments: first without
// ratio, for the points; then with it, for the energy. That is one kernel, not two, because the second call makes the weights again from
// the positions, faster than it would read them back, and needs nothing that the host could have changed between. The points of a walker
// lie together: they are the r or rnew of the kernels of orbitals and the Jastrow factor. A T-move (Casula, Phys. Rev. B 74, 161102
// (2006)) takes the electron to a point of negative term with a probability in proportion to it.
//
// Rules of npoint = 6, 12, 18, 26, 50 points are exact to degree 3, 5, 5, 7, 11 (McLaren, Math. Comp. 17, 361 (1963); Lebedev), for
// every electron and ion turned by a rotation drawn uniformly from the walker's stream: each of them is then right in the mean.
// mpair is the number of ions that the arrays have room for: a call is refused where an electron is within the cutoffs of more. At an
// ion itself (d = 0) terms of negative power are left out, and d/r is taken along z.
struct Pseudopotential : WithIons<OpenOrPeriodic> {
  using WithIons::WithIons;
  static constexpr const char* name = "qmc.pseudopotential";
  static constexpr const char* summary = "semi-local pseudopotentials by quadrature: points, weights, energies and the terms of T-moves";
  static constexpr const char *merit_unit = "points", *merit_count = "npoint*mpair*nelectron*nwalker";

  SUITE_ARGUMENT(constant, integer, set_of_ion,  "nion",  "1",               "the potential of each ion, from 1; 0: it has none", copied);
  SUITE_ARGUMENT(constant, real,    cutoff,      "nset",  "bohr",            "distance from which on all v_l of a set are 0; in a cell at most the inscribed radius of the Wigner-Seitz cell", copied);
  SUITE_ARGUMENT(constant, integer, term_set,    "nterm", "1",               "the set of each term, from 1", copied);
  SUITE_ARGUMENT(constant, integer, term_l,      "nterm", "1",               "its l, 0 to 4", copied);
  SUITE_ARGUMENT(constant, integer, power,       "nterm", "1",               "its power of r, -2 to 8", copied);
  SUITE_ARGUMENT(constant, real,    exponent,    "nterm", "bohr^-2",         "its exponent", copied);
  SUITE_ARGUMENT(constant, real,    coefficient, "nterm", "Ha bohr^(-power)", "its coefficient", copied);

  SUITE_ARGUMENT(in, real,         rele,   "3,netot,nwalker",                "bohr", "positions");
  SUITE_ARGUMENT(in, integer,      ie,     "",                               "1",    "the electron asked for, from 1; nelectron is then 1", when_unset("all electrons; nelectron = netot"));
  SUITE_ARGUMENT(in, long_integer, seed,   "",                               "1",    "seed of the random numbers; set together with sweep and stream", when_unset("the rule is not turned"));
  SUITE_ARGUMENT(in, long_integer, sweep,  "",                               "1",    "number of the sweep in its walk, from 0", when_unset("the rule is not turned"));
  SUITE_ARGUMENT(in, long_integer, stream, "nwalker",                        "1",    "number of each walker's random-number stream, from 0", when_unset("the rule is not turned"));
  SUITE_ARGUMENT(in, real,         ratio,  "npoint,mpair,nelectron,nwalker", "1",    "psi(points)/psi(rele); not looked at where ion is 0", when_unset("no energies yet"));

  SUITE_ARGUMENT(out, real,    weight,   "npoint,mpair,nelectron,nwalker",   "Ha",   "weight_q; 0 where ion is 0", tolerance{1e-12});
  SUITE_ARGUMENT(out, real,    points,   "3,npoint,mpair,nelectron,nwalker", "bohr", "the points; where ion is 0 the electron's position", tolerance{1e-13}, when_unset("not computed"));
  SUITE_ARGUMENT(out, integer, ion,      "mpair,nelectron,nwalker",          "1",    "ions within whose cutoff the electron is, ascending from 1, then 0", when_unset("not computed"));
  SUITE_ARGUMENT(out, real,    energy,   "nelectron,nwalker",                "Ha",   "energy_i; needs ratio", tolerance{1e-12}, when_unset("not computed"));
  SUITE_ARGUMENT(out, real,    negative, "npoint,mpair,nelectron,nwalker",   "Ha",   "weight ratio where that is below 0, else 0; needs ratio", tolerance{1e-12}, when_unset("not computed"));

  int64_t netot() const { return rele.extent(1); }
  int64_t nwalker() const { return weight.extent(3); }
  int64_t nelectron() const { return weight.extent(2); }
  int64_t npoint() const { return weight.extent(0); }
  int64_t mpair() const { return weight.extent(1); }
  int64_t nset() const { return cutoff.extent(0); }
  int64_t nterm() const { return exponent.extent(0); }
  SUITE_QMC_COST_AND_GENERATE;
};

// Delayed updates (McDaniel et al., J. Chem. Phys. 147, 174107 (2017)): a window of moves accepted since dbar was last brought up to
// date, at most kmax, no electron twice. All four of its arrays are set, or none.

// Electron ie of this spin at npos positions, or (ie unset, npos = n) every electron at its own.
struct SlaterRatio : Arguments {
  using Arguments::Arguments;
  static constexpr const char* name = "qmc.slater_ratio";
  static constexpr const char* summary = "ratio of determinants, drift and Laplacian for moved electrons";
  static constexpr const char *merit_unit = "ratios", *merit_count = "npos*nwalker";

  SUITE_ARGUMENT(in,  real,    dbar,             "n,n,nwalker",       "1",       "inverse Slater matrix, one column per electron");
  SUITE_ARGUMENT(in,  integer, ie,               "",                  "1",       "number of the moving electron within its spin, from 1",
                 when_unset("position i belongs to electron i"));
  SUITE_ARGUMENT(in,  real,    phi,              "n,npos,nwalker",    "1",       "orbitals at the positions");
  SUITE_ARGUMENT(in,  real,    dphi,             "n,3,npos,nwalker",  "bohr^-1", "their gradients",  when_unset("no drift"));
  SUITE_ARGUMENT(in,  real,    d2phi,            "n,npos,nwalker",    "bohr^-2", "their Laplacians", when_unset("no Laplacian"));
  SUITE_ARGUMENT(in,  real,    delayed_phi,      "n,kmax,nwalker",    "1",       "new columns phi(r_j) of the delayed moves", when_unset("no delayed moves"));
  SUITE_ARGUMENT(in,  real,    delayed_dbar,     "n,kmax,nwalker",    "1",       "columns of dbar for the moved electrons", when_unset("no delayed moves"));
  SUITE_ARGUMENT(in,  real,    delayed_binv,     "kmax,kmax,nwalker", "1",       "inverse of B(l,m) = sum_a delayed_dbar(a,l) delayed_phi(a,m)",
                 when_unset("no delayed moves"));
  SUITE_ARGUMENT(in,  integer, delayed_electron, "kmax+1,nwalker",    "1",       "number of delayed moves, then their electrons in order, padded with 0",
                 when_unset("no delayed moves"));
  SUITE_ARGUMENT(out, real,    ratio,            "npos,nwalker",      "1",       "D(new)/D", tolerance{1e-11});
  SUITE_ARGUMENT(out, real,    drift,            "3,npos,nwalker",    "bohr^-1", "grad D/D at the position; needs dphi",
                 tolerance{1e-11}, when_unset("not computed"));
  SUITE_ARGUMENT(out, real,    laplacian,        "npos,nwalker",      "bohr^-2", "lap D/D at the position; needs d2phi",
                 tolerance{1e-11}, when_unset("not computed"));

  int64_t n() const { return dbar.extent(0); }
  int64_t npos() const { return phi.extent(1); }
  int64_t nwalker() const { return dbar.extent(2); }
  int64_t kmax() const { return delayed_phi.extent(1); }
  SUITE_QMC_COST_AND_GENERATE;
};

// nupdate moves, one after the other: electron ie(m,w), from 1, gets the column phi(:,m,w); 0: no move. With the delayed arrays the
// moves join those that wait, and dbar is brought up to date when kmax wait, an electron comes again, or ie and phi are unset; the four
// arrays are 0 from then on. Without, dbar is up to date at the end. Parameter: variant. A ratio of 0 is refused, naming walker and
// move; that walker is then undefined.
struct SlaterUpdate : Arguments {
  using Arguments::Arguments;
  static constexpr const char* name = "qmc.slater_update";
  static constexpr const char* summary = "update of inverse Slater matrices after accepted moves, immediate or delayed";
  static constexpr const char *merit_unit = "moves", *merit_count = "nupdate*nwalker";

  SUITE_ARGUMENT(inout, real,    dbar,             "n,n,nwalker",       "1", "inverse Slater matrix, one column per electron", tolerance{1e-10});
  SUITE_ARGUMENT(in,    integer, ie,               "nupdate,nwalker",   "1", "electrons moved; 0: no move", when_unset("no moves; dbar is brought up to date"));
  SUITE_ARGUMENT(in,    real,    phi,              "n,nupdate,nwalker", "1", "new columns of the moved electrons", when_unset("no moves; dbar is brought up to date"));
  SUITE_ARGUMENT(inout, real,    delayed_phi,      "n,kmax,nwalker",    "1", "new columns phi(r_j) of the delayed moves",
                 tolerance{1e-10}, when_unset("no delayed moves"));
  SUITE_ARGUMENT(inout, real,    delayed_dbar,     "n,kmax,nwalker",    "1", "columns of dbar for the moved electrons",
                 tolerance{1e-10}, when_unset("no delayed moves"));
  SUITE_ARGUMENT(inout, real,    delayed_binv,     "kmax,kmax,nwalker", "1", "inverse of B(l,m) = sum_a delayed_dbar(a,l) delayed_phi(a,m)",
                 tolerance{1e-9}, when_unset("no delayed moves"));
  SUITE_ARGUMENT(inout, integer, delayed_electron, "kmax+1,nwalker",    "1", "number of delayed moves, then their electrons in order, padded with 0",
                 when_unset("no delayed moves"));
  SUITE_ARGUMENT(out,   real,    ratio,            "nupdate,nwalker",   "1", "ratio of determinants of each move, 1 for no move",
                 tolerance{1e-10}, when_unset("not computed"));

  int64_t n() const { return dbar.extent(0); }
  int64_t nupdate() const { return ie ? ie.extent(0) : 0; }
  int64_t nwalker() const { return dbar.extent(2); }
  int64_t kmax() const { return delayed_phi.extent(1); }
  SUITE_QMC_COST_AND_GENERATE;
};

// A singular matrix is refused, naming the walker.
struct SlaterInvert : Arguments {
  using Arguments::Arguments;
  static constexpr const char* name = "qmc.slater_invert";
  static constexpr const char* summary = "inverse Slater matrices from scratch, with sign and logarithm of the determinants";
  static constexpr const char *merit_unit = "matrices", *merit_count = "nwalker";

  SUITE_ARGUMENT(in,  real, phi,    "n,n,nwalker", "1", "D(a,j) = phi_a(r_j)");
  SUITE_ARGUMENT(out, real, dbar,   "n,n,nwalker", "1", "sum_a dbar(a,i) D(a,j) = delta_ij", tolerance{1e-9});
  SUITE_ARGUMENT(out, real, logdet, "nwalker",     "1", "ln |det D|",    tolerance{1e-11}, when_unset("not computed"));
  SUITE_ARGUMENT(out, real, sign,   "nwalker",     "1", "sign of det D", when_unset("not computed"));

  int64_t n() const { return phi.extent(0); }
  int64_t nwalker() const { return phi.extent(2); }
  SUITE_QMC_COST_AND_GENERATE;
};

// The constants of the trial wavefunction: electrons of spin s fill the first nele(s) real plane waves of qmc.orbitals_free. The
// inverses of the Slater matrices D(a,j) = phi_a(r_j) go with the positions: sum_a dbar(a,i) D(a,j) = delta_ij.
using Wavefunction = WithP<WithU<WithWaves<Spins>, no_u>, no_p>;

// Parameters: form, move, delay (a knob). For electron i from 1 to netot, n-th sweep of the walk (docs/theory/qmc.md):
//   metropolis: r' = r + sqrt(tau) g,          accepted if u < (psi'/psi)^2
//   langevin:   r' = r + tau v + sqrt(tau) g,  refused where psi'/psi <= 0, else accepted if u < (psi'/psi)^2 G(r,r')/G(r',r)
// with v = (-1 + sqrt(1 + 2 a w tau))/(a w tau) grad ln|psi|, w the square of grad ln|psi|, a = alimit (Umrigar, Nightingale, Runge,
// J. Chem. Phys. 99, 2865 (1993)). The positions come back in the cell (fractions from 0 to 1).
struct Sweep : Wavefunction {
  using Wavefunction::Wavefunction;
  static constexpr const char* name = "qmc.sweep";
  static constexpr const char* summary = "nsweep sweeps over all electrons of every walker, one electron at a time";
  static constexpr const char *merit_unit = "electron moves", *merit_count = "nsweep*netot*nwalker";

  SUITE_ARGUMENT(inout, real,         rele,        "3,netot,nwalker", "bohr",    "positions, spin up first", tolerance{1e-9});
  SUITE_ARGUMENT(inout, real,         dbar_up,     "nup,nup,nwalker", "1",       "inverse Slater matrix of spin up",
                 tolerance{1e-7}, when_unset("nele(1) = 0"));
  SUITE_ARGUMENT(inout, real,         dbar_dn,     "ndn,ndn,nwalker", "1",       "inverse Slater matrix of spin down",
                 tolerance{1e-7}, when_unset("nele(2) = 0"));
  SUITE_ARGUMENT(in,    real,         tau,         "",                "hbar/Ha", "time step: variance of the diffusion in each direction");
  SUITE_ARGUMENT(in,    real,         alimit,      "",                "1",       "a of the drift limit", when_unset("0.5"));
  SUITE_ARGUMENT(in,    integer,      nsweep,      "",                "1",       "number of sweeps in this call", when_unset("1"));
  SUITE_ARGUMENT(in,    long_integer, first_sweep, "",                "1",       "number of the first sweep in its walk, from 0");
  SUITE_ARGUMENT(in,    long_integer, seed,        "",                "1",       "seed of the random numbers");
  SUITE_ARGUMENT(in,    long_integer, stream,      "nwalker",         "1",       "number of each walker's random-number stream, from 0");
  SUITE_ARGUMENT(out,   integer,      accepted,    "nwalker",         "1",       "number of accepted moves");
  SUITE_ARGUMENT(out,   real,         diffusion,   "2,nwalker",       "bohr^2",
                 "sums of tau g^2 over accepted and over all moves, for the effective time step",
                 tolerance{1e-11}, when_unset("not computed"));
  SUITE_ARGUMENT(inout, real,         logpsi,      "nwalker",         "1",       "incremented by ln |psi'/psi|", tolerance{1e-9}, when_unset("not computed"));

  int64_t nwalker() const { return rele.extent(2); }
  SUITE_QMC_COST_AND_GENERATE;
};

// Parameter: form. KEI = -1/2 sum_i lap_i psi/psi, TI = -1/4 sum_i lap_i ln|psi|, FISQ = 1/2 sum_i |grad_i ln psi|^2,
// KEI = 2 TI - FISQ; ewald is qmc.ewald's total of charges -1.
struct LocalEnergy : WithEwaldSums<Wavefunction> {
  using WithEwaldSums::WithEwaldSums;
  static constexpr const char* name = "qmc.local_energy";
  static constexpr const char* summary = "local energies of the electron gas and their parts";
  static constexpr const char *merit_unit = "local energies", *merit_count = "nwalker";

  SUITE_ARGUMENT(in,  real, rele,     "3,netot,nwalker", "bohr",    "positions, spin up first");
  SUITE_ARGUMENT(in,  real, dbar_up,  "nup,nup,nwalker", "1",       "inverse Slater matrix of spin up", when_unset("nele(1) = 0"));
  SUITE_ARGUMENT(in,  real, dbar_dn,  "ndn,ndn,nwalker", "1",       "inverse Slater matrix of spin down", when_unset("nele(2) = 0"));
  SUITE_ARGUMENT(out, real, energy,   "5,nwalker",       "Ha",      "KEI + ewald, KEI, TI, FISQ, ewald", tolerance{2e-11});
  SUITE_ARGUMENT(out, real, velocity, "3,netot,nwalker", "bohr^-1", "grad_i ln|psi|", tolerance{1e-11}, when_unset("not computed"));
  SUITE_ARGUMENT(out, real, jastrow,  "nwalker",         "1",       "J", tolerance{1e-12}, when_unset("not computed"));

  int64_t netot() const { return rele.extent(1); }
  int64_t nwalker() const { return rele.extent(2); }
  SUITE_QMC_COST_AND_GENERATE;
};

// Slot w of the first nwalker gets what slot from(w) has. A slot that is copied from keeps what it has, so that it does not matter in
// which order the copies are made: from(from(w)) = from(w) where from(w) <= nwalker; anything else is refused.
struct Branch : Arguments {
  using Arguments::Arguments;
  static constexpr const char* name = "qmc.branch";
  static constexpr const char* summary = "copies walkers to other slots after branching";
  static constexpr const char *merit_unit = "walkers", *merit_count = "nwalker";

  SUITE_ARGUMENT(in,    integer, from,    "nwalker",       "1",    "slots to copy from, from 1");
  SUITE_ARGUMENT(inout, real,    rele,    "3,netot,nslot", "bohr", "positions", tolerance{1e-15});
  SUITE_ARGUMENT(inout, real,    dbar_up, "nup,nup,nslot", "1",    "inverse Slater matrices, spin up", tolerance{1e-15}, when_unset("not copied"));
  SUITE_ARGUMENT(inout, real,    dbar_dn, "ndn,ndn,nslot", "1",    "inverse Slater matrices, spin down", tolerance{1e-15}, when_unset("not copied"));
  SUITE_ARGUMENT(inout, real,    carry,   "ncarry,nslot",  "1",    "further values copied with each walker", tolerance{1e-15}, when_unset("not copied"));

  int64_t nwalker() const { return from.extent(0); }
  int64_t nslot() const { return rele.extent(2); }
  SUITE_QMC_COST_AND_GENERATE;
};
// clang-format on

#undef SUITE_QMC_COST_AND_GENERATE

using kernels =
    Kernels<ClosestImages, IonDistances, Ewald, JastrowU, JastrowChi, JastrowF, JastrowP, StructureFactor, OrbitalsFree, OrbitalsBlip,
            OrbitalsGaussian, OrbitalsSlater, Pseudopotential, SlaterRatio, SlaterUpdate, SlaterInvert, Sweep, LocalEnergy, Branch>;

}  // namespace suite::qmc
