// SPDX-License-Identifier: BSD-3-Clause
#include "shells.hpp"

#include <cmath>

#include "call.hpp"
#include "solid_harmonics.hpp"

namespace suite::qmc {

ShellBasis shell_basis(ShellArguments a, int64_t nao) {
  ShellBasis basis;
  const size_t nshell = a.shell_ion.size();
  const auto nion = std::ssize(a.rion) / 3, nprim = std::ssize(a.exponent);
  for (size_t k = 0; k < a.exponent.size(); ++k)
    if (!(a.exponent[k] > 0)) refuse(element("exponent", k) + " is " + text_of(a.exponent[k]) + "; exponents must be positive");
  for (size_t k = 0; k < a.power.size(); ++k)
    if (a.power[k] < 0 || a.power[k] > largest_power)
      refuse(element("power", k) + " is " + text_of(int64_t{a.power[k]}) + "; it must be 0 to " + text_of(int64_t{largest_power}));
  if (nshell == 0) refuse("nshell is 0 in shell_ion; a basis must have a shell");
  if (a.shell_first.front() != 1) refuse("shell_first(1) is " + text_of(int64_t{a.shell_first.front()}) + "; the first primitive is 1");
  if (a.shell_first.back() != nprim + 1)
    refuse(element("shell_first", nshell) + " is " + text_of(int64_t{a.shell_first.back()}) + " but nprim is " + text_of(nprim) +
           " in exponent; the last must be nprim + 1");
  for (size_t s = 0; s < nshell; ++s) {
    if (a.shell_ion[s] < 1 || a.shell_ion[s] > nion)
      refuse(element("shell_ion", s) + " is " + text_of(int64_t{a.shell_ion[s]}) + "; the ions are 1 to " + text_of(nion));
    if (a.shell_l[s] < 0 || a.shell_l[s] > largest_l)
      refuse(element("shell_l", s) + " is " + text_of(int64_t{a.shell_l[s]}) + "; it must be 0 to " + text_of(int64_t{largest_l}) +
             " (s to g)");
    if (a.shell_first[s + 1] <= a.shell_first[s])
      refuse(element("shell_first", s + 1) + " is " + text_of(int64_t{a.shell_first[s + 1]}) + " after " +
             text_of(int64_t{a.shell_first[s]}) + "; every shell must have a primitive");
    if (!a.shell_cutoff.empty() && !(a.shell_cutoff[s] > 0))
      refuse(element("shell_cutoff", s) + " is " + text_of(a.shell_cutoff[s]) + " bohr; it must be positive");
    Shell shell;
    shell.ion = a.shell_ion[s] - 1;
    shell.l = a.shell_l[s];
    shell.ao = basis.nao;
    shell.first = a.shell_first[s] - 1;
    shell.primitives = a.shell_first[s + 1] - a.shell_first[s];
    const auto first = static_cast<size_t>(shell.first);
    shell.cutoff = a.shell_cutoff.empty() ? negligible_beyond(shell.l, &a.exponent[first], &a.coefficient[first],
                                                              a.power.empty() ? nullptr : &a.power[first], shell.primitives)
                                          : a.shell_cutoff[s];
    basis.shells.push_back(shell);
    basis.nao += 2 * shell.l + 1;
  }
  if (basis.nao != nao) refuse("nao is " + text_of(nao) + " in mo; the shells have " + text_of(basis.nao) + " functions, 2 l + 1 each");
  basis.rion = std::move(a.rion);
  basis.exponent = std::move(a.exponent);
  basis.coefficient = std::move(a.coefficient);
  basis.power = std::move(a.power);
  return basis;
}

double negligible_beyond(int l, const double* exponent, const double* coefficient, const int32_t* power, int64_t primitives) {
  double size = 0, inside = 0;
  for (int64_t k = 0; k < primitives; ++k) {
    const double g = exponent[k], n = power ? l + power[k] : 0;
    inside = std::max(inside, power ? (n + 2) / g : std::sqrt(20 / g));
    size += std::abs(coefficient[k]) * std::pow(g, power ? -n : -0.5 * l);
  }
  const auto bound = [&](double d) {
    double sum = 0;
    for (int64_t k = 0; k < primitives; ++k) {
      const double x = power ? exponent[k] * d : exponent[k] * d * d, factor = 1 + (power ? 1 : 4) * x;
      sum += std::abs(coefficient[k]) * std::pow(d, power ? l + power[k] : l) * factor * factor * std::exp(-x);
    }
    return sum;
  };
  double outside = inside;  // from where on every term falls
  while (bound(outside) > 1e-16 * size) outside *= 1.25;
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (inside + outside);
    (bound(middle) > 1e-16 * size ? inside : outside) = middle;
  }
  return outside;
}

double harmonic_norm(int l, int64_t k) {
  const int m = static_cast<int>((k + 1) / 2);
  double square = m == 0 ? 1 : 2;
  for (int i = l - m + 1; i <= l + m; ++i) square /= i;
  return std::sqrt(square);
}

std::vector<double> orbitals_side_by_side(const ShellBasis& basis, const double* mo, int64_t norb, int64_t stride) {
  std::vector<double> turned(static_cast<size_t>(stride * basis.nao));
  for (const Shell& shell : basis.shells)
    for (int64_t k = 0; k < 2 * shell.l + 1; ++k) {
      const int64_t i = shell.ao + k;
      for (int64_t a = 0; a < norb; ++a) turned[static_cast<size_t>(a + stride * i)] = mo[i + basis.nao * a] * harmonic_norm(shell.l, k);
    }
  return turned;
}

}  // namespace suite::qmc
