// SPDX-License-Identifier: BSD-3-Clause
// The roofline model (S. Williams, A. Waterman, D. Patterson, Commun. ACM 52(4), 65, 2009): the performance of a kernel compared with the
// limit of its device at the kernel's flops per byte.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plot.hpp"

namespace suite::app {

// An arithmetic ceiling in flop/s (a division counts as one), or the bandwidth of a memory level in B/s.
struct Ceiling {
  std::string name;    // "FMA", "matrix", "no FMA", "divide", "reciprocal"; "L1", "L2", "L3", "memory"
  std::string kernel;  // the kernel that measured it: "ceilings.read"
  double per_s = 0;
  double working_set_B = 0;  // of a level: the data read repeatedly
  double capacity_B = 0;     // of a level: its capacity, over all threads; infinite for memory
};

struct DeviceCeilings {
  std::string device, description;  // "cuda:1", and the name reported by the device
  bool single = false;
  int threads = 1;
  std::vector<Ceiling> compute;    // empty if not measured on this device
  std::vector<Ceiling> bandwidth;  // from the nearest level to memory

  std::string precision() const { return single ? "single" : "double"; }
  bool empty() const { return compute.empty() && bandwidth.empty(); }
  double fma() const;                            // flop/s, 0 if unknown
  double matrix() const;                         // by matrix units; 0 where there are none, or none that are faster
  const Ceiling* memory() const;                 // by reading or by the triad, whichever is higher
  const Ceiling* level_for(double bytes) const;  // the nearest level with this capacity
};
// Whether the ceiling without FMA is far enough below the FMA ceiling for a line of its own.
bool is_lower(double ceiling, double fma);

// Derives memory levels from bandwidths (B/s) measured by reading working sets of growing size: consecutive sizes with about the same
// bandwidth form a level; single ones in between are transitions. The last level is memory.
std::vector<Ceiling> levels_of(const std::vector<double>& working_sets_B, const std::vector<double>& bandwidths);

// A vendor's published peak, drawn dashed beside the measured ceilings.
struct Peak {
  std::string name;            // "fp64", "fp32", "dram", "l1", "l2", "l3"
  double per_s = 0;            // flop/s of fp64 and fp32, else B/s
  std::string device, source;  // device: "" if the user gave the number
  bool is_bandwidth() const { return name != "fp64" && name != "fp32"; }
  std::optional<double> flop_per_s() const { return is_bandwidth() ? std::nullopt : std::optional(per_s); }
  std::optional<double> B_per_s() const { return is_bandwidth() ? std::optional(per_s) : std::nullopt; }
};

// Bytes loaded from a memory level in one run, from hardware counters.
struct Traffic {
  std::string level;
  double bytes = 0;
};

// A measured kernel.
struct Dot {
  std::string kernel, label;                 // label: distinguishes it from the others in its panel
  std::string chain;                         // name of its ladder; "" if none
  bool joined = false;                       // to the previous dot of its chain
  double seconds = 0, flops = 0, bytes = 0;  // counted, for one run
  double working_set_B = 0;                  // of all its arguments
  std::vector<Traffic> traffic;
  double rate() const { return flops / seconds; }
};

// The roof above a dot: the lower of the FMA ceiling and the rate that the memory level holding the arguments can sustain at this
// intensity. Of a kernel that is faster than the FMA ceiling, which only matrix units can be: theirs.
struct Roof {
  std::string name;       // "FMA", "matrix", "memory"; "" if no ceiling is known
  double flop_per_s = 0;  // attainable; 0 for a kernel without flops
  double fraction = 0;    // fraction of it that was reached
};
Roof roof_above(const Dot& dot, const DeviceCeilings& ceilings);

// One panel: ceilings as lines, peaks dashed, kernels as dots. Dots without flops or bytes are omitted.
plot::Panel roofline_panel(const std::string& title, const DeviceCeilings& ceilings, const std::vector<Peak>& peaks,
                           const std::vector<Dot>& dots);

}  // namespace suite::app
