// SPDX-License-Identifier: BSD-3-Clause
// What the files of this plugin ask of each other.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include <suite/cpu/buffer.hpp>

#include "../pole_bins.hpp"

namespace suite::gpp {

// Matrix elements, plasmon-pole energies or I as numbers: real and imaginary parts interleaved in the complex flavour.
template <class Argument> const double* numbers_of(const Argument& argument) { return static_cast<const double*>(argument.array().data); }

// w and I of a call, as numbers.
struct PoleNumbers {
  const double *w, *I;
};
inline PoleNumbers poles_of(const Screening& call) { return {numbers_of(call.wtilde_array), numbers_of(call.I_eps_array)}; }

// An owned column with its v(q+G').
struct WeightedColumn : Column {
  double v;
};
std::vector<WeightedColumn> weighted_columns(const Screening& call);

struct Buffer : cpu::Buffer<double> {
  Buffer() : cpu::Buffer<double>(Sigma::name) {}
};

// Bins that finite modes are sorted by.
inline constexpr int bins = 16;

// For real w >= 0 (fast.cpp).
class FastSums {
public:
  FastSums(int64_t panel_bytes, int64_t block_bytes) : panel_bytes_(panel_bytes), block_bytes_(block_bytes) {}
  // All that is asked for; unless `totals`, what belongs to single bands. pole_bins: for interpolation in w, null for exact sums.
  void run(const suite_array* arguments, int threads, bool totals, const PoleBins<bins>* pole_bins);

private:
  void run_together(const Sigma& call, int threads, bool totals, const PoleBins<bins>* pole_bins);

  int64_t panel_bytes_, block_bytes_;
  Buffer rows_, columns_, sums_, modes_, slots_, basis_;
};

// For any complex w, band by band (general.cpp). Writes what is asked for of single bands; asxtemp, achtemp and achstemp if
// `totals`.
void general_sums(const Sigma& call, int threads, bool totals);

// The published steps v1 to v9, and fixed_length as step 10 (ladder.cpp).
void ladder_sums(const Sigma& call, int threads, int step);

}  // namespace suite::gpp
