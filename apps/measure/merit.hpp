// SPDX-License-Identifier: BSD-3-Clause
// Figure of merit of a kernel: its work in the field's own units (merit_unit and merit_count of its table).
#pragma once

#include <string>

#include <suite/plugin.hpp>

namespace suite::app {

struct Merit {
  std::string unit, formula;  // "terms", "ncouls*ngpown*ntband*nex*nw"; empty if the kernel defines none
  double count = 0;           // total of all runs so far
  double per_s = 0;           // set once timed
  bool empty() const { return unit.empty(); }
};
Merit merit_of(const suite_kernel_table& table);

std::string rate_text(const Merit& merit, double seconds);  // "19.2 G terms/s"; "-" if there is none

}  // namespace suite::app
