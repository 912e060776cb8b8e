// SPDX-License-Identifier: BSD-3-Clause
#include "harmonics.hpp"

#include <cmath>
#include <numbers>
#include <vector>

namespace suite::tddft {
namespace {

// factor x^power[0] y^power[1] z^power[2]
struct Monomial {
  double factor;
  std::array<int, 3> power;
};
using Polynomial = std::vector<Monomial>;

Polynomial scaled(double square, Polynomial polynomial) {
  for (Monomial& term : polynomial) term.factor *= std::sqrt(square / std::numbers::pi);
  return polynomial;
}

const Polynomial& polynomial(int l, int m) {
  static const std::vector<Polynomial> all[largest_l + 1] = {
      {scaled(1 / 4., {{1, {0, 0, 0}}})},
      {scaled(3 / 4., {{1, {1, 0, 0}}}), scaled(3 / 4., {{1, {0, 1, 0}}}), scaled(3 / 4., {{1, {0, 0, 1}}})},
      {scaled(15 / 4., {{1, {1, 1, 0}}}), scaled(15 / 4., {{1, {0, 1, 1}}}),
       scaled(5 / 16., {{2, {0, 0, 2}}, {-1, {2, 0, 0}}, {-1, {0, 2, 0}}}), scaled(15 / 4., {{1, {1, 0, 1}}}),
       scaled(15 / 16., {{1, {2, 0, 0}}, {-1, {0, 2, 0}}})},
      {scaled(35 / 32., {{3, {2, 1, 0}}, {-1, {0, 3, 0}}}), scaled(105 / 4., {{1, {1, 1, 1}}}),
       scaled(21 / 32., {{4, {0, 1, 2}}, {-1, {2, 1, 0}}, {-1, {0, 3, 0}}}),
       scaled(7 / 16., {{2, {0, 0, 3}}, {-3, {2, 0, 1}}, {-3, {0, 2, 1}}}),
       scaled(21 / 32., {{4, {1, 0, 2}}, {-1, {3, 0, 0}}, {-1, {1, 2, 0}}}), scaled(105 / 16., {{1, {2, 0, 1}}, {-1, {0, 2, 1}}}),
       scaled(35 / 32., {{1, {3, 0, 0}}, {-3, {1, 2, 0}}})}};
  return all[l][static_cast<size_t>(m)];
}

double whole_power(double x, int n) {
  double product = 1;
  for (int i = 0; i < n; ++i) product *= x;
  return product;
}

}  // namespace

double solid_harmonic(int l, int m, const Vec3& r) {
  double sum = 0;
  for (const auto& [factor, power] : polynomial(l, m))
    sum += factor * whole_power(r[0], power[0]) * whole_power(r[1], power[1]) * whole_power(r[2], power[2]);
  return sum;
}

Vec3 solid_harmonic_gradient(int l, int m, const Vec3& r) {
  Vec3 sum{};
  for (const auto& [factor, power] : polynomial(l, m))
    for (size_t d = 0; d < 3; ++d) {
      if (power[d] == 0) continue;
      double product = factor * power[d];
      for (size_t e = 0; e < 3; ++e) product *= whole_power(r[e], e == d ? power[e] - 1 : power[e]);
      sum[d] += product;
    }
  return sum;
}

}  // namespace suite::tddft
