// SPDX-License-Identifier: BSD-3-Clause
#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/core.h>

#include <suite/plugin.hpp>

namespace suite::vmc {
namespace {

constexpr size_t head = 3, per_level = 13;  // number of values in state()
constexpr int64_t enough_blocks = 16;       // determine the error to a third, with the covariance of neighbours

}  // namespace

void Reblocking::move_shift(double shift) {
  const double by = shift - shift_;
  if (by == 0) return;
  if (!levels_.empty()) {
    const Level& first = levels_.front();
    wxx_ += by * (by * first.w - 2 * first.s);
  }
  for (auto& l : levels_) {
    l.ss += by * (by * l.ww - 2 * l.sw);
    l.sw -= by * l.ww;
    l.s -= by * l.w;
    l.pair_ss += by * (by * l.pair_ww - l.pair_sw);
    l.pair_sw -= 2 * by * l.pair_ww;
    l.s_last -= by * l.w_last;
  }
  shift_ = shift;
}

void Reblocking::add(double value, double weight) {
  if (levels_.empty()) {
    shift_ = value;
    levels_.emplace_back();
  }
  const double x = value - shift_;
  wxx_ += weight * x * x;
  double w = weight, s = weight * x;
  for (size_t level = 0;; ++level) {
    Level& l = levels_[level];
    l.w += w, l.s += s;
    l.ww += w * w, l.sw += s * w, l.ss += s * s;
    if (l.blocks > 0) {
      ++l.pairs;
      l.pair_ww += w * l.w_last, l.pair_sw += s * l.w_last + w * l.s_last, l.pair_ss += s * l.s_last;
    }
    ++l.blocks;
    std::swap(w, l.w_last), std::swap(s, l.s_last);
    l.waits = !l.waits;
    if (l.waits) break;
    w += l.w_last, s += l.s_last;
    if (level + 1 == levels_.size()) levels_.emplace_back();
  }
  const int64_t n = samples();
  if (n <= 4096 && (n & (n - 1)) == 0 && levels_.front().w > 0) move_shift(mean());
}

void Reblocking::merge(const Reblocking& other) {
  if (other.levels_.empty()) return;
  if (levels_.empty()) shift_ = other.shift_;
  Reblocking there = other;
  there.move_shift(shift_);
  if (levels_.size() < there.levels_.size()) levels_.resize(there.levels_.size());
  wxx_ += there.wxx_;
  for (size_t i = 0; i < there.levels_.size(); ++i) {
    Level& l = levels_[i];
    const Level& t = there.levels_[i];
    l.blocks += t.blocks;
    l.w += t.w, l.s += t.s, l.ww += t.ww, l.sw += t.sw, l.ss += t.ss;
    l.pairs += t.pairs;
    l.pair_ww += t.pair_ww, l.pair_sw += t.pair_sw, l.pair_ss += t.pair_ss;
  }
}

double Reblocking::mean() const { return levels_.empty() ? 0 : shift_ + levels_.front().s / levels_.front().w; }

double Reblocking::variance() const {
  if (samples() < 2) return 0;
  const Level& l = levels_.front();
  const double d = l.s / l.w;
  const double spread = std::max(wxx_ / l.w - d * d, 0.0);
  return spread / (1 - l.ww / (l.w * l.w));  // n/(n - 1) for equal weights
}

// With n blocks and p pairs of neighbours, (sum of squares + 2 sum of products) of deviations from the estimated mean is n^2 - n - 2 p times the
// square of the error, to first order in 1/n. What is behind the last complete block counts in the mean: the square of its error is smaller by as much
// as its weight is greater.
BlockLevel Reblocking::estimate_of(const Level& l, int64_t length) const {
  const double d = l.s / l.w, all = std::sqrt(l.w * levels_.front().w), n = static_cast<double>(l.blocks),
               terms = n + 2 * static_cast<double>(l.pairs);
  const double squares = std::max(l.ss - 2 * d * l.sw + d * d * l.ww, 0.0);
  BlockLevel out;
  out.length = length;
  out.blocks = l.blocks;
  out.independent = std::sqrt(n / (n - 1) * squares) / all;
  out.error = out.independent;
  if (terms < n * n) {
    // Neighbours that make more than half of the squares disappear are noise.
    const double products = l.pair_ss - d * l.pair_sw + d * d * l.pair_ww, sum = std::max(squares + 2 * products, squares / 2);
    out.error = std::sqrt(n * n / (n * n - terms) * sum) / all;
  }
  out.error_of_error = out.error * std::sqrt(terms / 2) / n;
  return out;
}

std::vector<BlockLevel> Reblocking::levels() const {
  std::vector<BlockLevel> out;
  int64_t length = 1;
  for (const auto& l : levels_) {
    if (l.blocks < 2) break;
    out.push_back(estimate_of(l, length));
    length *= 2;
  }
  return out;
}

Reblocked Reblocking::estimate() const {
  Reblocked out;
  out.samples = samples();
  out.mean = mean();
  out.variance = variance();
  const auto all = levels();
  if (all.empty()) return out;
  out.uncorrelated = all.front().independent;
  const auto take = [&](const BlockLevel& level) {
    out.error = level.error;
    out.error_of_error = level.error_of_error;
    out.block_length = level.length;
    out.blocks = level.blocks;
  };
  if (out.uncorrelated == 0) {  // constant data
    take(all.front());
    out.converged = true;
    return out;
  }
  const auto n = static_cast<double>(out.samples);
  const auto time_of = [&](const BlockLevel& level) { return std::max(std::pow(level.error / out.uncorrelated, 2), 1.0); };
  const BlockLevel *largest = &all.front(), *chosen = largest;
  for (const auto& level : all) {
    if (level.blocks < enough_blocks) break;
    if (level.error > largest->error) largest = &level;
    chosen = &level;
    const double time = time_of(level);
    if (static_cast<double>(level.length) >= time * std::max(std::cbrt(n / time / enough_blocks), 1.0)) break;
  }
  const double time = time_of(*chosen);
  out.converged = chosen->blocks >= enough_blocks && static_cast<double>(chosen->length) >= time && n / time >= enough_times;
  take(out.converged ? *chosen : *largest);
  out.correlation_time = std::pow(out.error / out.uncorrelated, 2);
  return out;
}

std::vector<double> Reblocking::state() const {
  std::vector<double> out{shift_, wxx_, static_cast<double>(levels_.size())};
  for (const auto& l : levels_)
    out.insert(out.end(), {static_cast<double>(l.blocks), l.w, l.s, l.ww, l.sw, l.ss, static_cast<double>(l.pairs), l.pair_ww, l.pair_sw,
                           l.pair_ss, l.w_last, l.s_last, l.waits ? 1.0 : 0.0});
  return out;
}

Reblocking Reblocking::restore(std::span<const double> state) {
  if (state.size() < head || (state.size() - head) % per_level || state[2] != static_cast<double>((state.size() - head) / per_level))
    throw Failure(SUITE_INVALID_ARGUMENT,
                  fmt::format("the state of a reblocking has {} numbers, which is not {} and {} for each of its levels", state.size(), head,
                              per_level));
  Reblocking out;
  out.shift_ = state[0];
  out.wxx_ = state[1];
  for (auto rest = state.subspan(head); !rest.empty(); rest = rest.subspan(per_level))
    out.levels_.push_back({static_cast<int64_t>(rest[0]), rest[1], rest[2], rest[3], rest[4], rest[5], static_cast<int64_t>(rest[6]),
                           rest[7], rest[8], rest[9], rest[10], rest[11], rest[12] != 0});
  return out;
}

Reblocked reblock(std::span<const double> values, std::span<const double> weights) {
  if (!weights.empty() && weights.size() != values.size())
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("{} weights for {} values", weights.size(), values.size()));
  Reblocking all;
  for (size_t i = 0; i < values.size(); ++i) all.add(values[i], weights.empty() ? 1 : weights[i]);
  return all.estimate();
}

LinearFit fit_line(std::span<const double> x, std::span<const double> y, std::span<const double> error) {
  if (x.size() < 2 || y.size() != x.size() || error.size() != x.size())
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("a line needs two or more points with errors; there are {} x, {} y and {} errors",
                                                      x.size(), y.size(), error.size()));
  double s = 0, sx = 0, sy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    if (!(error[i] > 0)) throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("error {} of a fit is {:f}, not above 0", i + 1, error[i]));
    const double w = 1 / (error[i] * error[i]);
    s += w, sx += w * x[i], sy += w * y[i];
  }
  const double mean = sx / s;
  double spread = 0, slope = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double w = 1 / (error[i] * error[i]), t = x[i] - mean;
    spread += w * t * t, slope += w * t * y[i];
  }
  if (!(spread > 0)) throw Failure(SUITE_INVALID_ARGUMENT, "all points of a line have the same x");
  LinearFit fit;
  fit.slope = slope / spread;
  fit.slope_error = 1 / std::sqrt(spread);
  fit.value = sy / s - fit.slope * mean;
  fit.value_error = std::sqrt(1 / s + mean * mean / spread);
  for (size_t i = 0; i < x.size(); ++i) {
    const double off = (y[i] - fit.value - fit.slope * x[i]) / error[i];
    fit.chi2 += off * off;
  }
  return fit;
}

}  // namespace suite::vmc
