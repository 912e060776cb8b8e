// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of this family cost.
#include "plan.hpp"

namespace suite::gw {
namespace {

bool at_hand(const suite_array& array) { return array.data && array.place == SUITE_HOST; }

// A grid like that of a cubic cell whose spheres hold so many vectors, where the lists are not at hand.
double estimated_flops(const Mtxel& c) {
  const auto radius = [](int64_t n) {
    return std::cbrt(3 * static_cast<double>(n) / (4 * std::numbers::pi));
  };
  const double reach = radius(c.npw_ket()), wanted = radius(c.ncouls()), n = 2 * reach + wanted + 1;
  const double line = 5 * n * std::log2(n + 1), of_wanted = std::min(1.0, (2 * wanted + 1) / n);
  return line * n * n * (1 + of_wanted + 0.785 * of_wanted * of_wanted);
}

}  // namespace

// The cheaper of two ways, with the internal bands' transforms taken for constant: by transforms, 8 flop for
// the product at each point and spinor component and the stages of all lines that are not zero, two bands at
// a time in the real flavour; or as a product of matrices, 8 flop (real flavour 2) for each plane wave.
int Mtxel::cost(const suite_array* arguments, suite_cost* cost) {
  return guarded(nullptr, [&] {
    const Mtxel c(arguments);
    const double pairs = static_cast<double>(c.ntband() * c.nex()) / (c.is_real() ? 2 : 1);
    double transform = 0, external = 0;
    if (at_hand(c.g_ket) && at_hand(c.g_bra) && at_hand(c.g)) {
      const Plan plan = make_plan(c);
      transform = plan.flops_to_wanted() + 8.0 * static_cast<double>(plan.points() * c.nspinor());
      external = plan.flops_to_grid(plan.bra);
    } else {
      transform = external = estimated_flops(c);
    }
    const double element = c.is_real() ? 8 : 16;
    cost->flops = std::min(flops_of_product(c),
                           pairs * transform + static_cast<double>(c.nex() * c.nspinor()) * external);
    cost->bytes = element * static_cast<double>(c.npw_ket() * c.ntband() * c.nspinor() +
                                                c.npw_bra() * c.nex() * c.nspinor() +
                                                c.ncouls() * c.ntband() * c.nex());
  });
}

// Per pair: the scalar product 5 (with bdot (q+G) once for each G), factors and density 4 (real 3), z 6 and 4
// (real 1), and a division and a root of 20 each.
int PolesOfScreening::cost(const suite_array* arguments, suite_cost* cost) {
  const PolesOfScreening c(arguments);
  const double pairs = static_cast<double>(c.ncouls()) * static_cast<double>(c.ngpown()),
               element = c.is_real() ? 8 : 16;
  cost->flops = pairs * (5 + 40 + (c.is_real() ? 5 : 16));
  cost->bytes = pairs * (2 * element + 16);
  return SUITE_OK;
}

}  // namespace suite::gw
