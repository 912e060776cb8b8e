// SPDX-License-Identifier: BSD-3-Clause
#include "screened.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

namespace suite::qmc {

#if defined(__AVX512F__)
namespace {
// erf(sqrt x)/sqrt x, by 2/sqrt(pi) sum_k (-x)^k/(k! (2 k + 1)) near 0 and below.
long double even_part(long double x) {
  if (x > 0.5L) return std::erf(std::sqrt(x)) / std::sqrt(x);
  long double power = 1, total = 0;
  for (int k = 0; k < 40; ++k) {
    total += power / (2 * k + 1);
    power *= -x / (k + 1);
  }
  return 2 * std::numbers::inv_sqrtpi_v<long double> * total;
}

// Polynomials through a function at the Chebyshev points of -1/2 .. 1/2, by powers.
template <int terms> class Interpolation {
public:
  Interpolation() {
    long double before[terms] = {}, now[terms] = {1};  // T_{k-1}, T_k of 2 t
    for (int k = 0; k < terms; ++k) {
      for (int j = 0; j < terms; ++j) {
        const long double weight = std::cos(k * angle(j)) * (k ? 2 : 1) / terms;
        for (int i = 0; i < terms; ++i) power_[i][j] += weight * now[i];
      }
      long double next[terms];
      for (int i = 0; i < terms; ++i) next[i] = (i > 0 ? (k ? 4 : 2) * now[i - 1] : 0) - before[i];
      std::copy_n(now, terms, before);
      std::copy_n(next, terms, now);
    }
  }
  // power(i), i < terms.
  template <class F, class G> void operator()(F&& f, G&& power) const {
    long double value[terms];
    for (int j = 0; j < terms; ++j) value[j] = f(std::cos(angle(j)) / 2);
    for (int i = 0; i < terms; ++i) power(i) = std::inner_product(value, value + terms, power_[i], 0.0L);
  }

private:
  static long double angle(int j) { return std::numbers::pi_v<long double> * (j + 0.5L) / terms; }
  long double power_[terms][terms] = {};  // what value j adds to power i
};
}  // namespace
#endif

Screened::Screened(double alpha, double reach, double unit) : alpha_(alpha), scale_(alpha * alpha * unit * unit), end_(reach * reach) {
#if defined(__AVX512F__)
  per_interval_ = (intervals - 0.5) / end_;  // the first from -1/2 on
  const Interpolation<terms> interpolate;
  for (int i = 0; i < intervals; ++i)
    interpolate([&](long double t) { return even_part((i + t) / per_interval_); }, [&](int k) -> double& { return table_[k][i]; });
#endif
}

}  // namespace suite::qmc
