// SPDX-License-Identifier: BSD-3-Clause
// The Jastrow factor of an input: u, chi and p terms as passed to the kernels of family qmc (plugins/qmc/qmc.hpp), cusp conditions, initial
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
  int truncation = 3;  // C of the polynomials
  double L_u = 0;  // bohr
  int nalpha = 0, nset_u = 0;  // no u term: 0
  std::vector<double> alpha;  // alpha(nalpha,nset_u); apply_cusp() sets the coefficient fixed by the cusp
  int nstar = 0, nset_p = 0;  // no p term: 0
  std::vector<int32_t> gvec, star;  // gvec(3,ngvec), star(ngvec) from 1
  std::vector<double> a;  // a(nstar,nset_p)

  int nbeta = 0, nset_chi = 0;  // no chi term: 0
  int nspin_chi = 1;  // 1: the same chi for both spins, 2: up, down
  std::vector<double> beta, L_chi;  // beta(nbeta,nspin_chi,nset_chi), L_chi(nset_chi), bohr; apply_cusp() sets what a slope fixes
  std::vector<double> slope_chi;  // chi'(0) of each set: minus the charge where chi has the cusp of the nuclei, else 0
  std::vector<int32_t> set_of_ion;  // set_of_ion(nion) from 1; 0: no chi

  bool has_u() const { return nset_u > 0; }
  bool has_chi() const { return nset_chi > 0; }
  bool has_p() const { return nset_p > 0; }
  bool any() const { return has_u() || has_chi() || has_p(); }
  int64_t ngvec() const { return static_cast<int64_t>(star.size()); }
};

// Slope of u at 0 required by the Coulomb cusp for a set: 1/4 for parallel spins, 1/2 for antiparallel ones and if one set serves both.
double cusp_slope(const System& system, int nset, int set);
// Computes the tied coefficient of every set from the free ones: alpha(2) and beta(2) of polynomials, alpha(1) of a B-spline.
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

// For a molecule: u = -(Gamma L_u/3) (1 - r/L_u)^3, the shortest polynomial with the cusp that falls off without a maximum, and chi = 0 with
// the range L_chi around the nuclei of each kind, or the part of it that the cusp fixes. The start of an optimisation.
inline constexpr double usual_cutoff_of_u = 5, usual_cutoff_of_chi = 4;  // bohr, of a molecule
struct StartOfMolecule {
  int truncation = 3, order = 8;
  double L_u = 0, L_chi = 0;
  int nset_u = 2;
  bool cusp_of_nuclei = false;
};
Jastrow start_of_molecule(const System& system, const StartOfMolecule& shape);
// chi = 0 with order + 1 coefficients around the nuclei of each kind of the molecule.
void add_chi(const System& system, Jastrow& jastrow, int order, double L_chi, bool cusp_of_nuclei);

// Throws Failure if the factor is invalid: cutoff beyond the inscribed radius, inconsistent numbers of coefficients.
void check(const System& system, const Jastrow& jastrow);

// The free parameters as one vector: of u, set by set without the tied row and, for a B-spline, without the last three, which are 0; then
// a, set by set; then beta, likewise. set_parameters() maintains the cusp.
struct Free {
  bool u = true, p = true, chi = true;
  // One flag per coefficient of u, p or chi in this order, as marked in correlation.data; empty: all are free.
  std::vector<bool> each_u = {}, each_p = {}, each_chi = {};
};
std::vector<double> parameters(const Jastrow& jastrow, const Free& free = {});
void set_parameters(const System& system, Jastrow& jastrow, const std::vector<double>& values, const Free& free = {});
// "alpha_3 parallel", "a_2": one name per parameter.
std::vector<std::string> parameter_names(const Jastrow& jastrow, const Free& free = {});

}  // namespace suite::vmc
