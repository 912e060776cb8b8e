// SPDX-License-Identifier: BSD-3-Clause
// qmc - quantum Monte Carlo in a periodic cell, with the kernels that CASINO's developers name as its hot
// spots
// ("CASINO on GPUs": Ewald interactions, two-body Jastrow terms, closest images, orbitals, determinants;
// Needs, Towler, Drummond, Lopez Rios, Trail, J. Chem. Phys. 152, 154106 (2020)). CASINO's source is not
// public and was not read: formulas are from papers (docs/theory/qmc.md), names are those of its input files
// and manual.
//
// Hartree atomic units. cell(:,1..3) are the lattice vectors a_1..a_3, b_i the reciprocal ones (a_i.b_j = 2
// pi delta_ij), V the volume. Every array ends with the walkers; a call serves all of them. netot electrons,
// the first nele(1) of them with spin up, then nele(2) down, at rele(3,netot,nwalker). psi = exp(J) D_up
// D_down with
//   J = sum_{i>j} u(r_ij) + sum_{i>j} p(r_ij)             (Drummond, Towler, Needs, Phys. Rev. B 70, 235119
//   (2004))
//
// One electron or all: ewald, jastrow_u and jastrow_p answer for every electron where it is (ie and rnew
// unset, npos = netot), or for electron ie (from 1) at npos positions rnew tried for it, the others where
// they are. Per-electron values count each pair in both electrons, so that J = 1/2 sum_i value_i;
// value_ie(rnew) - value_ie(rele) is the change by a move.
//
// Sets of parameters by the spins of a pair (CASINO's "Spin dep"): one set for all, two for parallel and
// antiparallel, three for up-up, up-down and down-down.
//
// Random numbers are Philox4x32-10 (Salmon et al., SC11 (2011)) of (seed, stream of the walker, sweep,
// electron), so that every implementation, any number of walkers at a time and any number of processes walk
// the same walk (philox.hpp).
#pragma once

#include <suite/plugin.hpp>

namespace suite::qmc {

// The form of u. polynomial: (r - L_u)^C sum_l alpha(l+1) r^l for r < L_u, C = truncation.  bspline: uniform
// cubic B-spline over nalpha - 3 intervals of L_u (interval i uses alpha(i+1..i+4), from 0), as QMCPACK has
// it with the sign of u turned; 0 beyond L_u.
inline constexpr const char* forms[] = {"polynomial", "bspline", nullptr};
// A move of qmc.sweep: r + sqrt(tau) g, or drift and diffusion with its Green's function and fixed nodes.
inline constexpr const char* moves[] = {"metropolis", "langevin", nullptr};

enum class Form { polynomial, bspline };
enum class Move { metropolis, langevin };

// Rows of local_energy's output.
enum class Energy : int { total, kei, ti, fisq, ewald };

namespace argument {
inline constexpr suite_argument cell{
    "cell", SUITE_REAL64, 2, SUITE_CONSTANT, "3,3", "bohr", "lattice vectors, one in each column", 0};
inline constexpr suite_argument nele{
    "nele", SUITE_INT32, 1, SUITE_CONSTANT, "2", "1", "numbers of electrons with spin up and down", 0};
inline constexpr suite_argument rele{
    "rele", SUITE_REAL64, 3, SUITE_IN, "3,netot,nwalker", "bohr", "positions, spin up first", 0};
inline constexpr suite_argument ie{"ie",
                                   SUITE_INT32,
                                   0,
                                   SUITE_IN | SUITE_OPTIONAL,
                                   "",
                                   "1",
                                   "the electron that moves, from 1; unset: all, where they are",
                                   0};
inline constexpr suite_argument rnew{"rnew",
                                     SUITE_REAL64,
                                     3,
                                     SUITE_IN | SUITE_OPTIONAL,
                                     "3,npos,nwalker",
                                     "bohr",
                                     "positions tried for electron ie; set with ie",
                                     0};
// u; in sweep and local_energy all four are set, or none.
inline constexpr suite_argument alpha{"alpha",
                                      SUITE_REAL64,
                                      2,
                                      SUITE_CONSTANT,
                                      "nalpha,nset_u",
                                      "bohr^(-C-l)",
                                      "coefficients of u, the one that makes the cusp included",
                                      0};
inline constexpr suite_argument L_u{"L_u",
                                    SUITE_REAL64,
                                    0,
                                    SUITE_CONSTANT,
                                    "",
                                    "bohr",
                                    "cutoff of u, at most the inscribed radius of the Wigner-Seitz cell",
                                    0};
inline constexpr suite_argument truncation{"truncation",
                                           SUITE_INT32,
                                           0,
                                           SUITE_CONSTANT | SUITE_OPTIONAL,
                                           "",
                                           "1",
                                           "C of the polynomial form, 2 or 3; 3 when unset",
                                           0};
// p(r) = sum_G a(star of G) cos(G.r)
inline constexpr suite_argument gvec{"gvec",
                                     SUITE_INT32,
                                     2,
                                     SUITE_CONSTANT,
                                     "3,ngvec",
                                     "1",
                                     "G = sum_i gvec(i) b_i of the p term, one of each +-G, without 0",
                                     0};
inline constexpr suite_argument star{
    "star", SUITE_INT32, 1, SUITE_CONSTANT, "ngvec", "1", "the star of each G, from 1", 0};
inline constexpr suite_argument a{"a", SUITE_REAL64,        2, SUITE_CONSTANT, "nstar,nset_p",
                                  "1", "coefficients of p", 0};
inline constexpr suite_argument rhok_in{
    "rhok",
    SUITE_COMPLEX128,
    3,
    SUITE_IN | SUITE_OPTIONAL,
    "ngvec,2,nwalker",
    "1",
    "sum_j exp(i G.r_j) of rele by spin, from qmc.structure_factor; computed "
    "when unset",
    0};
inline constexpr suite_argument kvec{"kvec",
                                     SUITE_INT32,
                                     2,
                                     SUITE_CONSTANT,
                                     "3,nkvec",
                                     "1",
                                     "k = sum_i kvec(i) b_i, one of each +-k, without 0",
                                     0};
inline constexpr suite_argument ewald_alpha{
    "ewald_alpha",
    SUITE_REAL64,
    0,
    SUITE_CONSTANT | SUITE_OPTIONAL,
    "",
    "bohr^-1",
    "range of the screening charge; the fastest for the variant when unset",
    0};
inline constexpr suite_argument ewald_tolerance{
    "ewald_tolerance",
    SUITE_REAL64,
    0,
    SUITE_CONSTANT | SUITE_OPTIONAL,
    "",
    "1",
    "both sums end where their terms fall below; 1e-12 when unset",
    0};
// Optional forms, for sweep and local_energy.
constexpr suite_argument optional(suite_argument argument) {
  argument.intent |= SUITE_OPTIONAL;
  return argument;
}
constexpr suite_argument changed(suite_argument argument, double tolerance) {
  argument.intent = SUITE_INOUT | (argument.intent & SUITE_OPTIONAL);
  argument.tolerance = tolerance;
  return argument;
}
// The inverses of the Slater matrices D(a,j) = phi_a(r_j): sum_a dbar(a,i) D(a,j) = delta_ij.
inline constexpr suite_argument dbar_up{"dbar_up",
                                        SUITE_REAL64,
                                        3,
                                        SUITE_IN | SUITE_OPTIONAL,
                                        "nup,nup,nwalker",
                                        "1",
                                        "inverse Slater matrix of spin up; unset where nele(1) = 0",
                                        0};
inline constexpr suite_argument dbar_dn{
    "dbar_dn", SUITE_REAL64, 3, SUITE_IN | SUITE_OPTIONAL, "ndn,ndn,nwalker", "1", "the same of spin down",
    0};
}  // namespace argument

#define SUITE_QMC_COST_AND_GENERATE                                \
  static int cost(const suite_array* arguments, suite_cost* cost); \
  static int generate(const char* size, uint64_t seed, suite_array* arguments, suite_error* error)

struct ClosestImages {
  static constexpr const char* name = "qmc.closest_images";
  static constexpr const char* summary = "vectors to the closest periodic images, and distances";
  static constexpr const char* merit = "pairs: nfrom*nto*nwalker";
  // Exact for every cell: by rule for sc, fcc, bcc (Conway, Sloane, IEEE Trans. Inf. Theory 28, 227 (1982)),
  // by the relevant vectors of the Wigner-Seitz cell otherwise. Of images equally close, any.
  enum : int { cell, rfrom, rto, eevecs };
  static constexpr suite_argument arguments[] = {
      argument::cell,
      {"rfrom", SUITE_REAL64, 3, SUITE_IN, "3,nfrom,nwalker", "bohr", "positions to look from", 0},
      {"rto", SUITE_REAL64, 3, SUITE_IN, "3,nto,nwalker", "bohr", "positions to look at", 0},
      {"eevecs", SUITE_REAL64, 4, SUITE_OUT, "4,nto,nfrom,nwalker", "bohr",
       "rto - rfrom + R with the R that makes it shortest, and its length", 1e-13},
  };
  SUITE_QMC_COST_AND_GENERATE;
};

struct Ewald {
  static constexpr const char* name = "qmc.ewald";
  static constexpr const char* summary =
      "Coulomb energy of charges in a periodic cell with neutralising background";
  static constexpr const char* merit = "pairs: netot*npos*nwalker";
  // v_E(r) = sum_R erfc(alpha |r-R|)/|r-R| + 4 pi/V sum_{G/=0} exp(-G^2/4 alpha^2)/G^2 cos(G.r) - pi/(alpha^2
  // V), xi = lim v_E - 1/r (Ewald 1921; Fraser et al., Phys. Rev. B 53, 1814 (1996)); energy_i = sum_{j/=i}
  // q_i q_j v_E(r_ij) + q_i^2 xi,   total = 1/2 sum_i energy_i. Parameter: variant. At least one of energy,
  // total and field is set; with ie set, total is not. With gvec and rhok, set together, the sum over G is
  // over gvec and takes rhok for sum_j q_j exp(i G.r_j), which the caller keeps up to date by
  // qmc.structure_factor: O(N) + O(ngvec) for a move of one particle. The variants that go over pairs do not
  // look at them.
  enum : int { cell, charge, rele, ie, rnew, ewald_alpha, ewald_tolerance, gvec, rhok, energy, total, field };
  static constexpr suite_argument arguments[] = {
      argument::cell,
      {"charge", SUITE_REAL64, 1, SUITE_CONSTANT, "netot", "e", "charge of each particle; -1 for electrons",
       0},
      argument::rele,
      argument::ie,
      argument::rnew,
      argument::ewald_alpha,
      argument::ewald_tolerance,
      {"gvec", SUITE_INT32, 2, SUITE_CONSTANT | SUITE_OPTIONAL, "3,ngvec", "1",
       "all G = sum_i gvec(i) b_i up to a length, one of each +-G, without 0; with ewald_alpha unset it is "
       "the "
       "one that suits this length; fastest in the order of gvec(1), gvec(2), gvec(3)",
       0},
      {"rhok", SUITE_COMPLEX128, 3, SUITE_IN | SUITE_OPTIONAL, "ngvec,1,nwalker", "1",
       "sum_j charge(j) exp(i G.r_j) of rele, from qmc.structure_factor; set with gvec", 0},
      {"energy", SUITE_REAL64, 2, SUITE_OUT | SUITE_OPTIONAL, "npos,nwalker", "Ha", "energy_i", 2e-11},
      {"total", SUITE_REAL64, 1, SUITE_OUT | SUITE_OPTIONAL, "nwalker", "Ha", "energy of the cell", 2e-11},
      {"field", SUITE_REAL64, 3, SUITE_OUT | SUITE_OPTIONAL, "3,npos,nwalker", "Ha/(e bohr)",
       "electric field of the others at each particle, -grad sum_{j/=i} q_j v_E", 2e-11},
  };
  SUITE_QMC_COST_AND_GENERATE;
};

struct JastrowU {
  static constexpr const char* name = "qmc.jastrow_u";
  static constexpr const char* summary = "the u term of the Jastrow factor with derivatives";
  static constexpr const char* merit = "pairs: netot*npos*nwalker";
  // Parameter: form. Derivatives by the parameters take each alpha(l,set) as free; the cusp ties alpha_1 to
  // alpha_0 (jastrow.hpp), which is the caller's to apply.
  enum : int {
    cell,
    nele,
    rele,
    ie,
    rnew,
    alpha,
    L_u,
    truncation,
    value,
    gradient,
    laplacian,
    dvalue,
    dgradient,
    dlaplacian
  };
  static constexpr suite_argument arguments[] = {
      argument::cell,
      argument::nele,
      argument::rele,
      argument::ie,
      argument::rnew,
      argument::alpha,
      argument::L_u,
      argument::truncation,
      {"value", SUITE_REAL64, 2, SUITE_OUT, "npos,nwalker", "1", "sum_{j/=i} u(r_ij)", 1e-12},
      {"gradient", SUITE_REAL64, 3, SUITE_OUT | SUITE_OPTIONAL, "3,npos,nwalker", "bohr^-1", "grad_i of it",
       1e-12},
      {"laplacian", SUITE_REAL64, 2, SUITE_OUT | SUITE_OPTIONAL, "npos,nwalker", "bohr^-2", "lap_i of it",
       1e-12},
      {"dvalue", SUITE_REAL64, 4, SUITE_OUT | SUITE_OPTIONAL, "nalpha,nset_u,npos,nwalker", "bohr^(C+l)",
       "d value / d alpha", 1e-12},
      {"dgradient", SUITE_REAL64, 5, SUITE_OUT | SUITE_OPTIONAL, "3,nalpha,nset_u,npos,nwalker",
       "bohr^(C+l-1)", "d gradient / d alpha", 1e-12},
      {"dlaplacian", SUITE_REAL64, 4, SUITE_OUT | SUITE_OPTIONAL, "nalpha,nset_u,npos,nwalker",
       "bohr^(C+l-2)", "d laplacian / d alpha", 1e-12},
  };
  SUITE_QMC_COST_AND_GENERATE;
};

struct JastrowP {
  static constexpr const char* name = "qmc.jastrow_p";
  static constexpr const char* summary = "the p (plane-wave) term of the Jastrow factor with derivatives";
  static constexpr const char* merit = "waves: ngvec*npos*nwalker";
  // Parameter: variant. With rho_G = sum_j exp(i G.r_j) the sum over pairs is 1/2 sum_G a (|rho_G|^2 - N).
  enum : int {
    cell,
    nele,
    rele,
    ie,
    rnew,
    gvec,
    star,
    a,
    rhok,
    value,
    gradient,
    laplacian,
    dvalue,
    dgradient,
    dlaplacian
  };
  static constexpr suite_argument arguments[] = {
      argument::cell,
      argument::nele,
      argument::rele,
      argument::ie,
      argument::rnew,
      argument::gvec,
      argument::star,
      argument::a,
      argument::rhok_in,
      {"value", SUITE_REAL64, 2, SUITE_OUT, "npos,nwalker", "1", "sum_{j/=i} p(r_ij)", 1e-12},
      {"gradient", SUITE_REAL64, 3, SUITE_OUT | SUITE_OPTIONAL, "3,npos,nwalker", "bohr^-1", "grad_i of it",
       1e-12},
      {"laplacian", SUITE_REAL64, 2, SUITE_OUT | SUITE_OPTIONAL, "npos,nwalker", "bohr^-2", "lap_i of it",
       1e-12},
      {"dvalue", SUITE_REAL64, 4, SUITE_OUT | SUITE_OPTIONAL, "nstar,nset_p,npos,nwalker", "1",
       "d value / d a", 1e-12},
      {"dgradient", SUITE_REAL64, 5, SUITE_OUT | SUITE_OPTIONAL, "3,nstar,nset_p,npos,nwalker", "bohr^-1",
       "d gradient / d a", 1e-12},
      {"dlaplacian", SUITE_REAL64, 4, SUITE_OUT | SUITE_OPTIONAL, "nstar,nset_p,npos,nwalker", "bohr^-2",
       "d laplacian / d a", 1e-12},
  };
  SUITE_QMC_COST_AND_GENERATE;
};

struct StructureFactor {
  static constexpr const char* name = "qmc.structure_factor";
  static constexpr const char* summary =
      "sum_j exp(i G.r_j) by spin or of charges, from scratch or after a move of one electron";
  static constexpr const char* merit = "structure factors: ngvec*nchannel*nwalker";
  // With ie and rnew unset: of all electrons. With them set (npos = 1): rhok changes by exp(i G.rnew) - exp(i
  // G.r_ie) for the walkers whose accept is not 0; call it before rele is changed. nchannel is 2, spin up and
  // down, or 1, all together, each with its charge where that is set.
  enum : int { cell, nele, rele, ie, rnew, accept, charge, gvec, rhok };
  static constexpr suite_argument arguments[] = {
      argument::cell,
      argument::nele,
      argument::rele,
      argument::ie,
      argument::rnew,
      {"accept", SUITE_INT32, 1, SUITE_IN | SUITE_OPTIONAL, "nwalker", "1",
       "0: no move; all moved when unset", 0},
      {"charge", SUITE_REAL64, 1, SUITE_CONSTANT | SUITE_OPTIONAL, "netot", "e",
       "weight of each electron; 1 when unset", 0},
      argument::gvec,
      {"rhok", SUITE_COMPLEX128, 3, SUITE_INOUT, "ngvec,nchannel,nwalker", "1",
       "structure factors of spin up and down, or of all", 1e-12},
  };
  SUITE_QMC_COST_AND_GENERATE;
};

struct OrbitalsFree {
  static constexpr const char* name = "qmc.orbitals_free";
  static constexpr const char* summary = "real plane waves 1, cos k.r, sin k.r with derivatives";
  static constexpr const char* merit = "orbital values: norb*npos*nwalker";
  // phi_1 = 1, phi_2m = cos(k_m.r), phi_2m+1 = sin(k_m.r); norb <= 1 + 2 nkvec.
  enum : int { cell, kvec, r, phi, dphi, d2phi };
  static constexpr suite_argument arguments[] = {
      argument::cell,
      argument::kvec,
      {"r", SUITE_REAL64, 3, SUITE_IN, "3,npos,nwalker", "bohr", "positions", 0},
      {"phi", SUITE_REAL64, 3, SUITE_OUT, "norb,npos,nwalker", "1", "orbitals", 1e-12},
      {"dphi", SUITE_REAL64, 4, SUITE_OUT | SUITE_OPTIONAL, "norb,3,npos,nwalker", "bohr^-1", "gradients",
       1e-12},
      {"d2phi", SUITE_REAL64, 3, SUITE_OUT | SUITE_OPTIONAL, "norb,npos,nwalker", "bohr^-2", "Laplacians",
       1e-12},
  };
  SUITE_QMC_COST_AND_GENERATE;
};

struct OrbitalsBlip {
  static constexpr const char* name = "qmc.orbitals_blip";
  static constexpr const char* summary = "orbitals as tricubic B-splines (blips) on a grid of the cell";
  static constexpr const char* merit = "orbital values: norb*npos*nwalker";
  // psi(r) = sum_ijk c(:,k,j,i) T(Nx s_1 - i) T(Ny s_2 - j) T(Nz s_3 - k), r = sum_d s_d a_d, periodic, with
  // T(t) = 1 - 3/2 t^2 + 3/4 |t|^3 (|t| <= 1), (2 - |t|)^3/4 (|t| <= 2) (Alfe, Gillan, Phys. Rev. B 70,
  // 161101 (2004)). Tables in single precision are summed in double.
  enum : int { cell, c, r, phi, dphi, d2phi };
  static constexpr suite_argument arguments[] = {
      argument::cell,
      {"c", SUITE_ONE_OF2(SUITE_REAL32, SUITE_REAL64), 4, SUITE_CONSTANT, "norb,Nz,Ny,Nx", "1",
       "coefficients, orbital fastest; Nx, Ny, Nz at least 4", 0},
      {"r", SUITE_REAL64, 3, SUITE_IN, "3,npos,nwalker", "bohr", "positions", 0},
      {"phi", SUITE_REAL64, 3, SUITE_OUT, "norb,npos,nwalker", "1", "orbitals", 1e-12},
      {"dphi", SUITE_REAL64, 4, SUITE_OUT | SUITE_OPTIONAL, "norb,3,npos,nwalker", "bohr^-1", "gradients",
       1e-12},
      {"d2phi", SUITE_REAL64, 3, SUITE_OUT | SUITE_OPTIONAL, "norb,npos,nwalker", "bohr^-2", "Laplacians",
       1e-12},
  };
  SUITE_QMC_COST_AND_GENERATE;
};

// Delayed update (McDaniel et al., J. Chem. Phys. 147, 174107 (2017)): moves accepted since dbar was last
// brought up to date, at most kmax, no electron twice. All four are set, or none.
namespace argument {
inline constexpr suite_argument delayed_phi{"delayed_phi",
                                            SUITE_REAL64,
                                            3,
                                            SUITE_IN | SUITE_OPTIONAL,
                                            "n,kmax,nwalker",
                                            "1",
                                            "new columns phi(r_j) of these moves",
                                            0};
inline constexpr suite_argument delayed_dbar{"delayed_dbar",
                                             SUITE_REAL64,
                                             3,
                                             SUITE_IN | SUITE_OPTIONAL,
                                             "n,kmax,nwalker",
                                             "1",
                                             "columns of dbar of the electrons moved",
                                             0};
inline constexpr suite_argument delayed_binv{"delayed_binv",
                                             SUITE_REAL64,
                                             3,
                                             SUITE_IN | SUITE_OPTIONAL,
                                             "kmax,kmax,nwalker",
                                             "1",
                                             "inverse of B(l,m) = sum_a delayed_dbar(a,l) delayed_phi(a,m)",
                                             0};
inline constexpr suite_argument delayed_electron{
    "delayed_electron",
    SUITE_INT32,
    2,
    SUITE_IN | SUITE_OPTIONAL,
    "kmax+1,nwalker",
    "1",
    "how many moves wait, then their electrons in order (0 behind them)",
    0};
}  // namespace argument

struct SlaterRatio {
  static constexpr const char* name = "qmc.slater_ratio";
  static constexpr const char* summary = "ratio of determinants, drift and Laplacian for moved electrons";
  static constexpr const char* merit = "ratios: npos*nwalker";
  // Electron ie of this spin at npos positions, or (ie unset, npos = n) every electron at its own.
  enum : int {
    dbar,
    ie,
    phi,
    dphi,
    d2phi,
    delayed_phi,
    delayed_dbar,
    delayed_binv,
    delayed_electron,
    ratio,
    drift,
    laplacian
  };
  static constexpr suite_argument arguments[] = {
      {"dbar", SUITE_REAL64, 3, SUITE_IN, "n,n,nwalker", "1", "inverse Slater matrix, a column per electron",
       0},
      {"ie", SUITE_INT32, 0, SUITE_IN | SUITE_OPTIONAL, "", "1",
       "the electron of this spin that moves, from 1; unset: position i is of electron i", 0},
      {"phi", SUITE_REAL64, 3, SUITE_IN, "n,npos,nwalker", "1", "orbitals at the positions", 0},
      {"dphi", SUITE_REAL64, 4, SUITE_IN | SUITE_OPTIONAL, "n,3,npos,nwalker", "bohr^-1", "their gradients",
       0},
      {"d2phi", SUITE_REAL64, 3, SUITE_IN | SUITE_OPTIONAL, "n,npos,nwalker", "bohr^-2", "their Laplacians",
       0},
      argument::delayed_phi,
      argument::delayed_dbar,
      argument::delayed_binv,
      argument::delayed_electron,
      {"ratio", SUITE_REAL64, 2, SUITE_OUT, "npos,nwalker", "1", "D(new)/D", 1e-11},
      {"drift", SUITE_REAL64, 3, SUITE_OUT | SUITE_OPTIONAL, "3,npos,nwalker", "bohr^-1",
       "grad D/D at the position; needs dphi", 1e-11},
      {"laplacian", SUITE_REAL64, 2, SUITE_OUT | SUITE_OPTIONAL, "npos,nwalker", "bohr^-2",
       "lap D/D at the position; needs d2phi", 1e-11},
  };
  SUITE_QMC_COST_AND_GENERATE;
};

struct SlaterUpdate {
  static constexpr const char* name = "qmc.slater_update";
  static constexpr const char* summary = "inverse Slater matrices after accepted moves, at once or delayed";
  static constexpr const char* merit = "moves: nupdate*nwalker";
  // nupdate moves, one after the other: electron ie(m,w), from 1, gets the column phi(:,m,w); 0: no move.
  // With the delayed arrays the moves join those that wait, and dbar is brought up to date when kmax wait, an
  // electron comes again, or ie and phi are unset; the four arrays are 0 from then on. Without, dbar is up to
  // date at the end. Parameter: variant (sherman_morrison, delayed, best). A ratio of 0 is refused, naming
  // walker and move; that walker is then undefined.
  enum : int { dbar, ie, phi, delayed_phi, delayed_dbar, delayed_binv, delayed_electron, ratio };
  static constexpr suite_argument arguments[] = {
      {"dbar", SUITE_REAL64, 3, SUITE_INOUT, "n,n,nwalker", "1",
       "inverse Slater matrix, a column per electron", 1e-10},
      {"ie", SUITE_INT32, 2, SUITE_IN | SUITE_OPTIONAL, "nupdate,nwalker", "1", "electrons moved; 0: none",
       0},
      {"phi", SUITE_REAL64, 3, SUITE_IN | SUITE_OPTIONAL, "n,nupdate,nwalker", "1", "their new columns", 0},
      argument::changed(argument::delayed_phi, 1e-10),
      argument::changed(argument::delayed_dbar, 1e-10),
      argument::changed(argument::delayed_binv, 1e-9),
      argument::changed(argument::delayed_electron, 0),
      {"ratio", SUITE_REAL64, 2, SUITE_OUT | SUITE_OPTIONAL, "nupdate,nwalker", "1",
       "ratio of determinants of each move, 1 for none", 1e-10},
  };
  SUITE_QMC_COST_AND_GENERATE;
};

struct SlaterInvert {
  static constexpr const char* name = "qmc.slater_invert";
  static constexpr const char* summary =
      "inverse Slater matrices anew, with sign and logarithm of the determinants";
  static constexpr const char* merit = "matrices: nwalker";
  // A singular matrix is refused, naming the walker.
  enum : int { phi, dbar, logdet, sign };
  static constexpr suite_argument arguments[] = {
      {"phi", SUITE_REAL64, 3, SUITE_IN, "n,n,nwalker", "1", "D(a,j) = phi_a(r_j)", 0},
      {"dbar", SUITE_REAL64, 3, SUITE_OUT, "n,n,nwalker", "1", "sum_a dbar(a,i) D(a,j) = delta_ij", 1e-9},
      {"logdet", SUITE_REAL64, 1, SUITE_OUT | SUITE_OPTIONAL, "nwalker", "1", "ln |det D|", 1e-11},
      {"sign", SUITE_REAL64, 1, SUITE_OUT | SUITE_OPTIONAL, "nwalker", "1", "sign of det D", 0},
  };
  SUITE_QMC_COST_AND_GENERATE;
};

struct Sweep {
  static constexpr const char* name = "qmc.sweep";
  static constexpr const char* summary =
      "nsweep sweeps over all electrons of every walker, one electron at a time";
  static constexpr const char* merit = "electron moves: nsweep*netot*nwalker";
  // Parameters: form, move, delay (a knob). For electron i from 1 to netot, n-th sweep of the walk
  // (docs/theory/qmc.md):
  //   metropolis: r' = r + sqrt(tau) g,  accepted if u < (psi'/psi)^2
  //   langevin:   r' = r + tau v + sqrt(tau) g, v = drift limited as (-1 + sqrt(1 + 2 a w tau))/(a w tau)
  //   times
  //               grad ln|psi|, w its square, a = alimit (Umrigar, Nightingale, Runge, J. Chem. Phys. 99,
  //               2865 (1993)); refused where psi'/psi <= 0, else accepted if u < (psi'/psi)^2
  //               G(r,r')/G(r',r)
  // The positions come back in the cell (fractions from 0 to 1). Electrons of spin s fill the first nele(s)
  // real plane waves of qmc.orbitals_free.
  enum : int {
    cell,
    nele,
    rele,
    kvec,
    alpha,
    L_u,
    truncation,
    gvec,
    star,
    a,
    dbar_up,
    dbar_dn,
    tau,
    alimit,
    nsweep,
    first_sweep,
    seed,
    stream,
    accepted,
    diffusion,
    logpsi
  };
  static constexpr suite_argument arguments[] = {
      argument::cell,
      argument::nele,
      argument::changed(argument::rele, 1e-9),
      argument::kvec,
      argument::optional(argument::alpha),
      argument::optional(argument::L_u),
      argument::truncation,
      argument::optional(argument::gvec),
      argument::optional(argument::star),
      argument::optional(argument::a),
      argument::changed(argument::dbar_up, 1e-7),
      argument::changed(argument::dbar_dn, 1e-7),
      {"tau", SUITE_REAL64, 0, SUITE_IN, "", "hbar/Ha",
       "time step: the variance of a diffusion in each direction", 0},
      {"alimit", SUITE_REAL64, 0, SUITE_IN | SUITE_OPTIONAL, "", "1", "a of the drift limit; 0.5 when unset",
       0},
      {"nsweep", SUITE_INT32, 0, SUITE_IN | SUITE_OPTIONAL, "", "1", "sweeps of this call; 1 when unset", 0},
      {"first_sweep", SUITE_INT64, 0, SUITE_IN, "", "1", "number of the first one in its walk, from 0", 0},
      {"seed", SUITE_INT64, 0, SUITE_IN, "", "1", "of the random numbers", 0},
      {"stream", SUITE_INT64, 1, SUITE_IN, "nwalker", "1", "each walker's own stream of them, from 0", 0},
      {"accepted", SUITE_INT32, 1, SUITE_OUT, "nwalker", "1", "accepted moves", 0},
      {"diffusion", SUITE_REAL64, 2, SUITE_OUT | SUITE_OPTIONAL, "2,nwalker", "bohr^2",
       "sums of tau g^2 over accepted and over all moves, for the effective time step", 1e-11},
      {"logpsi", SUITE_REAL64, 1, SUITE_INOUT | SUITE_OPTIONAL, "nwalker", "1", "grows by ln |psi'/psi|",
       1e-9},
  };
  SUITE_QMC_COST_AND_GENERATE;
};

struct LocalEnergy {
  static constexpr const char* name = "qmc.local_energy";
  static constexpr const char* summary = "local energies of the electron gas and their parts";
  static constexpr const char* merit = "local energies: nwalker";
  // Parameter: form. KEI = -1/2 sum_i lap_i psi/psi, TI = -1/4 sum_i lap_i ln|psi|, FISQ = 1/2 sum_i |grad_i
  // ln psi|^2, KEI = 2 TI - FISQ; ewald is qmc.ewald's total of charges -1.
  enum : int {
    cell,
    nele,
    rele,
    kvec,
    alpha,
    L_u,
    truncation,
    gvec,
    star,
    a,
    dbar_up,
    dbar_dn,
    ewald_alpha,
    ewald_tolerance,
    energy,
    velocity,
    jastrow
  };
  static constexpr suite_argument arguments[] = {
      argument::cell,
      argument::nele,
      argument::rele,
      argument::kvec,
      argument::optional(argument::alpha),
      argument::optional(argument::L_u),
      argument::truncation,
      argument::optional(argument::gvec),
      argument::optional(argument::star),
      argument::optional(argument::a),
      argument::dbar_up,
      argument::dbar_dn,
      argument::ewald_alpha,
      argument::ewald_tolerance,
      {"energy", SUITE_REAL64, 2, SUITE_OUT, "5,nwalker", "Ha", "KEI + ewald, KEI, TI, FISQ, ewald", 2e-11},
      {"velocity", SUITE_REAL64, 3, SUITE_OUT | SUITE_OPTIONAL, "3,netot,nwalker", "bohr^-1",
       "grad_i ln|psi|", 1e-11},
      {"jastrow", SUITE_REAL64, 1, SUITE_OUT | SUITE_OPTIONAL, "nwalker", "1", "J", 1e-12},
  };
  SUITE_QMC_COST_AND_GENERATE;
};

struct Branch {
  static constexpr const char* name = "qmc.branch";
  static constexpr const char* summary = "walkers copied to the slots of others, after branching";
  static constexpr const char* merit = "walkers: nwalker";
  // Slot w of the first nwalker gets what slot from(w) has. A slot that is copied from keeps what it has, so
  // that it does not matter in which order the copies are made: from(from(w)) = from(w) where from(w) <=
  // nwalker; anything else is refused.
  enum : int { from, rele, dbar_up, dbar_dn, carry };
  static constexpr suite_argument arguments[] = {
      {"from", SUITE_INT32, 1, SUITE_IN, "nwalker", "1", "slots to copy from, from 1", 0},
      {"rele", SUITE_REAL64, 3, SUITE_INOUT, "3,netot,nslot", "bohr", "positions", 1e-15},
      {"dbar_up", SUITE_REAL64, 3, SUITE_INOUT | SUITE_OPTIONAL, "nup,nup,nslot", "1", "inverse, spin up",
       1e-15},
      {"dbar_dn", SUITE_REAL64, 3, SUITE_INOUT | SUITE_OPTIONAL, "ndn,ndn,nslot", "1", "inverse, spin down",
       1e-15},
      {"carry", SUITE_REAL64, 2, SUITE_INOUT | SUITE_OPTIONAL, "ncarry,nslot", "1",
       "numbers that go with the walkers", 1e-15},
  };
  SUITE_QMC_COST_AND_GENERATE;
};

#undef SUITE_QMC_COST_AND_GENERATE

}  // namespace suite::qmc
