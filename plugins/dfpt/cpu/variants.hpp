// SPDX-License-Identifier: BSD-3-Clause
// dfpt.rho and dfpt.h: the fastest way, which takes the batches in segments, or a published step. K says of
// which kernel: Interface and Call; the parameter `variant`; check(arguments), best(call, segments,
// arguments, threads, scratch), step(step, call, arguments, threads).
#pragma once

#include "../steps.hpp"
#include "parts.hpp"

namespace suite::dfpt {

template <class K> class Variants {
public:
  static constexpr suite_parameter parameters[] = {K::variant, cpu::threads_parameter};
  Variants(const suite_backend*, suite_queue*, const int64_t* p) : variant_(static_cast<Step>(p[0])), threads_(p[1]) {}

  void prepare(const suite_array* a) {
    const typename K::Interface c(a);
    call_ = K::check(c);
    if (variant_ == Step::best) segments_ = segments_of(call_.batches, c.i_basis.data());
  }
  void execute(const suite_array* a) {
    const typename K::Interface c(a);
    if (variant_ == Step::best) K::best(call_, segments_, c, threads_, scratch_);
    else K::step(variant_, call_, c, threads_);
  }

private:
  Step variant_;
  int64_t threads_;
  typename K::Call call_;
  std::vector<Segment> segments_;
  cpu::Scratch scratch_{K::Interface::name};
};

}  // namespace suite::dfpt
