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

Branching branching_of(std::span<const int64_t> mine, std::span<const int32_t> from) {
  constexpr int32_t elsewhere = -1;
  const int64_t slots = mine.empty() ? 0 : *std::max_element(mine.begin(), mine.end()) + 1;
  std::vector<int32_t> here(static_cast<size_t>(slots), elsewhere), copies(mine.size(), 0);
  for (size_t w = 0; w < mine.size(); ++w) here[static_cast<size_t>(mine[w])] = static_cast<int32_t>(w);
  const auto walker_of = [&](int32_t slot) { return slot <= slots ? here[static_cast<size_t>(slot - 1)] : elsewhere; };
  for (const int32_t slot : from)
    if (const int32_t w = walker_of(slot); w != elsewhere) ++copies[static_cast<size_t>(w)];

  // Branching of each walker in turn.
  std::vector<size_t> next(mine.size() + 1, 0);
  std::partial_sum(copies.begin(), copies.end(), next.begin() + 1);
  std::vector<int64_t> branched(next.back());
  std::vector<size_t> end(next);
  for (size_t s = 0; s < from.size(); ++s)
    if (const int32_t w = walker_of(from[s]); w != elsewhere) branched[end[static_cast<size_t>(w)]++] = static_cast<int64_t>(s);

  Branching out{slots_after(copies), {}};
  for (const int32_t w : out.from) out.slots.push_back(branched[next[static_cast<size_t>(w - 1)]++]);
  return out;
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

std::vector<Relocation> moves_to_balance(std::span<const int32_t> home, int processes) {
  std::vector<int64_t> counts(static_cast<size_t>(processes), 0);
  for (const int32_t p : home) ++counts[static_cast<size_t>(p)];
  if (!unbalanced(counts)) return {};
  std::vector<std::vector<int64_t>> slots(counts.size());
  for (size_t s = 0; s < home.size(); ++s) slots[static_cast<size_t>(home[s])].push_back(static_cast<int64_t>(s));
  Balance balance = balance_of(counts);
  std::vector<Relocation> moves;
  size_t to = 0;
  for (size_t p = 0; p < slots.size(); ++p)
    for (int64_t i = counts[p] - balance.given[p]; i < counts[p]; ++i) {
      while (balance.taken[to] == 0) ++to;
      --balance.taken[to];
      moves.push_back({slots[p][static_cast<size_t>(i)], static_cast<int>(p), static_cast<int>(to)});
    }
  return moves;
}

double limited(double best, double energy, double limit) { return limit > 0 ? std::clamp(best - energy, -limit, limit) : best - energy; }

}  // namespace suite::vmc
