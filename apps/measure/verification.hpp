// SPDX-License-Identifier: BSD-3-Clause
// The results of a call against those of the reference: one comparison for the program, replays and the apps.
#pragma once

#include <string>
#include <vector>

#include <suite/suite.hpp>

#include "row.hpp"

namespace suite::app {

// The results of one call, copied to the host.
struct Output {
  std::string name;
  suite_array array{};
  std::vector<char> bytes;
};
std::vector<Output> outputs_of(Kernel& kernel);

// Element by element within suite_argument.tolerance (1e8-fold in single precision), or the larger one that a choice in effect names ("mixed: ...
// tolerance 1e-5"). A NaN, an element never written, an output that is missing: failed.
// least_tolerance: allowed in any case.
Verification verify(const Kernel& kernel, const std::vector<Output>& expected, const std::vector<Output>& found,
                    double least_tolerance = 0);

}  // namespace suite::app
