// SPDX-License-Identifier: BSD-3-Clause
// Means of correlated data with reliable error bars: on-the-fly reblocking (Flyvbjerg, Petersen, J. Chem. Phys. 91, 461 (1989)) with one
// accumulator for each block length 1, 2, 4 ... It also sums the covariance of neighbouring blocks, which blocks alone neglect: with it the error
// of the mean is right from blocks of about the correlation time on, and there are many more of these than of blocks that are independent.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace suite::vmc {

// Standard error of the mean estimated from blocks of one length.
struct BlockLevel {
  int64_t length = 1;  // samples per block
  int64_t blocks = 0;  // complete ones
  double independent = 0;  // error if the blocks were independent
  double error = 0;  // with the covariance of neighbouring blocks
  double error_of_error = 0;
};

struct Reblocked {
  double mean = 0;
  double error = 0, error_of_error = 0;
  double variance = 0;  // of a sample
  double uncorrelated = 0;  // error if the samples were independent
  double correlation_time = 1;  // (error/uncorrelated)^2 samples
  int64_t samples = 0, block_length = 1, blocks = 0;
  bool converged = false;  // false: too few data for their correlation; the error may be too small
};

constexpr double enough_times = 50;  // correlation times in a run; of fewer, a time that is short by chance is taken for true

// Accumulates samples x with weights w: the mean is sum w x/sum w, the error that of a ratio. Several series (one per walker) are merged
// level by level, always in the same order, so that the sums do not depend on which process made which series.
class Reblocking {
public:
  void add(double value, double weight = 1);
  // Adds the other series' blocks; its incomplete blocks are omitted from longer blocks.
  void merge(const Reblocking& other);

  int64_t samples() const { return levels_.empty() ? 0 : levels_.front().blocks; }
  double mean() const;
  double variance() const;
  std::vector<BlockLevel> levels() const;  // levels with at least 2 blocks
  // Uses the shortest blocks of at least max(1, (N/16)^(1/3)) correlation times, N being the length of all series in correlation times; otherwise
  // the longest of which there are 16. Blocks that grow as the cube root balance what is neglected and the noise, as in Lee, Conduit, Nemec, Lopez
  // Rios, Drummond, Phys. Rev. E 83, 066706 (2011). Converged: blocks of a correlation time, N of 50 or more; otherwise the largest error found.
  Reblocked estimate() const;

  // The state as numbers, for checkpoints and other processes; series of equal length have states of equal size.
  std::vector<double> state() const;
  static Reblocking restore(std::span<const double> state);

private:
  struct Level {
    int64_t blocks = 0;
    // Sums over complete blocks of their weight W and S = sum w (x - shift).
    double w = 0, s = 0, ww = 0, sw = 0, ss = 0;
    // Sums over pairs of neighbouring blocks of W W', S W' + W S' and S S'.
    int64_t pairs = 0;
    double pair_ww = 0, pair_sw = 0, pair_ss = 0;
    double w_last = 0, s_last = 0;  // the last complete block
    bool waits = false;  // for a second one to make a block of twice the length with
  };
  BlockLevel estimate_of(const Level& level, int64_t length) const;
  void move_shift(double shift);

  double shift_ = 0;  // near the mean, to avoid cancellation
  double wxx_ = 0;  // sum w (x - shift)^2
  std::vector<Level> levels_;
};

// Reblocks a complete series.
Reblocked reblock(std::span<const double> values, std::span<const double> weights = {});

// Fits y = value + slope x to y with known errors; both errors by propagation.
struct LinearFit {
  double value = 0, value_error = 0, slope = 0, slope_error = 0, chi2 = 0;
};
LinearFit fit_line(std::span<const double> x, std::span<const double> y, std::span<const double> error);

}  // namespace suite::vmc
