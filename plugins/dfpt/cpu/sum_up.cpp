// SPDX-License-Identifier: BSD-3-Clause
// dfpt.sum_up: the fastest way (sum_up_best.cpp) or a published step (sum_up_ladder.cpp).
#include "sum_up_best.hpp"

namespace suite::dfpt {
namespace {

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {
      {"variant", 4, 0, 4, variants,
       "naive: batches of 200 points, each with loops for near and for far points and two-dimensional "
       "temporaries; 16.61 s published for 8 cores" SUITE_DFPT_SUM_UP_NAIVE_PUBLISHED
       "parallelism: points instead of batches, vectors instead of two-dimensional "
       "temporaries" SUITE_DFPT_SUM_UP_PARALLELISM_PUBLISHED
       "memory: harmonics in local variables, subscripts known to the compiler, loops "
       "fused" SUITE_DFPT_SUM_UP_MEMORY_PUBLISHED
       "control_flow: near and far in one loop, the number of directions known to the "
       "compiler" SUITE_DFPT_SUM_UP_CONTROL_FLOW_PUBLISHED
       "best: points in cells and in the lanes, near ones by knot, three directions at "
       "once" SUITE_DFPT_BEST_EXPECTED},
      {"far", 0, 0, 1, far_fields,
       "direct: every atom at every point\n"
       "tree: expansions of cells of atoms at cells of points, with best, tolerance 1e-9"},
      {"products", 0, 0, 2, products,
       "auto: paired on AMD's processors with AVX-512, which add beside multiply-adds, else fused\n"
       "fused: sums over components of near atoms' tables by multiply-adds, with best\n"
       "paired: by half as many multiplications and twice as many additions"},
      cpu::threads_parameter};
  Cpu(const suite_backend*, suite_queue*, const int64_t* p)
      : variant_(static_cast<Step>(p[0])),
        far_(static_cast<Far>(p[1])),
        products_(static_cast<Products>(p[2])),
        threads_(p[3]) {}

  void prepare(const suite_array* a) {
    call_ = check_sum_up(a);
    if (variant_ == Step::best) best_.prepare(call_, a, far_, products_, threads_);
  }
  void execute(const suite_array* a) {
    if (variant_ == Step::best)
      best_.execute(call_, SumUpArrays(a), threads_, scratch_);
    else
      sum_up_step(variant_, call_, SumUpArrays(a), threads_);
  }

private:
  Step variant_;
  Far far_;
  Products products_;
  int64_t threads_;
  SumUpCall call_;
  SumUpBest best_;
  cpu::Scratch scratch_{"dfpt.sum_up"};
};

}  // namespace

extern const suite_kernel_table sum_up_table;
constexpr suite_kernel_table sum_up_table = kernel_table<SumUp, Cpu>("cpu", "cpu");

}  // namespace suite::dfpt
