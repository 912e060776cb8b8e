// SPDX-License-Identifier: BSD-3-Clause
// The Jastrow factor of an input: u and p terms as passed to the kernels of family qmc (plugins/qmc/qmc.hpp), cusp conditions, initial
// parameters, and the parameters free for optimisation.
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
  std::vector<double> alpha;   // alpha(nalpha,nset_u); apply_cusp() sets the coefficient fixed by the cusp
  int nstar = 0, nset_p = 0;   // no p term: 0
  std::vector<int32_t> gvec, star;  // gvec(3,ngvec), star(ngvec) from 1
  std::vector<double> a;            // a(nstar,nset_p)

  bool has_u() const { return nset_u > 0; }
  bool has_p() const { return nset_p > 0; }
  int64_t ngvec() const { return static_cast<int64_t>(star.size()); }
};

// Slope of u at 0 required by the Coulomb cusp for a set: 1/4 for parallel spins, 1/2 for antiparallel ones and if one set serves both.
double cusp_slope(const System& system, int nset, int set);
// Computes the tied coefficient of every set from the free ones: alpha(2) of a polynomial, alpha(1) of a B-spline.
void apply_cusp(const System& system, Jastrow& jastrow);
// The tied row of alpha.
inline int tied_row(Form form) { return form == Form::polynomial ? 1 : 0; }

// The random-phase approximation of the gas: u of range L_u fitted with order + 1 coefficients (Form::polynomial) or order free knots
// (Form::bspline), and the longer-ranged part in p with this many stars (0: none). Initial parameters of an optimisation, and the default
// without given parameters.
struct JastrowShape {
  Form form = Form::polynomial;
  int truncation = 3, order = 8;
  double L_u = 0;
  int nset_u = 2, stars = 0, nset_p = 1;
};
Jastrow rpa_jastrow(const System& system, const JastrowShape& shape);

// Throws Failure if the factor is invalid: cutoff beyond the inscribed radius, inconsistent numbers of coefficients.
void check(const System& system, const Jastrow& jastrow);

// The free parameters as one vector: of u, set by set without the tied row and, for a B-spline, without the last three, which are 0; then
// a, set by set. set_parameters() maintains the cusp.
struct Free {
  bool u = true, p = true;
  // One flag per coefficient of u or p in this order, as marked in correlation.data; empty: all are free.
  std::vector<bool> each_u = {}, each_p = {};
};
std::vector<double> parameters(const Jastrow& jastrow, const Free& free = {});
void set_parameters(const System& system, Jastrow& jastrow, const std::vector<double>& values, const Free& free = {});
// "alpha_3 parallel", "a_2": one name per parameter.
std::vector<std::string> parameter_names(const Jastrow& jastrow, const Free& free = {});

}  // namespace suite::vmc
