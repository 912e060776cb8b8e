// SPDX-License-Identifier: BSD-3-Clause
// The ceilings that results have, and where each row stands beneath them.
#pragma once

#include <string>
#include <vector>

#include "model.hpp"

namespace suite::report {

struct Ceiling {
  std::string device, description;        // "opencl", and what it says of itself; rows are named by either
  std::string precision;                  // "double", "single"
  int threads = 0;                        // 0: whatever the number
  std::string name;                       // "FMA", "L2", "memory"
  double flop_per_s = 0, byte_per_s = 0;  // the other one is 0
  bool published = false;  // of a data sheet, which by names; else by the kernel that measured it
  std::string by;
  // By reading or by the triad.
  bool is_memory() const { return !published && name.starts_with("memory"); }
  bool is_of(const std::string& name) const { return name == device || (!name.empty() && name == description); }
};
// Those of 'suite roofline', with the peaks of data sheets beside them.
std::vector<Ceiling> ceilings_of(const std::vector<Source>& sources);
// A row that has a rate.
struct Placed {
  const Row* row;
  std::string label, device, precision;
  double seconds = 0;                    // in all
  double intensity = 0, flop_per_s = 0;  // intensity 0: not counted
  std::string binding;                   // the roof above it: "FMA", "memory"; "" where none is known
  double roof = 0;
  std::vector<std::string> traffic;  // "L2 3.1 flop/byte", by hardware counters
  double fma = 0, byte_per_s = 0;    // roofs that its result has, for the figure
  double fraction() const { return roof > 0 ? flop_per_s / roof : 0; }
};
// Whether the ceiling was measured on the device, with the threads and in the precision of the row.
bool is_above(const Ceiling& ceiling, const Placed& row);
// The memory's bandwidth: the larger one of what reading and the triad move; 0 where it was not measured.
double memory_above(const std::vector<Ceiling>& ceilings, const Placed& row);

std::vector<Placed> placed_rows(const Source& source, const std::vector<Ceiling>& ceilings);

}  // namespace suite::report
