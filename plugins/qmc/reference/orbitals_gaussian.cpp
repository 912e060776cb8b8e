// SPDX-License-Identifier: BSD-3-Clause
// qmc.orbitals_gaussian: R = sum_k c exp(-g r^2), D = R'/r = sum_k -2 g c exp(-g r^2),
// R'' + 2 (l+1) D = sum_k (4 g^2 r^2 - 2 g (2l+3)) c exp(-g r^2).
#include "shells.hpp"

namespace suite::qmc::reference {
namespace {

RadialPart gaussian(const ShellBasis& basis, const Shell& shell, double r2) {
  RadialPart sum;
  for (auto k = static_cast<size_t>(shell.first); k < static_cast<size_t>(shell.first + shell.primitives); ++k) {
    const double g = basis.exponent[k], e = basis.coefficient[k] * std::exp(-g * r2);
    sum.R += e;
    sum.D -= 2 * g * e;
    sum.bracket += (4 * g * g * r2 - 2 * g * (2 * shell.l + 3)) * e;
  }
  return sum;
}

}  // namespace

extern const suite_kernel_table orbitals_gaussian_table;
constexpr suite_kernel_table orbitals_gaussian_table =
    kernel_table<OrbitalsGaussian, OrbitalsOfShells<OrbitalsGaussian, gaussian>>("reference", "cpu");

}  // namespace suite::qmc::reference
