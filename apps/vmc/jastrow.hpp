// SPDX-License-Identifier: BSD-3-Clause
// The Jastrow factor of an input: u and p terms as the kernels of family qmc take them (plugins/qmc/qmc.hpp),
// with the cusp conditions, starts, and what of it is free to be optimised.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <suite/qmc/qmc.hpp>
#include "system.hpp"

namespace suite::vmc {

using qmc::Form;

struct Jastrow {
  Form form = Form::polynomial;
  int truncation = 3;          // C of the polynomial
  double L_u = 0;              // bohr
  int nalpha = 0, nset_u = 0;  // no u term: 0
  std::vector<double> alpha;   // alpha(nalpha,nset_u); the one that makes the cusp is kept true by apply_cusp
  int nstar = 0, nset_p = 0;   // no p term: 0
  std::vector<int32_t> gvec, star;  // gvec(3,ngvec), star(ngvec) from 1
  std::vector<double> a;            // a(nstar,nset_p)

  bool has_u() const { return nset_u > 0; }
  bool has_p() const { return nset_p > 0; }
  int64_t ngvec() const { return static_cast<int64_t>(star.size()); }
};

// Slope of u at 0 that the Coulomb cusp asks of a set: 1/4 for parallel spins, 1/2 for antiparallel ones and
// where one set serves both.
double cusp_slope(const System& system, int nset, int set);
// The tied coefficient of every set from the free ones: alpha(2) of a polynomial, alpha(1) of a B-spline.
void apply_cusp(const System& system, Jastrow& jastrow);
// Which row of alpha is tied.
inline int tied_row(Form form) { return form == Form::polynomial ? 1 : 0; }

// The random-phase approximation of the gas: u of range L_u fitted with order + 1 coefficients
// (Form::polynomial) or order free knots (Form::bspline), what is longer-ranged in p with this many stars (0:
// none). A start for optimisation, and what is used without parameters.
struct JastrowShape {
  Form form = Form::polynomial;
  int truncation = 3, order = 8;
  double L_u = 0;
  int nset_u = 2, stars = 0, nset_p = 1;
};
Jastrow rpa_jastrow(const System& system, const JastrowShape& shape);

// Failure that says what is wrong: cutoff beyond the inscribed radius, numbers of coefficients that do not
// fit.
void check(const System& system, const Jastrow& jastrow);

// The free parameters as one vector: of u, sets one after the other without the tied row and, for a B-spline,
// without the last three, which are 0; then a, sets one after the other. set_parameters keeps the cusp.
struct Free {
  bool u = true, p = true;
  // One for each coefficient of u or p in this order, as correlation.data marks them; empty: all are free.
  std::vector<bool> each_u = {}, each_p = {};
};
std::vector<double> parameters(const Jastrow& jastrow, const Free& free = {});
void set_parameters(const System& system, Jastrow& jastrow, const std::vector<double>& values, const Free& free = {});
// "alpha_3 parallel", "a_2": one for each of parameters().
std::vector<std::string> parameter_names(const Jastrow& jastrow, const Free& free = {});

}  // namespace suite::vmc
