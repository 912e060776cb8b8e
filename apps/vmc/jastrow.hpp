// SPDX-License-Identifier: BSD-3-Clause
// The Jastrow factor of an input: u, chi and p terms as passed to the kernels of family qmc (plugins/qmc/qmc.hpp), cusp conditions, initial
// parameters, and the parameters free for optimisation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <suite/qmc/qmc.hpp>
#include "f_constraints.hpp"
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

  int nf_en = 0, nf_ee = 0, nset_f = 0;  // numbers of powers of f, the most of any set; no f term: 0
  int npair_f = 1;  // sets of f by the spins of a pair
  std::vector<FShape> shape_f;  // of each set
  std::vector<double> gamma, L_f;  // gamma(nf_en,nf_en,nf_ee,npair_f,nset_f), L_f(nset_f), bohr; apply_cusp() sets the dependent ones
  std::vector<int32_t> f_of_ion;  // f_of_ion(nion): the set, from 1; 0: no f

  bool has_u() const { return nset_u > 0; }
  bool has_chi() const { return nset_chi > 0; }
  bool has_p() const { return nset_p > 0; }
  bool has_f() const { return nset_f > 0; }
  bool any() const { return has_u() || has_chi() || has_p() || has_f(); }
  int64_t ngvec() const { return static_cast<int64_t>(star.size()); }
};

// Slope of u at 0 required by the Coulomb cusp for a set: 1/4 for parallel spins, 1/2 for antiparallel ones and if one set serves both.
double cusp_slope(const System& system, int nset, int set);
// Computes the tied coefficients of every set from the free ones: alpha(2) and beta(2) of polynomials, alpha(1) of a B-spline, gamma as
// FConstraints say.
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

// For a molecule: u = -(Gamma L_u/3) (1 - r/L_u)^3, the shortest polynomial with the cusp that falls off without a maximum, and chi = 0
// with the range L_chi around the nuclei of each kind, or the part of it that the cusp fixes. The start of an optimisation.
inline constexpr double usual_cutoff_of_u = 5, usual_cutoff_of_chi = 4, usual_cutoff_of_f = 4;  // bohr, of a molecule
struct StartOfMolecule {
  int truncation = 3, order = 8;
  double L_u = 0, L_chi = 0;
  int nset_u = 2;
  bool cusp_of_nuclei = false;
};
Jastrow start_of_molecule(const System& system, const StartOfMolecule& shape);
// chi = 0 with order + 1 coefficients around the nuclei of each kind of the molecule.
void add_chi(const System& system, Jastrow& jastrow, int order, double L_chi, bool cusp_of_nuclei);

// f = 0 around the nuclei of each kind of the molecule, which adds nothing that u and chi have already.
struct StartOfF {
  int order = 3, npair = 2;  // largest power of all distances
  double L = usual_cutoff_of_f;
};
void add_f(const System& system, Jastrow& jastrow, const StartOfF& shape);

// f(gamma, set of pairs from 0, powers) for the free coefficients of a set of ions, in the order of correlation.data.
template <class Factor, class F> void for_each_free_gamma(Factor& j, size_t set, F&& f) {
  const FConstraints constraints(j.shape_f[set], j.truncation, j.L_f[set]);
  for (int pair = 0; pair < j.npair_f; ++pair) {
    auto* const gamma =
        &j.gamma[(set * static_cast<size_t>(j.npair_f) + static_cast<size_t>(pair)) * static_cast<size_t>(j.nf_en * j.nf_en * j.nf_ee)];
    for (const FConstraints::Powers& p : constraints.free()) f(gamma[p.l + j.nf_en * (p.m + j.nf_en * p.n)], pair, p);
  }
}

// Throws Failure if the factor is invalid: cutoff beyond the inscribed radius, inconsistent numbers of coefficients.
void check(const System& system, const Jastrow& jastrow);

// The free parameters as one vector: of u, set by set without the tied row and, for a B-spline, without the last three, which are 0; then
// a, set by set; then beta, likewise; then the free gamma; then the cutoffs of u, chi and f. set_parameters() maintains what depends on
// them.
struct Free {
  bool u = true, p = true, chi = true, f = true, cutoffs = false;
  // One flag per coefficient of u, p, chi or f in this order, or per cutoff, as marked in correlation.data; empty: all are free.
  std::vector<bool> each_u = {}, each_p = {}, each_chi = {}, each_f = {}, each_cutoff = {};
  static Free only_u() { return {true, false, false, false}; }
  static Free only_chi() { return {false, false, true, false}; }
  static Free only_f() { return {false, false, false, true}; }
  Free without_cutoffs() const {
    Free linear = *this;
    linear.cutoffs = false;
    return linear;
  }
};
std::vector<double> parameters(const Jastrow& jastrow, const Free& free = {});
void set_parameters(const System& system, Jastrow& jastrow, const std::vector<double>& values, const Free& free = {});
// Adds a change that is right to first order, or that part of it which changes no cutoff by more than a tenth. A term whose cutoff
// changes is stretched, with the height it had: its coefficients of r^l go with L^-l, so that a change of L by itself keeps the
// coefficients of (r/L)^l. Cutoffs remain where they are valid.
void change_parameters(const System& system, Jastrow& jastrow, const std::vector<double>& change, const Free& free);
// "alpha_3 parallel", "a_2", "cutoff of u": one name per parameter.
std::vector<std::string> parameter_names(const Jastrow& jastrow, const Free& free = {});

}  // namespace suite::vmc
