// SPDX-License-Identifier: BSD-3-Clause
// Mean values of correlated data with honest error bars: reblocking (Flyvbjerg, Petersen, J. Chem. Phys.
// 91, 461 (1989)) while the data come in, one accumulator for each block length 1, 2, 4 ...
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace suite::vmc {

// The standard error of the mean as it looks from blocks of one length.
struct BlockLevel {
  int64_t length = 1;  // samples in a block
  int64_t blocks = 0;  // whole ones
  double error = 0, error_of_error = 0;
};

struct Reblocked {
  double mean = 0;
  double error = 0, error_of_error = 0;
  double variance = 0;          // of a sample
  double uncorrelated = 0;      // the error if the samples were independent
  double correlation_time = 1;  // (error/uncorrelated)^2 samples
  int64_t samples = 0, block_length = 1, blocks = 0;
  bool converged = false;  // false: the data are too short for their correlation, error is a lower bound
};

// Samples x with weights w, in the order in which they are made: the mean is sum w x/sum w, the error that of
// a ratio. Several series (one for each walker) are merged level by level, always in the same order, so that
// the sums do not depend on who made which series.
class Reblocking {
public:
  void add(double value, double weight = 1);
  // The other's blocks beside one's own; what waits for its block to be full there is left out of longer
  // blocks.
  void merge(const Reblocking& other);

  int64_t samples() const { return levels_.empty() ? 0 : levels_.front().blocks; }
  double mean() const;
  double variance() const;
  std::vector<BlockLevel> levels() const;  // those with at least 2 blocks
  // The shortest blocks of length B with B^3 > 2 n (error_B/error_1)^4 (Lee, Conduit, Nemec, Lopez Rios,
  // Drummond, Phys. Rev. E 83, 066706 (2011)), at least 16 of them; else the largest error seen.
  Reblocked estimate() const;

  // All of it as numbers, for checkpoints and other processes; series of equal length make equally many.
  std::vector<double> state() const;
  static Reblocking restore(std::span<const double> state);

private:
  struct Level {
    int64_t blocks = 0;
    // Sums over whole blocks of their weight W and S = sum w (x - shift).
    double w = 0, s = 0, ww = 0, sw = 0, ss = 0;
    bool waits = false;
    double w_waits = 0, s_waits = 0;
  };
  double error_of(const Level& level) const;
  void move_shift(double shift);

  double shift_ = 0;  // near the mean, so that nothing cancels
  double wxx_ = 0;    // sum w (x - shift)^2
  std::vector<Level> levels_;
};

// The same of a series that is there already.
Reblocked reblock(std::span<const double> values, std::span<const double> weights = {});

// y = value + slope x with the errors of the y known; both errors by propagation.
struct LinearFit {
  double value = 0, value_error = 0, slope = 0, slope_error = 0, chi2 = 0;
};
LinearFit fit_line(std::span<const double> x, std::span<const double> y, std::span<const double> error);

}  // namespace suite::vmc
