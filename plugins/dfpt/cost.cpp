// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of this family cost: the operations of the best way known to do what the kernel does, and
// the least traffic: each argument once, a result that is added to twice. Compiled into every implementation.
// FMA counts 2; a root, a division, a logarithm or an exponential counts as about 20. Costs look at extents
// only: batches are counted as of equal size, by the root of the mean square where their functions count
// squared, which n_wave and n_list give only roughly (within some percent for batches of a molecule).
#include <algorithm>

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

// A distance, its logarithm or exponential, and the direction; harmonics; a spline; a power and a product.
constexpr double way_flops = 8 + 20 + 20 + 3, spline_flops = 6, far_flops = 8 + 20 + 3;
double harmonics_flops(double n_lm) { return 4 * n_lm; }

// The functions at a point, in the mean.
double functions(const suite_array& wave, double n_points) { return count(wave) / n_points; }

}  // namespace

// Each atom of a batch has about as many functions as atoms have in the mean.
int Basis::cost(const suite_array* a, suite_cost* cost) {
  const double values = count(a[wave]), pairs = values * count(a[species]) / count(a[basis_atom]);
  return put(cost, pairs * (way_flops + harmonics_flops(9)) + values * (spline_flops + 1),
             all_bytes<Basis>(a));
}

// Matrices: half of p n^2 multiplications for each direction, by symmetry. Orbitals: psi once, psi1 for each.
int Rho::cost(const suite_array* a, suite_cost* cost) {
  const double points = number(a[rho].extent[0]), dir = number(a[rho].extent[1]);
  const double values = count(a[wave]), n = functions(a[wave], points);
  const double flops = is_set(a[density_matrix]) ? dir * (values * (n + 1) + 2 * values)
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
  return put(cost, count(a[point_atom]) * (far_flops + harmonics_flops(n_lm) + dir * (1 + 2 * n_lm)),
             all_bytes<Multipoles>(a));
}

// A spline on the shells and 6 flops a point for its values, two integrals, the potential, and on the knots a
// polynomial of six points and a spline.
int Poisson::cost(const suite_array* a, suite_cost* cost) {
  const double components = count(a[moments]), grid = number(a[grid_shell].extent[0]),
               shells = number(a[r_radial].extent[0]), n_knots = number(a[Poisson::knots].extent[0]);
  const double tables = is_set(a[density_spl]) ? 2 : 1;
  return put(cost, components * (14 * shells + grid * (6 + 2 * (1 + 7) + 4) + tables * n_knots * (12 + 14)),
             all_bytes<Poisson>(a));
}

// All pairs as far ones, which nearly all are in a large molecule: a near one costs about 60 flops and 6 n_lm
// n_dir more. A hierarchy of boxes needs fewer.
int SumUp::cost(const suite_array* a, suite_cost* cost) {
  const double n_lm = number(a[moments].extent[0]), dir = number(a[potential].extent[1]);
  const double pairs = number(a[coords].extent[1]) * number(a[atom_coords].extent[1]);
  return put(cost, pairs * (far_flops + harmonics_flops(n_lm) + dir * 2 * n_lm), all_bytes<SumUp>(a));
}

int Response::cost(const suite_array* a, suite_cost* cost) {
  const double n = number(a[C].extent[0]), states = number(a[C].extent[1]);
  const double occupied = number(scalar_or<int32_t>(a[n_occ], 1)), empty = states - occupied;
  const double dir = number(a[is_set(a[H1]) ? H1 : HC1].extent[2]);
  double flops = 4 * n * empty * occupied;
  if (is_set(a[H1])) flops += 2 * n * n * occupied;
  if (is_set(a[density_matrix])) flops += 2 * n * n * occupied;
  return put(cost, dir * flops, all_bytes<Response>(a));
}

}  // namespace suite::dfpt
