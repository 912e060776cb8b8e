// SPDX-License-Identifier: BSD-3-Clause
#include "axis.hpp"

#include <algorithm>
#include <cmath>

namespace suite::plot {

double Range::part(double value) const {
  if (logarithmic) return std::log(std::max(value, 1e-300) / low) / std::log(high / low);
  return (value - low) / (high - low);
}

std::vector<double> ticks(double low, double high, int count) {
  if (!std::isfinite(low) || !std::isfinite(high) || !(high > low) || count < 1) return {};
  if (!(high - low > 1e-12 * std::max(std::abs(low), std::abs(high)))) return {low};  // a constant but for rounding: no step would advance
  const double rough = (high - low) / count, power = std::pow(10.0, std::floor(std::log10(rough)));
  const double step = power * (rough < 1.5 * power ? 1 : rough < 3.5 * power ? 2 : rough < 7.5 * power ? 5 : 10);
  std::vector<double> all;
  for (double t = std::ceil(low / step) * step; t <= high + 1e-9 * step; t += step) all.push_back(std::abs(t) < 1e-9 * step ? 0 : t);
  return all;
}

std::vector<double> log_ticks(double low, double high) {
  if (!(low > 0) || !std::isfinite(high) || !(high > low)) return {};
  const double span = std::log10(high / low);
  const std::vector<double> factors = span < 2   ? std::vector<double>{1, 2, 5}
                                      : span < 3 ? std::vector<double>{1, 3}
                                                 : std::vector<double>{1};
  const int first = static_cast<int>(std::floor(std::log10(low))), last = static_cast<int>(std::ceil(std::log10(high)));
  const int step = std::max(1, (last - first) / 7);
  std::vector<double> all;
  for (int power = first; power <= last; power += step)
    for (const double factor : factors)
      if (const double t = factor * std::pow(10.0, power); t >= low * (1 - 1e-9) && t <= high * (1 + 1e-9)) all.push_back(t);
  return all;
}

}  // namespace suite::plot
