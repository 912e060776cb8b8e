// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "call.hpp"

namespace suite::gpp {

// Any complex w (general.cu): acht_n1 if the call asks for it; asx and ach if `totals`.
class General {
public:
  explicit General(const gpu::Queue& queue)
      : queue_(queue), slots_(queue, "the sums of the blocks"), totals_(queue, "the sums of each band") {}
  void run(const Sigma& call, const Columns& columns, bool totals);

private:
  const gpu::Queue& queue_;
  gpu::Buffer<double> slots_, totals_;
};

}  // namespace suite::gpp
