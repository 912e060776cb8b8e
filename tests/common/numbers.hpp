// SPDX-License-Identifier: BSD-3-Clause
// Lists of numbers: random ones, and how far two lists are from each other.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

namespace suite::test {

using Complex = std::complex<double>;
using Numbers = std::vector<double>;
using Complexes = std::vector<Complex>;
constexpr double pi = std::numbers::pi;

inline Numbers random_numbers(int64_t count, unsigned seed, double low, double high) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(low, high);
  Numbers x(static_cast<size_t>(count));
  for (double& value : x) value = uniform(engine);
  return x;
}

template <class X> double largest(const std::vector<X>& x) {
  double most = 0;
  for (const X& value : x) most = std::max(most, std::abs(value));
  return most;
}
// Largest difference; a NaN counts as infinitely far.
template <class X> double distance(const std::vector<X>& a, const std::vector<X>& b) {
  if (a.size() != b.size()) return HUGE_VAL;
  double most = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const double d = std::abs(a[i] - b[i]);
    if (!(d <= most)) most = std::isnan(d) ? HUGE_VAL : d;
  }
  return most;
}
// The same in units of b's largest element.
template <class X> double relative_distance(const std::vector<X>& a, const std::vector<X>& b) {
  const double scale = largest(b);
  return scale > 0 ? distance(a, b) / scale : distance(a, b);
}

}  // namespace suite::test
