// SPDX-License-Identifier: BSD-3-Clause
#include "statistics.hpp"

#include <algorithm>
#include <cmath>

#include "rank_tests.hpp"

namespace suite::app {

namespace {

// The largest j for which the median lies between the j-th smallest and the j-th largest of n samples with a probability of at least 95 %:
// 1 - 2 P(Bin(n, 1/2) < j).
size_t outer_rank(size_t n) {
  constexpr size_t exact = 1000;  // beyond, 2^-n underflows, and the normal approximation is as good
  if (n > exact) return static_cast<size_t>(static_cast<double>(n) / 2 - 0.98 * std::sqrt(static_cast<double>(n)));
  size_t j = 0;
  double tail = 0, term = std::pow(0.5, static_cast<double>(n));
  for (size_t k = 0; k < n / 2; ++k) {
    tail += term;
    if (tail > 0.025) break;
    j = k + 1;
    term *= static_cast<double>(n - k) / static_cast<double>(k + 1);
  }
  return j;
}

}  // namespace

Estimate estimate(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  const size_t n = samples.size(), j = outer_rank(n);
  Estimate e;
  e.median = n % 2 ? samples[n / 2] : (samples[n / 2 - 1] + samples[n / 2]) / 2;
  e.interval = j > 0;
  e.low = samples[j > 0 ? j - 1 : 0];
  e.high = samples[j > 0 ? n - j : n - 1];
  return e;
}

namespace {

// The clock may show 0 for something very short.
double log_of(double seconds) { return std::log(std::max(seconds, 1e-12)); }

Comparison judged(Comparison c) {
  constexpr double matters = 0.02;  // smaller differences are not reported
  constexpr double significant = 0.05;
  c.verdict = "unclear";
  if (!c.ratio.interval) return c;
  if (c.ratio.high < 1 - matters && c.p <= significant) c.verdict = "FASTER";
  else if (c.ratio.low > 1 + matters && c.p <= significant) c.verdict = "SLOWER";
  else if (c.ratio.low > 1 - 2 * matters && c.ratio.high < 1 + 2 * matters) c.verdict = "same";
  return c;
}

}  // namespace

Comparison compare_samples(const std::vector<double>& samples, const std::vector<double>& baseline) {
  std::vector<double> logs;
  for (size_t i = 0; i < std::min(samples.size(), baseline.size()); ++i) logs.push_back(log_of(samples[i]) - log_of(baseline[i]));
  Comparison c;
  c.ratio = estimate(logs);
  if (logs.empty()) return judged(c);
  for (double* value : {&c.ratio.median, &c.ratio.low, &c.ratio.high}) *value = std::exp(*value);
  c.p = signed_rank_p(std::move(logs));
  return judged(c);
}

Comparison compare_independent(const std::vector<double>& samples, const std::vector<double>& baseline) {
  std::vector<double> a, b;
  for (const double s : samples) a.push_back(log_of(s));
  for (const double s : baseline) b.push_back(log_of(s));
  Comparison c;
  if (const auto shift = shift_of(a, b)) {
    const bool enough = std::min(a.size(), b.size()) >= 6;
    c.ratio = {std::exp(shift->median), std::exp(shift->low), std::exp(shift->high), shift->interval && enough};
    c.p = rank_sum_p(a, b);
  }
  return judged(c);
}

}  // namespace suite::app
