// SPDX-License-Identifier: BSD-3-Clause
// dfpt.rho: the fastest way (rho_best.cpp) or a published step (rho_ladder.cpp).
#include "rho.hpp"

namespace suite::dfpt {
namespace {

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {
      {"variant", 4, 0, 4, variants,
       "naive: a batch's part of the matrix and its product with chi as two-dimensional temporaries, one "
       "batch after the other\n"
       "parallelism: a batch for each thread, a vector of the product instead of the whole [faster]\n"
       "memory: the matrix in tiles of 32 by 32, points in groups that stay in registers [faster]\n"
       "control_flow: only pairs m <= n, the number of directions known to the compiler [faster]\n"
       "best: batches in segments, a register tile for all directions, half of the "
       "pairs" SUITE_DFPT_BEST_EXPECTED},
      cpu::threads_parameter};
  Cpu(const suite_backend*, suite_queue*, const int64_t* p)
      : variant_(static_cast<Step>(p[0])), threads_(p[1]) {}

  void prepare(const suite_array* a) {
    call_ = check_rho(a);
    segments_ = segments_of(call_.batches, numbers<int32_t>(a[Rho::i_basis]));
  }
  void execute(const suite_array* a) {
    call_.form = rho_form(a);
    if (variant_ == Step::best)
      rho_best(call_, segments_, RhoArrays(a), threads_, scratch_);
    else
      rho_step(variant_, call_, RhoArrays(a), threads_);
  }

private:
  Step variant_;
  int64_t threads_;
  RhoCall call_;
  std::vector<Segment> segments_;
  cpu::Scratch scratch_{"dfpt.rho"};
};

}  // namespace

extern const suite_kernel_table rho_table;
constexpr suite_kernel_table rho_table = kernel_table<Rho, Cpu>("cpu", "cpu");

}  // namespace suite::dfpt
