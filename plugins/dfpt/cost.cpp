// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of this family cost: the operations of the best way known to do what the kernel does, and
// the least traffic: each argument once, a result that is added to twice; tests/dfpt/costs.cpp counts them.
// Compiled into every implementation. FMA counts 2; a root or its inverse, a division, a logarithm or an
// exponential counts as 20. But for near pairs of dfpt.sum_up costs look at extents only: batches are counted
// as of equal size, by the root of the mean square where their functions count squared, which n_wave and
// n_list give only roughly (within some percent for batches of a molecule).
#include <algorithm>
#include <cmath>
#include <numbers>

#include "dfpt.hpp"
#include "harmonics.hpp"

namespace suite::dfpt {
namespace {

double number(int64_t n) { return static_cast<double>(n); }
double count_of(const suite_array& array) {
  double n = 1;
  for (int d = 0; d < array.rank; ++d) n *= number(array.extent[d]);
  return is_set(array) ? n : 0;
}
double count(const auto& argument) { return count_of(argument.array()); }
template <class Kernel> double all_bytes(const suite_array* a) {
  double sum = 0;
  for (size_t i = 0; i < rows<Kernel>.size(); ++i) {
    const bool both = rows<Kernel>[i].intent == SUITE_INOUT;
    if (a[i].rank > 0) sum += count_of(a[i]) * (a[i].type == SUITE_INT32 ? 4 : 8) * (both ? 2 : 1);
  }
  return sum;
}
int put(suite_cost* cost, double flops, double bytes) {
  cost->flops = flops;
  cost->bytes = bytes;
  return SUITE_OK;
}

// A distance and the direction; with a radial table its logarithm and a knot, or by shells an exponential and
// a root; harmonics; a spline.
constexpr double distance_flops = 8, direction_flops = 20 + 3, log_knot_flops = 20 + 4, shells_knot_flops = 20 + 20 + 5, spline_flops = 6;
double harmonics_flops(double n_lm) { return 3 * n_lm; }

}  // namespace

// Each atom of a batch has about as many functions as atoms have in the mean, and about as many harmonics,
// with l up to 3 at most; a tenth of the values lies behind the functions' outer radii.
int Basis::cost(const suite_array* a, suite_cost* cost) {
  const Basis c(a);
  const double values = count(c.wave), of_atom = count(c.basis_atom) / count(c.species);
  const double way = direction_flops + log_knot_flops + harmonics_flops(std::min(of_atom, 16.0));
  return put(cost, values / of_atom * (distance_flops + 0.9 * way) + 0.9 * values * (spline_flops + 1), all_bytes<Basis>(a));
}

// Matrices: half of p n^2 multiplications for each direction, by symmetry. Orbitals: psi once, psi1 for each.
int Rho::cost(const suite_array* a, suite_cost* cost) {
  const Rho c(a);
  const double points = number(c.n_points()), dir = number(c.n_dir());
  const double values = count(c.wave), functions = values / points;  // the latter at a point, in the mean
  const double flops = c.density_matrix.is_set() ? dir * (values * (functions + 1) + 3 * values)
                                                 : number(c.C.extent(1)) * (2 * values + 2 * points) * (1 + (c.C1.is_set() ? dir : 0));
  return put(cost, flops, all_bytes<Rho>(a));
}

int Hamiltonian::cost(const suite_array* a, suite_cost* cost) {
  const Hamiltonian c(a);
  const double points = count(c.partition_tab), values = count(c.wave), functions = values / points;
  const double dir = number((c.H.is_set() ? c.H : c.HC).extent(2)), sides = c.wave_right.is_set() ? 2 : 1;
  double flops = 0;
  if (c.H.is_set()) flops += dir * (sides * values * (functions + 1) + values);
  if (c.HC.is_set()) flops += number(c.C.extent(1)) * 2 * values * (1 + dir);
  return put(cost, flops, all_bytes<Hamiltonian>(a));
}

int Multipoles::cost(const suite_array* a, suite_cost* cost) {
  const Multipoles c(a);
  const double n_lm = number(c.n_lm()), dir = number(c.n_dir());
  return put(cost, count(c.point_atom) * (distance_flops + direction_flops + harmonics_flops(n_lm) + dir * (1 + 2 * n_lm)),
             all_bytes<Multipoles>(a));
}

// A spline on the shells and 6 flops a point for its values, two integrals with what they are made of and go
// into, and on the knots a polynomial of six points and a spline. Powers and weights are the same for many
// components.
int Poisson::cost(const suite_array* a, suite_cost* cost) {
  const Poisson c(a);
  const double grid = number(c.n_grid()), tables = c.density_spl.is_set() ? 2 : 1;
  return put(cost, count(c.moments) * (16 * number(c.n_radial()) + grid * (6 + 2 * (1 + 5 + 2)) + tables * number(c.n_knots()) * (12 + 16)),
             all_bytes<Poisson>(a));
}

namespace {

bool at_hand(const auto& argument) { return argument && argument.array().place == SUITE_HOST; }

// The share of pairs that are near, of about 65,536 pairs of all where the arrays are at hand; else as in a
// large molecule, where a point has some thirty atoms near by.
double near_share(const SumUp& c) {
  if (!at_hand(c.coords) || !at_hand(c.atom_coords) || !at_hand(c.species) || !at_hand(c.multipole_radius))
    return std::min(1.0, 32 / number(c.n_atoms()));
  const int64_t stride = 1 + c.n_points() * c.n_atoms() / 65536;
  double near = 0, pairs = 0;
  for (int64_t p = 0; p < c.n_points(); p += stride)
    for (int64_t atom = 0; atom < c.n_atoms(); ++atom, ++pairs) {
      if (c.species(atom) < 1 || c.species(atom) > c.n_species()) continue;  // refused when it is run
      double square = 0;
      for (int d = 0; d < 3; ++d) {
        const double x = c.coords(d, p) - c.atom_coords(d, atom);
        square += x * x;
      }
      near += square < c.radius_of(atom) * c.radius_of(atom);
    }
  return pairs > 0 ? near / pairs : 0;
}

}  // namespace

// Far: the sums of each l, then by powers of 1/r. Near: splines. A hierarchy of boxes needs fewer.
int SumUp::cost(const suite_array* a, suite_cost* cost) {
  const SumUp c(a);
  const double n_lm = number(c.moments.extent(0)), dir = number(c.n_dir());
  const double pairs = number(c.n_points()) * number(c.n_atoms()), near = near_share(c);
  const double knot = c.grid_scale.is_set() ? shells_knot_flops : log_knot_flops;
  const double far_flops = dir * 2 * (n_lm + std::sqrt(n_lm)), near_flops = knot + dir * (spline_flops + 2) * n_lm;
  return put(cost, pairs * (distance_flops + direction_flops + harmonics_flops(n_lm) + near * near_flops + (1 - near) * far_flops),
             all_bytes<SumUp>(a));
}

int Response::cost(const suite_array* a, suite_cost* cost) {
  const Response c(a);
  const double n = number(c.n_basis()), states = number(c.n_states());
  const double occupied = c.n_occ.is_set() ? number(c.n_occ) : 1, empty = states - occupied;
  const double dir = number((c.H1.is_set() ? c.H1 : c.HC1).extent(2));
  double flops = 4 * n * empty * occupied;
  if (c.H1.is_set()) flops += 2 * n * n * occupied;
  if (c.density_matrix.is_set()) flops += 2 * n * n * occupied;
  // 1/(e_i - e_a) is the same for all directions.
  return put(cost, dir * flops + empty * occupied * (21 + dir), all_bytes<Response>(a));
}

// The plane waves of half a sphere, in lines of equal g_1 and g_2 with pairs of g_3 and -g_3: four products a
// pair, point and direction, and the phase of each line once. The factors of all pairs take a phase and the
// harmonics' sum for each atom.
int Reciprocal::cost(const suite_array* a, suite_cost* cost) {
  const Reciprocal c(a);
  const double n_g = number(c.n_g()), n_lm = number(c.n_lm()), dir = number(c.n_dir());
  const double lines = std::numbers::pi / 2 * std::pow(1.5 * n_g / std::numbers::pi, 2.0 / 3), pairs = (n_g + lines) / 2;
  const double factors = n_g * (direction_flops + harmonics_flops(n_lm) + number(c.n_atoms()) * (6 + dir * (2 * n_lm + 8)));
  return put(cost, factors + number(c.n_points()) * (pairs * 8 * dir + lines * (6 + 4 * dir)), all_bytes<Reciprocal>(a));
}

}  // namespace suite::dfpt
