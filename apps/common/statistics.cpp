// SPDX-License-Identifier: BSD-3-Clause
#include "statistics.hpp"

#include <algorithm>
#include <cmath>

namespace suite::app {

Estimate estimate(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  const size_t n = samples.size();
  Estimate e;
  e.median = n % 2 ? samples[n / 2] : (samples[n / 2 - 1] + samples[n / 2]) / 2;
  // The median lies between the j-th smallest and the j-th largest sample with probability 1 - 2 P(Bin(n, 1/2) < j).
  size_t j = 0;
  double tail = 0, term = std::pow(0.5, static_cast<double>(n));
  for (size_t k = 0; k < n / 2; ++k) {
    tail += term;
    if (tail > 0.025) break;
    j = k + 1;
    term *= static_cast<double>(n - k) / static_cast<double>(k + 1);
  }
  e.interval = j > 0;
  e.low = samples[j > 0 ? j - 1 : 0];
  e.high = samples[j > 0 ? n - j : n - 1];
  return e;
}

Comparison compare_samples(const std::vector<double>& samples, const std::vector<double>& baseline) {
  constexpr double matters = 0.02;  // smaller differences are not worth a word
  std::vector<double> ratios;
  for (size_t i = 0; i < std::min(samples.size(), baseline.size()); ++i) ratios.push_back(samples[i] / baseline[i]);
  Comparison c{estimate(ratios), "unclear"};
  if (!c.ratio.interval) return c;
  if (c.ratio.high < 1 - matters) c.verdict = "FASTER";
  else if (c.ratio.low > 1 + matters) c.verdict = "SLOWER";
  else if (c.ratio.low > 1 - 2 * matters && c.ratio.high < 1 + 2 * matters) c.verdict = "same";
  return c;
}

}  // namespace suite::app
