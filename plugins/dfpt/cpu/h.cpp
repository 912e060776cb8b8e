// SPDX-License-Identifier: BSD-3-Clause
// dfpt.h: the fastest way (h_best.cpp) or a published step (h_ladder.cpp).
#include "h.hpp"

namespace suite::dfpt {
namespace {

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {
      {"variant", 4, 0, 4, variants,
       "naive: W v chi and a batch's matrix as two-dimensional temporaries, one batch after the other\n"
       "parallelism: a batch for each thread, which adds to the matrix while the others wait [faster]\n"
       "memory: the matrix in tiles of 32 by 32 [faster]\n"
       "control_flow: only pairs m <= n, the number of directions known to the compiler [faster]\n"
       "best: batches in segments, a register tile for all directions, half of the "
       "pairs" SUITE_DFPT_BEST_EXPECTED},
      cpu::threads_parameter};
  Cpu(const suite_backend*, suite_queue*, const int64_t* p)
      : variant_(static_cast<Step>(p[0])), threads_(p[1]) {}

  void prepare(const suite_array* a) {
    call_ = check_h(a);
    segments_ = segments_of(call_.batches, numbers<int32_t>(a[H::i_basis]));
  }
  void execute(const suite_array* a) {
    if (variant_ == Step::best)
      h_best(call_, segments_, HArrays(a), threads_, scratch_);
    else
      h_step(variant_, call_, HArrays(a), threads_);
  }

private:
  Step variant_;
  int64_t threads_;
  HCall call_;
  std::vector<Segment> segments_;
  cpu::Scratch scratch_{"dfpt.h"};
};

}  // namespace

extern const suite_kernel_table h_table;
constexpr suite_kernel_table h_table = kernel_table<H, Cpu>("cpu", "cpu");

}  // namespace suite::dfpt
