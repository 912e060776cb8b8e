// SPDX-License-Identifier: BSD-3-Clause
// The roofline model (S. Williams, A. Waterman, D. Patterson, Commun. ACM 52(4), 65, 2009): what a kernel
// does in a second, beside what its device allows at the kernel's flops per byte.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plot.hpp"

namespace suite::app {

// Of arithmetic, in flop/s (a division counts as one), or of a level of memory, in B/s.
struct Ceiling {
  std::string name;    // "FMA", "no FMA", "divide", "reciprocal"; "L1", "L2", "L3", "memory"
  std::string kernel;  // that measured it: "ceilings.read"
  double per_s = 0;
  double working_set_B = 0;  // of a level: what was read again and again
  double capacity_B = 0;     // of a level: what fits into it, over all threads; infinite for memory
};

struct DeviceCeilings {
  std::string device, description;  // "cuda:1" and what the device calls itself
  bool single = false;
  int threads = 1;
  std::vector<Ceiling> compute;    // empty where the ceilings are not there for this device
  std::vector<Ceiling> bandwidth;  // from the nearest level to memory

  std::string precision() const { return single ? "single" : "double"; }
  bool empty() const { return compute.empty() && bandwidth.empty(); }
  double fma() const;                            // flop/s, 0 where it is not known
  const Ceiling* memory() const;                 // by reading or by the triad, whichever moves more
  const Ceiling* level_for(double bytes) const;  // the nearest level that so much fits into
};
// Whether the ceiling without FMA is a line of its own beside that with it in a figure.
bool is_lower(double ceiling, double fma);

// Levels in bandwidths (B/s) that were measured by reading working sets of growing size: sizes in a row that
// are read about as fast make a level, single ones between two are on the way from one to the next. The last
// is the memory.
std::vector<Ceiling> levels_of(const std::vector<double>& working_sets_B, const std::vector<double>& bandwidths);

// What a maker publishes; shown dashed beside the measured ceilings.
struct Peak {
  std::string name;            // "fp64", "fp32", "dram", "l1", "l2", "l3"
  double per_s = 0;            // flop/s of fp64 and fp32, else B/s
  std::string device, source;  // device: "" where the user wrote the number
  bool is_bandwidth() const { return name != "fp64" && name != "fp32"; }
  std::optional<double> flop_per_s() const { return is_bandwidth() ? std::nullopt : std::optional(per_s); }
  std::optional<double> B_per_s() const { return is_bandwidth() ? std::optional(per_s) : std::nullopt; }
};

// Bytes that came from a level of memory in one run, by hardware counters.
struct Traffic {
  std::string level;
  double bytes = 0;
};

// One kernel, measured.
struct Dot {
  std::string kernel, label;                 // label: what tells it from the others of its panel
  std::string chain;                         // a ladder; "" for none
  bool joined = false;                       // to the dot before in the same chain
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
plot::Panel roofline_panel(const std::string& title, const DeviceCeilings& ceilings, const std::vector<Peak>& peaks,
                           const std::vector<Dot>& dots);

}  // namespace suite::app
