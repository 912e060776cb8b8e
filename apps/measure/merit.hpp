// SPDX-License-Identifier: BSD-3-Clause
// A kernel's figure of merit: what it gets done in the field's own terms (merit_unit and merit_count of its table), counted.
#pragma once

#include <string>

#include <suite/plugin.hpp>

namespace suite::app {

struct Merit {
  std::string unit, formula;  // "terms", "ncouls*ngpown*ntband*nex*nw"; empty where a kernel names none
  double count = 0;           // of what was run so far
  double per_s = 0;           // once that is timed
  bool empty() const { return unit.empty(); }
};
Merit merit_of(const suite_kernel_table& table);

std::string rate_text(const Merit& merit, double seconds);  // "19.2 G terms/s"; "-" for nothing

}  // namespace suite::app
