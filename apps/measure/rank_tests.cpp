// SPDX-License-Identifier: BSD-3-Clause
#include "rank_tests.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace suite::app {
namespace {

constexpr double significant = 0.05;

// Twice the rank of each value, so that the mean rank of ties is a whole number too. ties: sum of t^3 - t.
std::vector<size_t> doubled_ranks(const std::vector<double>& values, double* ties) {
  std::vector<size_t> order(values.size()), ranks(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t i, size_t j) { return values[i] < values[j]; });
  for (size_t begin = 0; begin < order.size();) {
    size_t end = begin;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    for (size_t i = begin; i < end; ++i) ranks[order[i]] = begin + end + 1;
    const auto t = static_cast<double>(end - begin);
    *ties += t * t * t - t;
    begin = end;
  }
  return ranks;
}

double two_sided(double below, double above) { return std::min(1.0, 2 * std::min(below, above)); }

// Probability of a standard normal variable at least this far from 0.
double normal_p(double z) { return std::erfc(std::abs(z) / std::sqrt(2.0)); }

// Probability of a sum <= and >= observed in a distribution over sums.
double tails(const std::vector<double>& probability, size_t observed) {
  double below = 0, above = 0;
  for (size_t s = 0; s < probability.size(); ++s) {
    if (s <= observed) below += probability[s];
    if (s >= observed) above += probability[s];
  }
  return two_sided(below, above);
}

// Distribution of the sum of `taken` of these ranks, all choices equally likely.
std::vector<double> sums_of_choices(const std::vector<size_t>& ranks, size_t taken) {
  const size_t largest = std::accumulate(ranks.begin(), ranks.end(), size_t{0});
  std::vector<std::vector<double>> ways(taken + 1, std::vector<double>(largest + 1, 0.0));
  ways[0][0] = 1;
  for (const size_t rank : ranks)
    for (size_t k = taken; k > 0; --k)
      for (size_t s = largest + 1; s-- > rank;) ways[k][s] += ways[k - 1][s - rank];
  const double all = std::accumulate(ways[taken].begin(), ways[taken].end(), 0.0);
  for (double& w : ways[taken]) w /= all;
  return ways[taken];
}

constexpr size_t exact_pairs = 50, exact_values = 30;

// Number of smallest (and of largest) differences outside the 95 % interval of the shift.
size_t outside(size_t n, size_t m) {
  const auto nm = static_cast<double>(n) * static_cast<double>(m), all = static_cast<double>(n + m);
  if (n + m > exact_values) return static_cast<size_t>(std::max(0.0, std::floor(nm / 2 - 1.96 * std::sqrt(nm * (all + 1) / 12))));
  std::vector<size_t> ranks(n + m);
  std::iota(ranks.begin(), ranks.end(), size_t{1});
  const std::vector<double> probability = sums_of_choices(ranks, n);
  const size_t least = n * (n + 1) / 2;  // the rank sum if no difference is negative
  double below = 0;
  size_t k = 0;
  while (least + k < probability.size() && (below += probability[least + k]) <= significant / 2) ++k;
  return k;
}

std::vector<double> at_most(std::vector<double> values, size_t limit) {
  if (values.size() <= limit) return values;
  std::vector<double> some(limit);
  for (size_t i = 0; i < limit; ++i) some[i] = values[i * values.size() / limit];
  return some;
}

double median_of_sorted(const std::vector<double>& sorted) {
  const size_t n = sorted.size();
  return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

}  // namespace

double signed_rank_p(std::vector<double> differences) {
  std::erase(differences, 0.0);
  const size_t n = differences.size();
  if (n == 0) return 1;
  std::vector<double> sizes(n);
  std::transform(differences.begin(), differences.end(), sizes.begin(), [](double d) { return std::abs(d); });
  double ties = 0;
  const std::vector<size_t> ranks = doubled_ranks(sizes, &ties);
  size_t positive = 0;
  for (size_t i = 0; i < n; ++i)
    if (differences[i] > 0) positive += ranks[i];
  if (n <= exact_pairs) {
    const size_t largest = std::accumulate(ranks.begin(), ranks.end(), size_t{0});
    std::vector<double> probability(largest + 1, 0.0);
    probability[0] = 1;
    for (const size_t rank : ranks)
      for (size_t s = largest + 1; s-- > 0;) probability[s] = 0.5 * (probability[s] + (s >= rank ? probability[s - rank] : 0));
    return tails(probability, positive);
  }
  const auto count = static_cast<double>(n);
  const double mean = count * (count + 1) / 4;
  const double variance = count * (count + 1) * (2 * count + 1) / 24 - ties / 48;
  return variance > 0 ? normal_p((static_cast<double>(positive) / 2 - mean) / std::sqrt(variance)) : 1;
}

double rank_sum_p(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.empty() || b.empty()) return 1;
  std::vector<double> all = a;
  all.insert(all.end(), b.begin(), b.end());
  double ties = 0;
  const std::vector<size_t> ranks = doubled_ranks(all, &ties);
  const size_t sum = std::accumulate(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(a.size()), size_t{0});
  if (all.size() <= exact_values) return tails(sums_of_choices(ranks, a.size()), sum);
  const auto n = static_cast<double>(a.size()), m = static_cast<double>(b.size()), total = n + m;
  const double distance = std::abs(static_cast<double>(sum) / 2 - n * (total + 1) / 2);
  const double variance = n * m / 12 * (total + 1 - ties / (total * (total - 1)));
  // Continuity correction: the sum is a whole number, the normal variable is not.
  return variance > 0 ? normal_p(std::max(0.0, distance - 0.5) / std::sqrt(variance)) : 1;
}

std::optional<Shift> shift_of(std::vector<double> a, std::vector<double> b) {
  constexpr size_t enough = 400;
  if (a.empty() || b.empty()) return std::nullopt;
  a = at_most(std::move(a), enough);
  b = at_most(std::move(b), enough);
  std::vector<double> differences;
  differences.reserve(a.size() * b.size());
  for (const double x : a)
    for (const double y : b) differences.push_back(x - y);
  std::sort(differences.begin(), differences.end());
  const size_t k = outside(a.size(), b.size());
  Shift shift{median_of_sorted(differences), differences.front(), differences.back(), k > 0};
  if (shift.interval) {
    shift.low = differences[k - 1];
    shift.high = differences[differences.size() - k];
  }
  return shift;
}

}  // namespace suite::app
