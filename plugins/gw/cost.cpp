// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of this family cost.
#include <algorithm>

#include "plan.hpp"

namespace suite::gw {
namespace {

// What the lines take that are not zero, on a grid of n^3 points of which `some` of n are wanted along an
// axis, in a sphere.
double flops_of_lines(double n, double some) {
  const double share = std::min(1.0, some / n);
  return 5 * n * std::log2(n) * n * n * (1 + share + 0.25 * std::numbers::pi * share * share);
}

}  // namespace

// The cheaper of two ways, with the internal bands' transforms taken for constant: by transforms, 8 flop for
// the product at each point and spinor component and 5 n log2(n) for each line that is not zero, two bands at
// a time in the real flavour; or as a product of matrices, 8 flop (real flavour 2) for each plane wave. The
// grid is that of spheres in a cubic lattice which hold as many vectors, without alias, so that the count
// depends on extents alone: on a device the lists are not at hand.
int Mtxel::cost(const suite_array* arguments, suite_cost* cost) {
  const Mtxel c(arguments);
  const auto radius = [](int64_t n) { return std::cbrt(3 * static_cast<double>(n) / (4 * std::numbers::pi)); };
  const double reach = radius(std::max(c.npw_ket(), c.npw_bra())), wanted = radius(c.ncouls()), n = 2 * reach + wanted + 1;
  const double pairs = static_cast<double>(c.ntband() * c.nex()) / (c.is_real() ? 2 : 1), element = c.is_real() ? 8 : 16;
  const double by_transforms = pairs * (flops_of_lines(n, 2 * wanted + 1) + 8 * n * n * n * static_cast<double>(c.nspinor())) +
                               static_cast<double>(c.nex() * c.nspinor()) * flops_of_lines(n, 2 * reach + 1);
  cost->flops = std::min(flops_of_product(c), by_transforms);
  cost->bytes = element * static_cast<double>(c.npw_ket() * c.ntband() * c.nspinor() + c.npw_bra() * c.nex() * c.nspinor() +
                                              c.ncouls() * c.ntband() * c.nex());
  return SUITE_OK;
}

// Per pair: the scalar product 5 (with bdot (q+G) once for each G), factors and density 4 (real 3), z 6 and 4
// (real 1), and a division and a root of 20 each.
int PolesOfScreening::cost(const suite_array* arguments, suite_cost* cost) {
  const PolesOfScreening c(arguments);
  const double pairs = static_cast<double>(c.ncouls()) * static_cast<double>(c.ngpown()), element = c.is_real() ? 8 : 16;
  cost->flops = pairs * (5 + 40 + (c.is_real() ? 5 : 16));
  cost->bytes = pairs * (2 * element + 16);
  return SUITE_OK;
}

// A complex product takes 8 flop, a real one 2, for each pair, row, column and frequency, and half of that where the matrix is Hermitian and
// all its columns are here: without z, or with z on an axis. A z that is not on the host counts as one off the axes. Factors and scaled elements
// are not counted.
int Chi::cost(const suite_array* arguments, suite_cost* cost) {
  const Chi c(arguments);
  const double element = c.is_real() ? 8 : 16, pairs = static_cast<double>(c.npair()), rows = static_cast<double>(c.ncouls());
  const double matrix = rows * static_cast<double>(c.ngpown());
  cost->flops = 0;
  const double matrices = static_cast<double>(c.nfreq()) * (c.chi_imaginary.is_set() ? 2 : 1);
  const bool known = c.z.is_set() && c.z.data() && c.z.array().place == SUITE_HOST;
  for (int64_t i = 0; i < c.nfreq(); ++i) {
    const bool on_an_axis = !c.z.is_set() || (known && (c.z(i).real() == 0 || c.z(i).imag() == 0));
    const double half = c.ngpown() == c.ncouls() && (on_an_axis || c.is_real()) ? 0.5 * (1 + 1 / rows) : 1;
    const double products = c.chi_imaginary.is_set() && !on_an_axis ? 2 : 1;
    cost->flops += products * half * (c.is_real() ? 2 : 8) * matrix * pairs;
  }
  cost->bytes = element * rows * pairs + 16 * pairs + 2 * element * matrix * matrices;
  return SUITE_OK;
}

}  // namespace suite::gw
