// SPDX-License-Identifier: BSD-3-Clause
// Orbitals of shells, function by function, for qmc.orbitals_gaussian and qmc.orbitals_slater. S_lm as a sum of monomials from the explicit
// form of the Legendre functions (Helgaker, Jorgensen, Olsen, Molecular Electronic-Structure Theory, section 6.4.2). With lap S = 0,
// r.grad S = l S, D = R'/r:
//   grad (R S) = R grad S + S D r,   lap (R S) = S (R'' + 2 (l+1) D)
#pragma once

#include <array>

#include "../shells.hpp"
#include "../solid_harmonics.hpp"
#include "kernels.hpp"

namespace suite::qmc::reference {

inline double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
inline double binomial(int n, int k) { return factorial(n) / factorial(k) / factorial(n - k); }

struct Monomial {
  double factor;
  int power[3];
};

// S_lm of this m >= 0, the part with cos(m phi) or that with sin(m phi).
inline std::vector<Monomial> solid_harmonic(int l, int m, bool sine) {
  std::vector<Monomial> sum;
  const double norm = m == 0 ? 1 : std::sqrt(2 * factorial(l - m) / factorial(l + m));
  for (int k = 0; 2 * k <= l - m; ++k) {
    const double legendre =
        (k % 2 ? -1 : 1) * binomial(l, k) * binomial(2 * l - 2 * k, l) * factorial(l - 2 * k) / factorial(l - 2 * k - m) / std::pow(2.0, l);
    // (x^2 + y^2 + z^2)^k
    for (int i = 0; i <= k; ++i)
      for (int j = 0; i + j <= k; ++j)
        for (int q = 0; q <= m; ++q) {  // (x + i y)^m
          if ((q % 2 == 1) != sine) continue;
          const double square = factorial(k) / factorial(i) / factorial(j) / factorial(k - i - j);
          sum.push_back({norm * legendre * square * binomial(m, q) * (q / 2 % 2 ? -1 : 1),
                         {2 * i + m - q, 2 * j + q, 2 * (k - i - j) + l - 2 * k - m}});
        }
  }
  return sum;
}

inline double power_or_0(double x, int n) { return n < 0 ? 0 : small_power(x, n); }

struct Harmonic {
  double value = 0;
  Vector gradient;
};
inline Harmonic at(const std::vector<Monomial>& sum, const Vector& r) {
  Harmonic s;
  for (const Monomial& term : sum) {
    const auto& p = term.power;
    s.value += term.factor * power_or_0(r.x[0], p[0]) * power_or_0(r.x[1], p[1]) * power_or_0(r.x[2], p[2]);
    for (int d = 0; d < 3; ++d) {
      const int e = (d + 1) % 3, f = (d + 2) % 3;
      s.gradient.x[d] += term.factor * p[d] * power_or_0(r.x[d], p[d] - 1) * power_or_0(r.x[e], p[e]) * power_or_0(r.x[f], p[f]);
    }
  }
  return s;
}

// R, R'/r and R'' + 2 (l+1) R'/r of a shell.
struct RadialPart {
  double R = 0, D = 0, bracket = 0;
};

// radial(basis, shell, r^2) is its RadialPart.
template <class Kernel, RadialPart radial(const ShellBasis&, const Shell&, double)> class OrbitalsOfShells {
public:
  OrbitalsOfShells(const suite_backend*, suite_queue*, const int64_t*) {
    for (int l = 0; l <= largest_l; ++l) {
      harmonics_[l].push_back(solid_harmonic(l, 0, false));
      for (int m = 1; m <= l; ++m)
        for (const bool sine : {false, true}) harmonics_[l].push_back(solid_harmonic(l, m, sine));
    }
  }

  void execute(const suite_array* arguments) {
    const Kernel c(arguments);
    const auto copy = [](const auto& from, const char*, auto& to) { to = copy_of(from); };
    const ShellBasis basis = shell_basis(shell_arguments(c, copy), c.nao());
    for (int64_t w = 0; w < c.r.extent(2); ++w)
      for (int64_t m = 0; m < c.r.extent(1); ++m) {
        std::vector<Local> phi(static_cast<size_t>(c.norb()));
        for (const Shell& shell : basis.shells) add_shell(c, basis, shell, &c.r(0, m, w), phi);
        for (int64_t a = 0; a < c.norb(); ++a) put(c, a, m, w, phi[static_cast<size_t>(a)]);
      }
  }

private:
  void add_shell(const Kernel& c, const ShellBasis& basis, const Shell& shell, const double* position, std::vector<Local>& phi) const {
    const Vector r = difference(position, &basis.rion[static_cast<size_t>(3 * shell.ion)]);
    const double r2 = dot(r, r);
    if (!(std::sqrt(r2) < shell.cutoff)) return;
    const auto [R, D, bracket] = radial(basis, shell, r2);
    for (int64_t k = 0; k < 2 * shell.l + 1; ++k) {
      const Harmonic S = at(harmonics_[shell.l][static_cast<size_t>(k)], r);
      for (int64_t a = 0; a < c.norb(); ++a) {
        const double coefficient = c.mo(shell.ao + k, a);
        Local& orbital = phi[static_cast<size_t>(a)];
        orbital.value += coefficient * R * S.value;
        orbital.laplacian += coefficient * bracket * S.value;
        for (int d = 0; d < 3; ++d) orbital.gradient.x[d] += coefficient * (R * S.gradient.x[d] + D * S.value * r.x[d]);
      }
    }
  }

  std::array<std::vector<std::vector<Monomial>>, largest_l + 1> harmonics_;
};

}  // namespace suite::qmc::reference
