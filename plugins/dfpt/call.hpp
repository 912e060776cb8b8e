// SPDX-License-Identifier: BSD-3-Clause
// What every implementation checks before it computes, with the same sentences, and the sizes it reads off
// the arguments. The data of CONSTANT arguments that are looked at lie on the host: an implementation on a
// device passes a copy of the arguments with those pointers replaced.
#pragma once

#include <cmath>
#include <vector>

#include "batches.hpp"
#include "dfpt.hpp"
#include "grid.hpp"
#include "harmonics.hpp"
#include "text.hpp"

namespace suite::dfpt {

namespace detail {

using RealList = Argument<real, 1, false>;
using IntegerList = Argument<integer, 1, false>;

[[noreturn]] inline void refuse(const std::string& sentence) { throw Failure(SUITE_INVALID_ARGUMENT, sentence); }

// name(i) is from 1 to most.
inline void check_numbers(const char* name, const IntegerList& n, int64_t most, const char* what) {
  for (int64_t i = 0; i < n.extent(0); ++i)
    if (n(i) < 1 || n(i) > most) refuse(element(name, i) + " is " + text_of(n(i)) + "; the " + what + " are 1 to " + text_of(most));
}

inline void check_positive(const char* name, const RealList& x) {
  for (int64_t i = 0; i < x.extent(0); ++i)
    if (!(x(i) > 0)) refuse(element(name, i) + " is " + text_of(x(i)) + " bohr; it must be positive");
}

inline void check_knots(const char* extent, int64_t n_knots, int64_t least) {
  if (n_knots < least) refuse(std::string(extent) + " is " + text_of(n_knots) + "; a table has at least " + text_of(least) + " knots");
}

inline std::vector<RadialGrid> logarithmic_grids(const RealList& r_grid_min, const RealList& r_grid_inc, int64_t n_knots) {
  check_positive("r_grid_min", r_grid_min);
  std::vector<RadialGrid> grids;
  for (int64_t s = 0; s < r_grid_min.extent(0); ++s) {
    if (!(r_grid_inc(s) > 1)) refuse(element("r_grid_inc", s) + " is " + text_of(r_grid_inc(s)) + "; it must be greater than 1");
    grids.push_back(logarithmic_grid(r_grid_min(s), r_grid_inc(s), n_knots));
  }
  return grids;
}

// The last knot, a little more than it is: an extent that is this knot, computed in another way, is inside.
inline double end_of(const RadialGrid& grid) { return grid.last * (1 + 1e-9); }

}  // namespace detail

// l_max of n_lm = (l_max+1)^2 components.
inline int l_max_of(int64_t n_lm) {
  for (int l = 0; l <= largest_l; ++l)
    if (components(l) == n_lm) return l;
  detail::refuse("n_lm is " + text_of(n_lm) + "; it must be (l_max+1)^2, a square up to 81 (l_max = 8)");
}

// dfpt.basis
struct BasisCall {
  Batches batches;
  std::vector<RadialGrid> grids;  // of the species
};
namespace detail {

inline void check_function(const Basis& c, int64_t i, const std::vector<RadialGrid>& grids) {
  const int32_t l = c.basis_l(i), m = c.basis_m(i);
  if (l < 0 || l > largest_l) refuse(element("basis_l", i) + " is " + text_of(l) + "; it must be from 0 to " + text_of(int64_t{largest_l}));
  if (std::abs(m) > l) refuse(element("basis_m", i) + " is " + text_of(m) + " where l is " + text_of(l) + "; it must be from -l to l");
  const int64_t fn = c.basis_fn(i) - 1, species = c.species(c.basis_atom(i) - 1) - 1;
  const RadialGrid& grid = grids[static_cast<size_t>(species)];
  const double radius = c.outer_radius(fn);
  if (!(radius > 0) || !(radius <= end_of(grid)))
    refuse(element("outer_radius", fn) + " is " + text_of(radius) + " bohr; it must be positive and at most the last knot of species " +
           text_of(species + 1) + ", " + text_of(grid.last));
}

}  // namespace detail
inline BasisCall check_basis(const Basis& c) {
  detail::check_knots("n_grid", c.n_grid(), 2);
  BasisCall call;
  call.batches = batches_of(c, c.n_points(), c.n_basis(), c.n_wave());
  call.grids = detail::logarithmic_grids(c.r_grid_min, c.r_grid_inc, c.n_grid());
  detail::check_numbers("species", c.species, c.n_species(), "species");
  detail::check_numbers("basis_atom", c.basis_atom, c.n_atoms(), "atoms");
  detail::check_numbers("basis_fn", c.basis_fn, c.n_basis_fns(), "radial functions");
  for (int64_t i = 0; i < c.n_basis(); ++i) detail::check_function(c, i, call.grids);
  return call;
}

// dfpt.rho: from what.
enum class RhoForm { density_matrix, orbitals, first_order_orbitals };
struct RhoCall {
  Batches batches;
  RhoForm form = RhoForm::density_matrix;
  int64_t n_basis = 0, n_occ = 0, n_dir = 0;
};
inline RhoForm rho_form(const Rho& c) {
  if (c.density_matrix && (c.C || c.C1))
    detail::refuse(std::string("density_matrix and ") + (c.C ? "C" : "C1") + " are set; densities are computed from one of them");
  if (!c.density_matrix && !c.C)
    detail::refuse(c.C1 ? "C1 is set but C is not; first-order densities need both"
                        : "neither density_matrix nor C is set; densities are computed from one of them");
  if (!c.density_matrix && !c.C1 && c.n_dir() != 1)
    detail::refuse("n_dir is " + text_of(c.n_dir()) + " in rho; with C alone there is one density, that of the ground state");
  return c.density_matrix ? RhoForm::density_matrix : c.C1 ? RhoForm::first_order_orbitals : RhoForm::orbitals;
}
inline RhoCall check_rho(const Rho& c) {
  RhoCall call;
  call.form = rho_form(c);
  const bool matrix = call.form == RhoForm::density_matrix;
  call.n_basis = matrix ? c.density_matrix.extent(0) : c.C.extent(0);
  call.n_occ = matrix ? 0 : c.C.extent(1);
  call.n_dir = c.n_dir();
  call.batches = batches_of(c, c.n_points(), call.n_basis, c.n_wave());
  return call;
}

// dfpt.h: H, HC or both.
struct HCall {
  Batches batches;
  int64_t n_basis = 0, n_occ = 0, n_dir = 0;
  bool matrices = false, products = false;  // H, HC
};
inline HCall check_h(const Hamiltonian& c) {
  HCall call;
  call.matrices = bool(c.H);
  call.products = bool(c.HC);
  if (!call.matrices && !call.products) detail::refuse("neither H nor HC is set; dfpt.h computes at least one of them");
  if (call.products != bool(c.C))
    detail::refuse(call.products ? "HC is set but C is not; HC holds products with the orbitals C"
                                 : "C is set but HC is not; C is used only for HC");
  if (c.wave_right && call.products) detail::refuse("wave_right and HC are set; a second set of functions is for H alone");
  const auto& result = call.matrices ? c.H : c.HC;
  call.n_basis = result.extent(0);
  call.n_occ = call.products ? c.HC.extent(1) : 0;
  call.n_dir = result.extent(2);
  call.batches = batches_of(c, c.n_points(), call.n_basis, c.n_wave());
  return call;
}

// dfpt.multipoles; returns l_max.
inline int check_multipoles(const Multipoles& c) {
  detail::check_numbers("point_atom", c.point_atom, c.n_atoms(), "atoms");
  detail::check_numbers("point_shell", c.point_shell, c.n_radial(), "shells");
  return l_max_of(c.n_lm());
}

// dfpt.poisson
struct PoissonCall {
  int l_max = 0;
  int64_t n_lm = 0, n_radial = 0, n_grid = 0, n_knots = 0, n_atoms = 0, n_dir = 0;
  std::vector<RadialGrid> grids;  // of the species
};
namespace detail {

inline void check_shells(const Poisson& c, const std::vector<RadialGrid>& grids) {
  for (int64_t s = 0; s < c.r_radial.extent(1); ++s) {
    const int32_t n = c.radial_points(s);
    if (n < 4 || n > c.n_radial())
      refuse(element("radial_points", s) + " is " + text_of(n) + "; a species has 4 to n_radial = " + text_of(c.n_radial()) + " shells");
    const double* const r = &c.r_radial(0, s);
    for (int64_t i = 0; i < n; ++i)
      if (!(r[i] > (i ? r[i - 1] : 0)))
        refuse(element("r_radial", i, s) + " is " + text_of(r[i]) + " bohr; radii must be positive and ascending; the previous one is " +
               text_of(i ? r[i - 1] : 0.0));
    const double end = grids[static_cast<size_t>(s)].last;
    if (!(r[n - 1] <= end * (1 + 1e-9)))
      refuse(element("r_radial", n - 1, s) + " is " + text_of(r[n - 1]) + " bohr but the logarithmic grid of its species ends at " +
             text_of(end));
  }
}

inline void check_tables(const Poisson& c) {
  for (int64_t s = 0; s < c.knots.extent(1); ++s) {
    for (int64_t i = 0; i < c.n_grid(); ++i)
      if (!(c.grid_shell(i, s) >= 0))
        refuse(element("grid_shell", i, s) + " is " + text_of(c.grid_shell(i, s)) + "; shells are counted from 0, the nucleus");
    const double* const r = &c.knots(0, s);
    for (int64_t k = 0; k < c.n_knots(); ++k)
      if (k ? !(r[k] > r[k - 1]) : !(r[k] >= 0))
        refuse(element("knots", k, s) + " is " + text_of(r[k]) +
               (k ? " bohr after " + text_of(r[k - 1]) + "; radii must ascend" : " bohr; it must be 0 or positive"));
  }
}

}  // namespace detail
inline PoissonCall check_poisson(const Poisson& c) {
  PoissonCall call{l_max_of(c.n_lm()), c.n_lm(), c.n_radial(), c.n_grid(), c.n_knots(), c.n_atoms(), c.n_dir(), {}};
  detail::check_knots("n_grid", call.n_grid, 6);
  detail::check_knots("n_knots", call.n_knots, 2);
  call.grids = detail::logarithmic_grids(c.r_grid_min, c.r_grid_inc, call.n_grid);
  detail::check_numbers("species", c.species, c.r_radial.extent(1), "species");
  detail::check_shells(c, call.grids);
  detail::check_tables(c);
  return call;
}

// dfpt.sum_up
struct SumUpCall {
  int l_max = 0;
  int64_t n_lm = 0, n_knots = 0, n_points = 0, n_atoms = 0, n_dir = 0;
  std::vector<RadialGrid> grids;  // of the species
};
namespace detail {

inline std::vector<RadialGrid> table_grids(const SumUp& c) {
  if (!c.r_grid_min != !c.r_grid_inc)
    refuse(c.r_grid_min ? "r_grid_min is set but r_grid_inc is not; a logarithmic grid needs both"
                        : "r_grid_inc is set but r_grid_min is not; a logarithmic grid needs both");
  if (!c.grid_scale != !c.grid_max)
    refuse(c.grid_scale ? "grid_scale is set but grid_max is not; a grid by shells needs both"
                        : "grid_max is set but grid_scale is not; a grid by shells needs both");
  if (!c.r_grid_min == !c.grid_scale)
    refuse(c.r_grid_min ? "r_grid_min and grid_scale are set; set only one of them"
                        : "neither r_grid_min nor grid_scale is set; set one of them");
  if (c.r_grid_min) return logarithmic_grids(c.r_grid_min, c.r_grid_inc, c.n_knots());
  check_positive("grid_scale", c.grid_scale);
  check_positive("grid_max", c.grid_max);
  std::vector<RadialGrid> grids;
  for (int64_t s = 0; s < c.grid_scale.extent(0); ++s) grids.push_back(grid_by_shells(c.grid_scale(s), c.grid_max(s), c.n_knots()));
  return grids;
}

}  // namespace detail
inline SumUpCall check_sum_up(const SumUp& c) {
  SumUpCall call{l_max_of(c.n_lm()), c.n_lm(), c.n_knots(), c.n_points(), c.n_atoms(), c.potential_spl.extent(4), {}};
  detail::check_knots("n_knots", call.n_knots, 2);
  call.grids = detail::table_grids(c);
  detail::check_numbers("species", c.species, c.n_species(), "species");
  detail::check_numbers("atom_table", c.atom_table, c.n_tables(), "tables");
  detail::check_positive("multipole_radius", c.multipole_radius);
  for (int64_t s = 0; s < c.n_species(); ++s) {
    const RadialGrid& grid = call.grids[static_cast<size_t>(s)];
    if (!(c.multipole_radius(s) <= detail::end_of(grid)))
      detail::refuse(element("multipole_radius", s) + " is " + text_of(c.multipole_radius(s)) +
                     " bohr but the last knot of its species is at " + text_of(grid.last));
  }
  return call;
}

// dfpt.response. The eigenvalues are looked at by check_gap, when they are there.
struct ResponseCall {
  int64_t n_basis = 0, n_states = 0, n_occ = 0, n_dir = 0;
  bool matrices = false;  // H1, not HC1
};
inline ResponseCall check_response(const Response& c) {
  ResponseCall call{c.n_basis(), c.n_states(), c.n_occ, 0, bool(c.H1)};
  if (call.n_occ < 1 || call.n_occ > call.n_states)
    detail::refuse("n_occ is " + text_of(call.n_occ) + "; of " + text_of(call.n_states) +
                   " states at least one must be occupied, and at most all");
  if (bool(c.H1) == bool(c.HC1))
    detail::refuse(c.H1 ? "H1 and HC1 are set; a perturbation is given by one of them"
                        : "neither H1 nor HC1 is set; a perturbation is given by one of them");
  if (!c.C1 && !c.density_matrix) detail::refuse("neither C1 nor density_matrix is set; dfpt.response computes at least one");
  for (const auto& [name, array] : {std::pair{"HC1", &c.HC1.array()}, {"C1", &c.C1.array()}})
    if (array->data && array->extent[1] != call.n_occ)
      detail::refuse("n_occ is " + text_of(call.n_occ) + " but " + name + " has " + text_of(array->extent[1]) + " orbitals");
  call.n_dir = call.matrices ? c.H1.extent(2) : c.HC1.extent(2);
  return call;
}
inline void check_gap(const double* eigenvalues, int64_t n_occ, int64_t n_states) {
  int64_t highest = 0;
  for (int64_t i = 1; i < n_occ; ++i)
    if (eigenvalues[i] > eigenvalues[highest]) highest = i;
  for (int64_t e = n_occ; e < n_states; ++e)
    if (!(eigenvalues[e] > eigenvalues[highest]))
      detail::refuse("the empty state " + text_of(e + 1) + " is at " + text_of(eigenvalues[e]) + " Ha and the occupied state " +
                     text_of(highest + 1) + " at " + text_of(eigenvalues[highest]) + "; without a gap there is no response of this form");
}

// dfpt.reciprocal; returns l_max.
inline constexpr int32_t most_g = 1000;
inline int check_reciprocal(const Reciprocal& c) {
  for (int64_t g = 0; g < c.n_g(); ++g) {
    double square = 0;
    for (int d = 0; d < 3; ++d) {
      double along = 0;
      for (int i = 0; i < 3; ++i) along += c.reciprocal(d, i) * c.g_index(i, g);
      square += along * along;
      if (c.g_index(d, g) < -most_g || c.g_index(d, g) > most_g)
        detail::refuse(element("g_index", d, g) + " is " + text_of(c.g_index(d, g)) + "; it must be from -" + text_of(most_g) + " to " +
                       text_of(most_g));
    }
    if (!(square > 0))
      detail::refuse("g_index(:," + text_of(g + 1) + ") is " + text_of(c.g_index(0, g)) + " " + text_of(c.g_index(1, g)) + " " +
                     text_of(c.g_index(2, g)) + ", whose G is 0; G = 0 does not belong to the sum");
  }
  return l_max_of(c.n_lm());
}

}  // namespace suite::dfpt
