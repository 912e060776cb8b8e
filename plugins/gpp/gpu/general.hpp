// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "call.hpp"

namespace suite::gpp {

// wx_array from energies and ekq, in `wx`.
const double* fill_differences(const gpu::Queue& queue, const Sigma& call, gpu::Buffer<double>& wx);

// Any complex w (general.cu): what the call asks for of single bands; asx and ach if `totals`.
class General {
public:
  explicit General(const gpu::Queue& queue)
      : queue_(queue), slots_(queue, "the sums of the blocks"), totals_(queue, "the sums of each band") {}
  void run(const Sigma& call, const Columns& columns, bool totals);

private:
  // Which sums of the bands: the energies from `first` on, or static CH.
  struct Range {
    int64_t first, count;
    bool still;
  };
  void sum(const Sigma& call, const Columns& columns, const Range& range, bool with_sx, int64_t e);
  const gpu::Queue& queue_;
  gpu::Buffer<double> slots_, totals_;
};

}  // namespace suite::gpp
