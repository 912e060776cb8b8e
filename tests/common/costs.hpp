// SPDX-License-Identifier: BSD-3-Clause
// The flops that a kernel's cost states against counted ones, within 10 %.
#pragma once

#include <concepts>

#include "counted.hpp"
#include "implementations.hpp"

namespace suite::test {

// `counted` is given the open kernel, whose generated arguments tell extents and numbers.
// choice: of one of its parameters, where it is not the default one.
template <std::invocable<suite::Kernel&> F>
void states(const std::string& kernel, const std::string& size, F&& counted, const std::pair<const char*, const char*>& choice = {}) {
  suite::Kernel open(kernel, "reference");
  if (choice.first) open.choose(choice.first, choice.second);
  open.generate(size, 1);
  const double stated = open.cost().flops, expected = counted(open);
  BOOST_TEST_MESSAGE(kernel << " " << size << ": " << stated << " flop stated, " << stated / expected << " of what is counted");
  BOOST_CHECK_MESSAGE(expected > 0 ? std::abs(stated / expected - 1) <= 0.1 : stated == 0,
                      kernel << " " << size << ": " << stated << " flop stated, " << expected << " counted");
}
inline void states(const std::string& kernel, const std::string& size, double counted,
                   const std::pair<const char*, const char*>& choice = {}) {
  states(
      kernel, size, [=](suite::Kernel&) { return counted; }, choice);
}

}  // namespace suite::test
