// SPDX-License-Identifier: BSD-3-Clause
// Groups of arguments that kernels of qmc (qmc.hpp) share.
#pragma once

#include <suite/plugin.hpp>

namespace suite::qmc {

using namespace element;
using precision = Either<single, real>;

// Each template adds its own behind those of Before.
// clang-format off
struct InCell : Arguments {
  using Arguments::Arguments;
  SUITE_ARGUMENT(constant, real,    cell, "3,3", "bohr", "lattice vectors, one per column", copied);
};

struct Spins : InCell {
  using InCell::InCell;
  SUITE_ARGUMENT(constant, integer, nele, "2",   "1",    "numbers of electrons with spin up and down", copied);
};

// Ions in open space, or in a cell and then with all periodic images.
struct OpenOrPeriodic : Arguments {
  using Arguments::Arguments;
  SUITE_ARGUMENT(constant, real, cell, "3,3", "bohr", "lattice vectors, one per column", copied, when_unset("open: no periodic images"));
};

// `take` is named in the groups that follow because clang-19, as a compiler of HIP, does not know that they may call it.

// One electron at npos positions, or all where they are.
template <class Before>
struct OneOrAll : Before {
  using Before::Before;
  using Before::take;
  SUITE_ARGUMENT(in, real,    rele, "3,netot,nwalker", "bohr", "positions, spin up first");
  SUITE_ARGUMENT(in, integer, ie,   "",                "1",    "number of the electron that moves, from 1", when_unset("all electrons at rele"));
  SUITE_ARGUMENT(in, real,    rnew, "3,npos,nwalker",  "bohr", "trial positions of electron ie; set together with ie", when_unset("all electrons at rele"));

  int64_t netot() const { return rele.extent(1); }
  int64_t nwalker() const { return rele.extent(2); }
};

template <class Before>
struct WithIons : Before {
  using Before::Before;
  using Before::take;
  SUITE_ARGUMENT(constant, real, rion, "3,nion", "bohr", "positions of the ions", copied);

  int64_t nion() const { return rion.extent(1); }
};

// u(r), by the parameter form. Where it may be unset all of it is set, or nothing.
struct no_u {
  static constexpr when_unset option{"no u term"};
};
template <class Before, class unset>
struct WithU : Before {
  using Before::Before;
  using Before::take;
  SUITE_ARGUMENT(constant, real,    alpha,      "nalpha,nset_u", "bohr^(-C-l)", "coefficients of u, including the one fixed by the cusp condition", copied, unset());
  SUITE_ARGUMENT(constant, real,    L_u,        "",              "bohr",        "cutoff of u, at most the inscribed radius of the Wigner-Seitz cell", unset());
  SUITE_ARGUMENT(constant, integer, truncation, "",              "1",           "C of the polynomial form, 2 or 3", when_unset("3"));
};

struct no_p {
  static constexpr when_unset option{"no p term"};
};
template <class Before, class unset>
struct WithG : Before {
  using Before::Before;
  using Before::take;
  SUITE_ARGUMENT(constant, integer, gvec, "3,ngvec", "1", "G = sum_i gvec(i) b_i of the p term: one of each pair +-G, without 0", copied, unset());

  int64_t ngvec() const { return gvec.extent(1); }
};

// p(r) = sum_G a(star of G) cos(G.r). Where it may be unset all of it is set, or nothing.
template <class Before, class unset>
struct WithP : WithG<Before, unset> {
  using WithG<Before, unset>::WithG;
  using WithG<Before, unset>::take;
  SUITE_ARGUMENT(constant, integer, star, "ngvec",        "1", "the star of each G, from 1", copied, unset());
  SUITE_ARGUMENT(constant, real,    a,    "nstar,nset_p", "1", "coefficients of p", copied, unset());
};

template <class Before>
struct WithEwaldSums : Before {
  using Before::Before;
  using Before::take;
  SUITE_ARGUMENT(constant, real, ewald_alpha,     "", "bohr^-1", "Ewald screening parameter", when_unset("the fastest value for the variant"));
  SUITE_ARGUMENT(constant, real, ewald_tolerance, "", "1",       "both sums are truncated where their terms fall below this", when_unset("1e-12"));
};

template <class Before>
struct WithWaves : Before {
  using Before::Before;
  using Before::take;
  SUITE_ARGUMENT(constant, integer, kvec, "3,nkvec", "1", "k = sum_i kvec(i) b_i: one of each pair +-k, without 0", copied);

  int64_t nkvec() const { return kvec.extent(1); }
};

// Orbitals at positions r.
template <class Before>
struct Orbitals : Before {
  using Before::Before;
  using Before::take;
  SUITE_ARGUMENT(in,  real, r,     "3,npos,nwalker",      "bohr",    "positions");
  SUITE_ARGUMENT(out, real, phi,   "norb,npos,nwalker",   "1",       "orbitals",   tolerance{1e-12});
  SUITE_ARGUMENT(out, real, dphi,  "norb,3,npos,nwalker", "bohr^-1", "gradients",  tolerance{1e-12}, when_unset("not computed"));
  SUITE_ARGUMENT(out, real, d2phi, "norb,npos,nwalker",   "bohr^-2", "Laplacians", tolerance{1e-12}, when_unset("not computed"));

  int64_t norb() const { return phi.extent(0); }
  int64_t positions() const { return phi.extent(1) * phi.extent(2); }  // of all walkers
};

// Shells of functions at the ions.
template <class Before>
struct WithShells : Before {
  using Before::Before;
  using Before::take;
  SUITE_ARGUMENT(constant, integer, shell_ion,   "nshell",   "1", "the ion of each shell, from 1", copied);
  SUITE_ARGUMENT(constant, integer, shell_l,     "nshell",   "1", "angular momentum l of each shell, 0 to 4", copied);
  SUITE_ARGUMENT(constant, integer, shell_first, "nshell+1", "1", "first primitive of each shell, from 1; at the end nprim + 1", copied);

  int64_t nshell() const { return shell_ion.extent(0); }
};
// clang-format on

}  // namespace suite::qmc
