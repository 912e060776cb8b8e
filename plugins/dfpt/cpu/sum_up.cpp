// SPDX-License-Identifier: BSD-3-Clause
// dfpt.sum_up: the fastest way (sum_up_best.cpp) or a published step (sum_up_ladder.cpp).
#include "sum_up_best.hpp"

namespace suite::dfpt {
namespace {

constexpr auto steps = with_meaning(
    sum_up_steps, {{"naive", "batches of 200 points, each with separate loops for near and far points and two-dimensional temporaries"},
                   {"parallelism", "points instead of batches, vectors instead of two-dimensional temporaries"},
                   {"memory", "harmonics in local variables, subscripts known to the compiler, loops fused"},
                   {"control_flow", "near and far in one loop, the number of directions known to the compiler"},
                   {"best", "points sorted by cell and vectorised, near ones grouped by knot, three directions at once"}});

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {
      variant_of(steps), far_parameter,
      suite::variant("products", 0, products, "summation over the table components of near atoms in variant best"), cpu::threads_parameter};
  Cpu(const suite_backend*, suite_queue*, const int64_t* p)
      : variant_(static_cast<Step>(p[0])), far_(static_cast<Far>(p[1])), products_(static_cast<Products>(p[2])), threads_(p[3]) {}

  void prepare(const suite_array* a) {
    const SumUp c(a);
    call_ = check_sum_up(c);
    if (variant_ == Step::best) best_.prepare(call_, c, far_, products_, threads_);
  }
  void execute(const suite_array* a) {
    if (variant_ == Step::best) best_.execute(call_, SumUp(a), threads_, scratch_);
    else sum_up_step(variant_, call_, SumUp(a), threads_);
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
