// SPDX-License-Identifier: BSD-3-Clause
#include "fractions.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace suite::dfpt {
namespace {

using Numbers = std::vector<double>;

size_t at(int i) { return static_cast<size_t>(i); }

// Those of Chebyshev's polynomials, by values at the `count` zeros of the next one.
template <class F> Numbers chebyshev_coefficients(const F& f, int count) {
  Numbers sums(at(count));
  for (int k = 0; k < count; ++k) {
    const double angle = std::numbers::pi * (k + 0.5) / count, value = f(std::cos(angle));
    for (int n = 0; n < count; ++n) sums[at(n)] += (n == 0 ? 1.0 : 2.0) / count * value * std::cos(n * angle);
  }
  return sums;
}

// The same sum in powers, the highest first. T_(n+1) = 2 t T_n - T_(n-1).
Numbers in_powers(const Numbers& chebyshev) {
  const size_t count = chebyshev.size();
  Numbers sum(count), T(count), below(count);
  T[0] = 1;
  for (size_t n = 0; n < count; ++n) {
    for (size_t k = 0; k <= n; ++k) sum[count - 1 - k] += chebyshev[n] * T[k];
    Numbers next(count);
    for (size_t k = 0; k + 1 < count; ++k) next[k + 1] = (n == 0 ? 1 : 2) * T[k];
    if (n > 0)
      for (size_t k = 0; k < count; ++k) next[k] -= below[k];
    below = std::exchange(T, std::move(next));
  }
  return sum;
}

}  // namespace

KnotFractions::KnotFractions(const RadialGrid& grid) {
  constexpr double negligible = 3e-13;  // x itself, some hundreds, is rounded by a fifth of that
  for (int32_t knot = 0; knot < grid.n_knots - 1; ++knot) {
    const double begin = grid.radius(knot), end = grid.radius(knot + 1.0);
    const double middle = 0.5 * (begin + end), half = 0.5 * (end - begin);
    Place place{1 / half, -middle / half, static_cast<int>(numbers_.size()), 0};
    for (const int count : {8, 10, 13, 17}) {
      const Numbers sums = chebyshev_coefficients([&](double t) { return grid.coordinate(middle + half * t) - knot; }, count);
      if (!(std::abs(sums.back()) + std::abs(sums.end()[-2]) <= negligible)) continue;
      place.count = count;
      const Numbers powers = in_powers(sums);
      numbers_.insert(numbers_.end(), powers.begin(), powers.end());
      break;
    }
    places_.push_back(place);
  }
}

}  // namespace suite::dfpt
