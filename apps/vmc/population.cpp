// SPDX-License-Identifier: BSD-3-Clause
#include "population.hpp"

#include <algorithm>
#include <numeric>

namespace suite::vmc {

std::vector<int32_t> slots_after(std::span<const int32_t> copies) {
  const size_t n = copies.size();
  const auto alive = static_cast<size_t>(std::accumulate(copies.begin(), copies.end(), int64_t{0}));
  std::vector<int32_t> from(alive, 0), extra;
  for (size_t w = 0; w < n; ++w) {
    int32_t left = copies[w];
    if (left > 0 && w < alive) {
      from[w] = static_cast<int32_t>(w + 1);
      --left;
    }
    extra.insert(extra.end(), static_cast<size_t>(left), static_cast<int32_t>(w + 1));
  }
  auto next = extra.begin();
  for (auto& slot : from)
    if (slot == 0) slot = *next++;
  return from;
}

std::vector<int64_t> even_counts(int64_t count, int processes) {
  std::vector<int64_t> counts(static_cast<size_t>(processes), count / processes);
  for (size_t p = 0; p < static_cast<size_t>(count % processes); ++p) ++counts[p];
  return counts;
}

Balance balance_of(std::span<const int64_t> counts) {
  const int64_t all = std::accumulate(counts.begin(), counts.end(), int64_t{0});
  const auto even = even_counts(all, static_cast<int>(counts.size()));
  Balance balance;
  for (size_t p = 0; p < counts.size(); ++p) {
    balance.given.push_back(std::max<int64_t>(0, counts[p] - even[p]));
    balance.taken.push_back(std::max<int64_t>(0, even[p] - counts[p]));
    balance.moved += balance.given.back();
  }
  return balance;
}

bool unbalanced(std::span<const int64_t> counts) {
  const int64_t all = std::accumulate(counts.begin(), counts.end(), int64_t{0});
  const auto processes = static_cast<int64_t>(counts.size());
  const int64_t most = *std::max_element(counts.begin(), counts.end());
  const int64_t least = *std::min_element(counts.begin(), counts.end());
  return processes > 1 && (least == 0 || (most > least + 1 && 10 * processes * most > 11 * all));
}

double limited(double best, double energy, double limit) {
  return limit > 0 ? std::clamp(best - energy, -limit, limit) : best - energy;
}

}  // namespace suite::vmc
