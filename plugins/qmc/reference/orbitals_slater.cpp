// SPDX-License-Identifier: BSD-3-Clause
// qmc.orbitals_slater: R = sum_k c r^n exp(-g r), D = R'/r = sum_k c (n r^(n-2) - g r^(n-1)) exp(-g r),
// R'' + 2 (l+1) D = sum_k c (g^2 r^n - 2 g (n+l+1) r^(n-1) + n (n+2l+1) r^(n-2)) exp(-g r). At r = 0 negative powers are left out.
#include "shells.hpp"

namespace suite::qmc::reference {
namespace {

double power_of(double r, int n) { return n < 0 && r == 0 ? 0 : std::pow(r, n); }

RadialPart slater(const ShellBasis& basis, const Shell& shell, double r2) {
  const double r = std::sqrt(r2);
  RadialPart sum;
  for (auto k = static_cast<size_t>(shell.first); k < static_cast<size_t>(shell.first + shell.primitives); ++k) {
    const int n = basis.power[k], l = shell.l;
    const double g = basis.exponent[k], e = basis.coefficient[k] * std::exp(-g * r);
    const double two_less = n > 0 ? power_of(r, n - 2) : 0;  // its factors contain n
    sum.R += e * power_of(r, n);
    sum.D += e * (n * two_less - g * power_of(r, n - 1));
    sum.bracket += e * (g * g * power_of(r, n) - 2 * g * (n + l + 1) * power_of(r, n - 1) + n * (n + 2 * l + 1) * two_less);
  }
  return sum;
}

}  // namespace

extern const suite_kernel_table orbitals_slater_table;
constexpr suite_kernel_table orbitals_slater_table =
    kernel_table<OrbitalsSlater, OrbitalsOfShells<OrbitalsSlater, slater>>("reference", "cpu");

}  // namespace suite::qmc::reference
