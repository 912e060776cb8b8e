// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "call.hpp"

namespace suite::gpp {

// The published steps v1 to v9, and fixed_length as step 10 (ladder.cu): asx and ach.
class Ladder {
public:
  explicit Ladder(const gpu::Queue& queue) : queue_(queue), slots_(queue, "the sums of the blocks"), totals_(queue, "the sums") {}
  void run(const Sigma& call, const Columns& columns, int step);

private:
  const gpu::Queue& queue_;
  gpu::Buffer<double> slots_, totals_;
};

}  // namespace suite::gpp
