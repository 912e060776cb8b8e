// SPDX-License-Identifier: BSD-3-Clause
// Verifies the results of a call against the reference: one comparison for the program, replays and apps.
#pragma once

#include <string>
#include <vector>

#include <suite/suite.hpp>

#include "row.hpp"

namespace suite::app {

// One result of a call, copied to the host.
struct Output {
  std::string name;
  suite_array array{};
  std::vector<char> bytes;
};
std::vector<Output> outputs_of(Kernel& kernel);

// Compares element by element within suite_argument.tolerance (1e8-fold in single precision), or the larger tolerance named by a choice in
// effect ("mixed: ... tolerance 1e-5"). A NaN, an element never written or a missing output fails. least_tolerance: always allowed.
Verification verify(const Kernel& kernel, const std::vector<Output>& expected, const std::vector<Output>& found,
                    double least_tolerance = 0);

}  // namespace suite::app
