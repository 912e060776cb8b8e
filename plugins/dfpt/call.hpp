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

inline const double* numbers(const suite_array& array) { return static_cast<const double*>(array.data); }
inline const int32_t* integers(const suite_array& array) { return static_cast<const int32_t*>(array.data); }

[[noreturn]] inline void refuse(const std::string& sentence) {
  throw Failure(SUITE_INVALID_ARGUMENT, sentence);
}

// name(i) is from 1 to most.
inline void check_numbers(const char* name, const suite_array& array, int64_t most, const char* what) {
  const int32_t* const n = integers(array);
  for (int64_t i = 0; i < array.extent[0]; ++i)
    if (n[i] < 1 || n[i] > most)
      refuse(element(name, i) + " is " + text_of(n[i]) + "; the " + what + " are 1 to " + text_of(most));
}

inline void check_positive(const char* name, const suite_array& array) {
  for (int64_t i = 0; i < array.extent[0]; ++i)
    if (!(numbers(array)[i] > 0))
      refuse(element(name, i) + " is " + text_of(numbers(array)[i]) + " bohr; it must be positive");
}

inline void check_knots(const char* extent, int64_t n_knots, int64_t least) {
  if (n_knots < least)
    refuse(std::string(extent) + " is " + text_of(n_knots) + "; a table has at least " + text_of(least) +
           " knots");
}

inline std::vector<RadialGrid> logarithmic_grids(const suite_array& r_grid_min, const suite_array& r_grid_inc,
                                                 int64_t n_knots) {
  check_positive("r_grid_min", r_grid_min);
  std::vector<RadialGrid> grids;
  for (int64_t s = 0; s < r_grid_min.extent[0]; ++s) {
    if (!(numbers(r_grid_inc)[s] > 1))
      refuse(element("r_grid_inc", s) + " is " + text_of(numbers(r_grid_inc)[s]) +
             "; knots rise, it must be above 1");
    grids.push_back(logarithmic_grid(numbers(r_grid_min)[s], numbers(r_grid_inc)[s], n_knots));
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
  detail::refuse("n_lm is " + text_of(n_lm) +
                 "; components (l,m) are (l_max+1)^2, a square up to 81 for l_max = 8");
}

// dfpt.basis
struct BasisCall {
  Batches batches;
  std::vector<RadialGrid> grids;  // of the species
};
inline BasisCall check_basis(const suite_array* a) {
  using K = Basis;
  const int64_t n_atoms = a[K::atom_coords].extent[1], n_basis = a[K::basis_atom].extent[0];
  const int64_t n_grid = a[K::basis_wave_spl].extent[1], n_fns = a[K::basis_wave_spl].extent[2];
  detail::check_knots("n_grid", n_grid, 2);
  BasisCall call;
  call.batches = batches_of(a[K::batch_points], a[K::batch_basis], a[K::i_basis], a[K::coords].extent[1],
                            n_basis, a[K::wave].extent[0]);
  call.grids = detail::logarithmic_grids(a[K::r_grid_min], a[K::r_grid_inc], n_grid);
  detail::check_numbers("species", a[K::species], a[K::r_grid_min].extent[0], "species");
  detail::check_numbers("basis_atom", a[K::basis_atom], n_atoms, "atoms");
  detail::check_numbers("basis_fn", a[K::basis_fn], n_fns, "radial functions");
  const int32_t *const l = detail::integers(a[K::basis_l]), *const m = detail::integers(a[K::basis_m]);
  for (int64_t i = 0; i < n_basis; ++i) {
    if (l[i] < 0 || l[i] > largest_l)
      detail::refuse(element("basis_l", i) + " is " + text_of(l[i]) + "; l is from 0 to " +
                     text_of(int64_t{largest_l}));
    if (std::abs(m[i]) > l[i])
      detail::refuse(element("basis_m", i) + " is " + text_of(m[i]) + " where l is " + text_of(l[i]) +
                     "; m is from -l to l");
    const int64_t atom = detail::integers(a[K::basis_atom])[i] - 1;
    const int64_t fn = detail::integers(a[K::basis_fn])[i] - 1;
    const int64_t species = detail::integers(a[K::species])[atom] - 1;
    const double radius = detail::numbers(a[K::outer_radius])[fn];
    if (!(radius > 0) || !(radius <= detail::end_of(call.grids[static_cast<size_t>(species)])))
      detail::refuse(element("outer_radius", fn) + " is " + text_of(radius) +
                     " bohr; it must be positive and at most the last knot of species " +
                     text_of(species + 1) + ", " + text_of(call.grids[static_cast<size_t>(species)].last));
  }
  return call;
}

// dfpt.rho: from what.
enum class RhoForm { density_matrix, orbitals, first_order_orbitals };
struct RhoCall {
  Batches batches;
  RhoForm form = RhoForm::density_matrix;
  int64_t n_basis = 0, n_occ = 0, n_dir = 0;
};
inline RhoForm rho_form(const suite_array* a) {
  using K = Rho;
  const bool P = a[K::density_matrix].data, C = a[K::C].data, C1 = a[K::C1].data;
  if (P && (C || C1))
    detail::refuse(std::string("density_matrix and ") + (C ? "C" : "C1") +
                   " are set; densities are made of density matrices or of orbitals");
  if (!P && !C)
    detail::refuse(C1 ? "C1 is set but C is not; first-order densities need both"
                      : "neither density_matrix nor C is set; densities are made of one of them");
  if (!P && !C1 && a[K::rho].extent[1] != 1)
    detail::refuse("n_dir is " + text_of(a[K::rho].extent[1]) +
                   " in rho; with C alone there is one density, that of the ground state");
  return P ? RhoForm::density_matrix : C1 ? RhoForm::first_order_orbitals : RhoForm::orbitals;
}
inline RhoCall check_rho(const suite_array* a) {
  using K = Rho;
  RhoCall call;
  call.form = rho_form(a);
  const suite_array& matrix = call.form == RhoForm::density_matrix ? a[K::density_matrix] : a[K::C];
  call.n_basis = matrix.extent[0];
  call.n_occ = call.form == RhoForm::density_matrix ? 0 : matrix.extent[1];
  call.n_dir = a[K::rho].extent[1];
  call.batches = batches_of(a[K::batch_points], a[K::batch_basis], a[K::i_basis], a[K::rho].extent[0],
                            call.n_basis, a[K::wave].extent[0]);
  return call;
}

// dfpt.h: H, HC or both.
struct HCall {
  Batches batches;
  int64_t n_basis = 0, n_occ = 0, n_dir = 0;
  bool matrices = false, products = false;  // H, HC
};
inline HCall check_h(const suite_array* a) {
  using K = H;
  HCall call;
  call.matrices = a[K::H_].data != nullptr;
  call.products = a[K::HC].data != nullptr;
  if (!call.matrices && !call.products)
    detail::refuse("neither H nor HC is set; dfpt.h computes at least one of them");
  if (call.products != (a[K::C].data != nullptr))
    detail::refuse(call.products ? "HC is set but C is not; HC are products with the orbitals C"
                                 : "C is set but HC is not; C belongs to HC");
  if (a[K::wave_right].data && call.products)
    detail::refuse("wave_right and HC are set; a second set of functions is for H alone");
  const suite_array& result = call.matrices ? a[K::H_] : a[K::HC];
  call.n_basis = result.extent[0];
  call.n_occ = call.products ? a[K::HC].extent[1] : 0;
  call.n_dir = result.extent[2];
  call.batches = batches_of(a[K::batch_points], a[K::batch_basis], a[K::i_basis],
                            a[K::partition_tab].extent[0], call.n_basis, a[K::wave].extent[0]);
  return call;
}

// dfpt.multipoles; returns l_max.
inline int check_multipoles(const suite_array* a) {
  using K = Multipoles;
  detail::check_numbers("point_atom", a[K::point_atom], a[K::atom_coords].extent[1], "atoms");
  detail::check_numbers("point_shell", a[K::point_shell], a[K::rho_multipole].extent[1], "shells");
  return l_max_of(a[K::rho_multipole].extent[0]);
}

// dfpt.poisson
struct PoissonCall {
  int l_max = 0;
  int64_t n_lm = 0, n_radial = 0, n_grid = 0, n_knots = 0, n_atoms = 0, n_dir = 0;
  std::vector<RadialGrid> grids;  // of the species
};
namespace detail {

inline void check_shells(const suite_array* a, const std::vector<RadialGrid>& grids) {
  using K = Poisson;
  const int64_t n_radial = a[K::r_radial].extent[0];
  for (int64_t s = 0; s < a[K::r_radial].extent[1]; ++s) {
    const int32_t n = integers(a[K::radial_points])[s];
    if (n < 4 || n > n_radial)
      refuse(element("radial_points", s) + " is " + text_of(n) +
             "; a species has 4 to n_radial = " + text_of(n_radial) + " shells");
    const double* const r = numbers(a[K::r_radial]) + n_radial * s;
    for (int64_t i = 0; i < n; ++i)
      if (!(r[i] > (i ? r[i - 1] : 0)))
        refuse(element("r_radial", i, s) + " is " + text_of(r[i]) +
               " bohr; radii are positive and rise, the one before is " + text_of(i ? r[i - 1] : 0.0));
    const double end = grids[static_cast<size_t>(s)].last;
    if (!(r[n - 1] <= end * (1 + 1e-9)))
      refuse(element("r_radial", n - 1, s) + " is " + text_of(r[n - 1]) +
             " bohr but the logarithmic grid of its species ends at " + text_of(end));
  }
}

inline void check_tables(const suite_array* a) {
  using K = Poisson;
  const int64_t n_grid = a[K::grid_shell].extent[0], n_knots = a[K::knots].extent[0];
  for (int64_t s = 0; s < a[K::knots].extent[1]; ++s) {
    const double *const shell = numbers(a[K::grid_shell]) + n_grid * s, *const r = numbers(a[K::knots]) +
                                                                                   n_knots * s;
    for (int64_t i = 0; i < n_grid; ++i)
      if (!(shell[i] >= 0))
        refuse(element("grid_shell", i, s) + " is " + text_of(shell[i]) +
               "; shells are counted from 0, the nucleus");
    for (int64_t k = 0; k < n_knots; ++k)
      if (k ? !(r[k] > r[k - 1]) : !(r[k] >= 0))
        refuse(element("knots", k, s) + " is " + text_of(r[k]) +
               (k ? " bohr after " + text_of(r[k - 1]) + "; radii rise" : " bohr; it is 0 or positive"));
  }
}

}  // namespace detail
inline PoissonCall check_poisson(const suite_array* a) {
  using K = Poisson;
  PoissonCall call;
  const suite_array& f = a[K::rho_multipole];
  call.n_lm = f.extent[0];
  call.l_max = l_max_of(call.n_lm);
  call.n_radial = f.extent[1];
  call.n_atoms = f.extent[2];
  call.n_dir = f.extent[3];
  call.n_grid = a[K::grid_shell].extent[0];
  call.n_knots = a[K::knots].extent[0];
  detail::check_knots("n_grid", call.n_grid, 6);
  detail::check_knots("n_knots", call.n_knots, 2);
  call.grids = detail::logarithmic_grids(a[K::r_grid_min], a[K::r_grid_inc], call.n_grid);
  detail::check_numbers("species", a[K::species], a[K::r_radial].extent[1], "species");
  detail::check_shells(a, call.grids);
  detail::check_tables(a);
  return call;
}

// dfpt.sum_up
struct SumUpCall {
  int l_max = 0;
  int64_t n_lm = 0, n_knots = 0, n_points = 0, n_atoms = 0, n_dir = 0;
  std::vector<RadialGrid> grids;  // of the species
};
namespace detail {

inline std::vector<RadialGrid> table_grids(const suite_array* a, int64_t n_knots) {
  using K = SumUp;
  const suite_array &least = a[K::r_grid_min], &inc = a[K::r_grid_inc], &scale = a[K::grid_scale],
                    &most = a[K::grid_max];
  if (!least.data != !inc.data)
    refuse(least.data ? "r_grid_min is set but r_grid_inc is not; a logarithmic grid has both"
                      : "r_grid_inc is set but r_grid_min is not; a logarithmic grid has both");
  if (!scale.data != !most.data)
    refuse(scale.data ? "grid_scale is set but grid_max is not; a grid by shells has both"
                      : "grid_max is set but grid_scale is not; a grid by shells has both");
  if (!least.data == !scale.data)
    refuse(least.data ? "r_grid_min and grid_scale are set; the knots are uniform in one of two ways"
                      : "neither r_grid_min nor grid_scale is set; the knots are uniform in one of two ways");
  if (least.data) return logarithmic_grids(least, inc, n_knots);
  check_positive("grid_scale", scale);
  check_positive("grid_max", most);
  std::vector<RadialGrid> grids;
  for (int64_t s = 0; s < scale.extent[0]; ++s)
    grids.push_back(grid_by_shells(numbers(scale)[s], numbers(most)[s], n_knots));
  return grids;
}

}  // namespace detail
inline SumUpCall check_sum_up(const suite_array* a) {
  using K = SumUp;
  SumUpCall call;
  const suite_array& table = a[K::potential_spl];
  call.n_lm = table.extent[0];
  call.l_max = l_max_of(call.n_lm);
  call.n_knots = table.extent[2];
  call.n_dir = table.extent[4];
  call.n_points = a[K::coords].extent[1];
  call.n_atoms = a[K::atom_coords].extent[1];
  detail::check_knots("n_knots", call.n_knots, 2);
  call.grids = detail::table_grids(a, call.n_knots);
  const suite_array& radius = a[K::multipole_radius];
  detail::check_numbers("species", a[K::species], radius.extent[0], "species");
  detail::check_numbers("atom_table", a[K::atom_table], table.extent[3], "tables");
  detail::check_positive("multipole_radius", radius);
  for (int64_t s = 0; s < radius.extent[0]; ++s) {
    const RadialGrid& grid = call.grids[static_cast<size_t>(s)];
    if (!(detail::numbers(radius)[s] <= detail::end_of(grid)))
      detail::refuse(element("multipole_radius", s) + " is " + text_of(detail::numbers(radius)[s]) +
                     " bohr but the last knot of its species is at " + text_of(grid.last));
  }
  return call;
}

// dfpt.response. The eigenvalues are looked at by check_gap, when they are there.
struct ResponseCall {
  int64_t n_basis = 0, n_states = 0, n_occ = 0, n_dir = 0;
  bool matrices = false;  // H1, not HC1
};
inline ResponseCall check_response(const suite_array* a) {
  using K = Response;
  ResponseCall call;
  call.n_basis = a[K::C].extent[0];
  call.n_states = a[K::C].extent[1];
  call.n_occ = *detail::integers(a[K::n_occ]);
  const bool H1 = a[K::H1].data, HC1 = a[K::HC1].data, C1 = a[K::C1].data, P1 = a[K::density_matrix].data;
  if (call.n_occ < 1 || call.n_occ > call.n_states)
    detail::refuse("n_occ is " + text_of(call.n_occ) + "; of " + text_of(call.n_states) +
                   " states at least one is occupied, and at most all");
  if (H1 == HC1)
    detail::refuse(H1 ? "H1 and HC1 are set; a perturbation is given by one of them"
                      : "neither H1 nor HC1 is set; a perturbation is given by one of them");
  if (!C1 && !P1) detail::refuse("neither C1 nor density_matrix is set; dfpt.response computes at least one");
  for (const auto& [name, array] : {std::pair{"HC1", &a[K::HC1]}, {"C1", &a[K::C1]}})
    if (array->data && array->extent[1] != call.n_occ)
      detail::refuse("n_occ is " + text_of(call.n_occ) + " but " + name + " has " +
                     text_of(array->extent[1]) + " orbitals");
  call.matrices = H1;
  call.n_dir = a[H1 ? K::H1 : K::HC1].extent[2];
  return call;
}
inline void check_gap(const double* eigenvalues, int64_t n_occ, int64_t n_states) {
  int64_t highest = 0;
  for (int64_t i = 1; i < n_occ; ++i)
    if (eigenvalues[i] > eigenvalues[highest]) highest = i;
  for (int64_t e = n_occ; e < n_states; ++e)
    if (!(eigenvalues[e] > eigenvalues[highest]))
      detail::refuse("the empty state " + text_of(e + 1) + " is at " + text_of(eigenvalues[e]) +
                     " Ha and the occupied state " + text_of(highest + 1) + " at " +
                     text_of(eigenvalues[highest]) + "; without a gap there is no response of this form");
}

}  // namespace suite::dfpt
