// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of this family cost: the operations of the best way known to do what the kernel does, and
// the least traffic: each argument once, a result that is added to twice; tests/dfpt/costs.cpp counts them.
// Compiled into every implementation. FMA counts 2; a root or its inverse, a division, a logarithm or an
// exponential counts as 20. But for near pairs of dfpt.sum_up costs look at extents only: batches are counted
// as of equal size, by the root of the mean square where their functions count squared, which n_wave and
// n_list give only roughly (within some percent for batches of a molecule).
#include <algorithm>
#include <cmath>

#include "dfpt.hpp"
#include "harmonics.hpp"

namespace suite::dfpt {
namespace {

double number(int64_t n) { return static_cast<double>(n); }
double count(const suite_array& array) {
  double n = 1;
  for (int d = 0; d < array.rank; ++d) n *= number(array.extent[d]);
  return is_set(array) ? n : 0;
}
template <class Kernel>
double all_bytes(const suite_array* a) {
  double sum = 0;
  for (size_t i = 0; i < std::size(Kernel::arguments); ++i) {
    const bool both = (Kernel::arguments[i].intent & SUITE_INOUT) == SUITE_INOUT;
    if (a[i].rank > 0) sum += count(a[i]) * (a[i].type == SUITE_INT32 ? 4 : 8) * (both ? 2 : 1);
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
constexpr double distance_flops = 8, direction_flops = 20 + 3, log_knot_flops = 20 + 4,
                 shells_knot_flops = 20 + 20 + 5, spline_flops = 6;
double harmonics_flops(double n_lm) { return 3 * n_lm; }

// The functions at a point, in the mean.
double functions(const suite_array& wave, double n_points) { return count(wave) / n_points; }

}  // namespace

// Each atom of a batch has about as many functions as atoms have in the mean, and about as many harmonics,
// with l up to 3 at most; a tenth of the values lies behind the functions' outer radii.
int Basis::cost(const suite_array* a, suite_cost* cost) {
  const double values = count(a[wave]), of_atom = count(a[basis_atom]) / count(a[species]);
  const double way = direction_flops + log_knot_flops + harmonics_flops(std::min(of_atom, 16.0));
  return put(cost, values / of_atom * (distance_flops + 0.9 * way) + 0.9 * values * (spline_flops + 1),
             all_bytes<Basis>(a));
}

// Matrices: half of p n^2 multiplications for each direction, by symmetry. Orbitals: psi once, psi1 for each.
int Rho::cost(const suite_array* a, suite_cost* cost) {
  const double points = number(a[rho].extent[0]), dir = number(a[rho].extent[1]);
  const double values = count(a[wave]), n = functions(a[wave], points);
  const double flops = is_set(a[density_matrix]) ? dir * (values * (n + 1) + 3 * values)
                                                 : number(a[C].extent[1]) * (2 * values + 2 * points) *
                                                       (1 + (is_set(a[C1]) ? dir : 0));
  return put(cost, flops, all_bytes<Rho>(a));
}

int H::cost(const suite_array* a, suite_cost* cost) {
  const double points = count(a[partition_tab]), values = count(a[wave]), n = functions(a[wave], points);
  const double dir = number(a[is_set(a[H_]) ? H_ : HC].extent[2]), sides = is_set(a[wave_right]) ? 2 : 1;
  double flops = 0;
  if (is_set(a[H_])) flops += dir * (sides * values * (n + 1) + values);
  if (is_set(a[HC])) flops += number(a[C].extent[1]) * 2 * values * (1 + dir);
  return put(cost, flops, all_bytes<H>(a));
}

int Multipoles::cost(const suite_array* a, suite_cost* cost) {
  const double n_lm = number(a[rho_multipole].extent[0]), dir = number(a[rho].extent[1]);
  return put(cost,
             count(a[point_atom]) *
                 (distance_flops + direction_flops + harmonics_flops(n_lm) + dir * (1 + 2 * n_lm)),
             all_bytes<Multipoles>(a));
}

// A spline on the shells and 6 flops a point for its values, two integrals with what they are made of and go
// into, and on the knots a polynomial of six points and a spline. Powers and weights are the same for many
// components.
int Poisson::cost(const suite_array* a, suite_cost* cost) {
  const double components = count(a[moments]), grid = number(a[grid_shell].extent[0]),
               shells = number(a[r_radial].extent[0]), n_knots = number(a[Poisson::knots].extent[0]);
  const double tables = is_set(a[density_spl]) ? 2 : 1;
  return put(cost, components * (16 * shells + grid * (6 + 2 * (1 + 5 + 2)) + tables * n_knots * (12 + 16)),
             all_bytes<Poisson>(a));
}

namespace {

bool at_hand(const suite_array& array) { return array.data && array.place == SUITE_HOST; }

// The share of pairs that are near, of about 65,536 pairs of all where the arrays are at hand; else as in a
// large molecule, where a point has some thirty atoms near by.
double near_share(const suite_array* a) {
  const int64_t n_points = a[SumUp::coords].extent[1], n_atoms = a[SumUp::atom_coords].extent[1];
  for (const int i : {SumUp::coords, SumUp::atom_coords, SumUp::species, SumUp::multipole_radius})
    if (!at_hand(a[i])) return std::min(1.0, 32 / number(n_atoms));
  const auto* const r = static_cast<const double*>(a[SumUp::coords].data);
  const auto* const R = static_cast<const double*>(a[SumUp::atom_coords].data);
  const auto* const species = static_cast<const int32_t*>(a[SumUp::species].data);
  const auto* const radius = static_cast<const double*>(a[SumUp::multipole_radius].data);
  const int64_t stride = 1 + n_points * n_atoms / 65536, n_radii = a[SumUp::multipole_radius].extent[0];
  double near = 0, pairs = 0;
  for (int64_t p = 0; p < n_points; p += stride)
    for (int64_t atom = 0; atom < n_atoms; ++atom, ++pairs) {
      if (species[atom] < 1 || species[atom] > n_radii) continue;  // refused when it is run
      double square = 0;
      for (int d = 0; d < 3; ++d)
        square += (r[3 * p + d] - R[3 * atom + d]) * (r[3 * p + d] - R[3 * atom + d]);
      near += square < radius[species[atom] - 1] * radius[species[atom] - 1];
    }
  return pairs > 0 ? near / pairs : 0;
}

}  // namespace

// Far: the sums of each l, then by powers of 1/r. Near: splines. A hierarchy of boxes needs fewer.
int SumUp::cost(const suite_array* a, suite_cost* cost) {
  const double n_lm = number(a[moments].extent[0]), dir = number(a[potential].extent[1]);
  const double pairs = number(a[coords].extent[1]) * number(a[atom_coords].extent[1]), near = near_share(a);
  const double knot = is_set(a[grid_scale]) ? shells_knot_flops : log_knot_flops;
  const double far_flops = dir * 2 * (n_lm + std::sqrt(n_lm)),
               near_flops = knot + dir * (spline_flops + 2) * n_lm;
  return put(cost,
             pairs * (distance_flops + direction_flops + harmonics_flops(n_lm) + near * near_flops +
                      (1 - near) * far_flops),
             all_bytes<SumUp>(a));
}

int Response::cost(const suite_array* a, suite_cost* cost) {
  const double n = number(a[C].extent[0]), states = number(a[C].extent[1]);
  const double occupied = number(scalar_or<int32_t>(a[n_occ], 1)), empty = states - occupied;
  const double dir = number(a[is_set(a[H1]) ? H1 : HC1].extent[2]);
  double flops = 4 * n * empty * occupied;
  if (is_set(a[H1])) flops += 2 * n * n * occupied;
  if (is_set(a[density_matrix])) flops += 2 * n * n * occupied;
  // 1/(e_i - e_a) is the same for all directions.
  return put(cost, dir * flops + empty * occupied * (21 + dir), all_bytes<Response>(a));
}

}  // namespace suite::dfpt
