// SPDX-License-Identifier: BSD-3-Clause
// The roofline model (S. Williams, A. Waterman, D. Patterson, Commun. ACM 52(4), 65, 2009): what a kernel
// does in a second, beside what its device allows at the kernel's flops per byte.
#pragma once

#include <string>
#include <vector>

#include "ceilings.hpp"
#include "common/plot.hpp"
#include "peaks.hpp"

namespace suite::app {

// Bytes that came from a level of memory in one run, by hardware counters.
struct Traffic {
  std::string level;
  double bytes = 0;
};

// One kernel, measured.
struct Dot {
  std::string kernel, label;                 // label: what tells it from the others of its panel
  std::string chain;                         // dots of the same one are joined, in their order; "" for none
  double seconds = 0, flops = 0, bytes = 0;  // counted, of one run
  double working_set_B = 0;                  // of all its arguments
  std::vector<Traffic> traffic;
  double rate() const { return flops / seconds; }
};

// The roof above a dot: the lower one of the FMA ceiling and of what the level of memory that the arguments
// fit into can feed at this intensity.
struct Roof {
  std::string name;       // "FMA", "memory"; "" where no ceiling is known
  double flop_per_s = 0;  // attainable; 0 for a kernel without flops
  double fraction = 0;    // of it that was reached
};
Roof roof_above(const Dot& dot, const DeviceCeilings& ceilings);

// One panel: the ceilings as lines, peaks dashed, kernels as dots. Dots without flops or bytes have no place
// in it.
plot::Panel roofline_panel(const std::string& title, const DeviceCeilings& ceilings,
                           const std::vector<Peak>& peaks, const std::vector<Dot>& dots);

}  // namespace suite::app
