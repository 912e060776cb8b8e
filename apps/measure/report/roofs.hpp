// SPDX-License-Identifier: BSD-3-Clause
// Ceilings found in the results, and the position of each row below them.
#pragma once

#include <string>
#include <vector>

#include "model.hpp"

namespace suite::report {

struct Ceiling {
  std::string device, description;        // "opencl", and the name reported by the device; rows use either
  std::string precision;                  // "double", "single"
  int threads = 0;                        // 0: any number
  std::string name;                       // "FMA", "L2", "memory"
  double flop_per_s = 0, byte_per_s = 0;  // the other is 0
  bool published = false;  // from a data sheet, named by `by`; else `by` is the kernel that measured it
  std::string by;
  // Measured by reading or by the triad.
  bool is_memory() const { return !published && name.starts_with("memory"); }
  bool is_of(const std::string& name) const { return name == device || (!name.empty() && name == description); }
};
// Ceilings measured by 'suite roofline', with data sheet peaks.
std::vector<Ceiling> ceilings_of(const std::vector<Source>& sources);
// A row with a rate.
struct Placed {
  const Row* row;
  std::string label, device, precision;
  double seconds = 0;                    // total
  double intensity = 0, flop_per_s = 0;  // intensity 0: not counted
  std::string binding;                   // the roof above it: "FMA", "memory"; "" if unknown
  double roof = 0;
  std::vector<std::string> traffic;  // "L2 3.1 flop/byte", from hardware counters
  double fma = 0, byte_per_s = 0;    // roofs in its result, for the figure
  double fraction() const { return roof > 0 ? flop_per_s / roof : 0; }
};
// Whether the ceiling was measured on the row's device, with its threads and in its precision.
bool is_above(const Ceiling& ceiling, const Placed& row);
// Memory bandwidth: the larger of reading and triad; 0 if not measured.
double memory_above(const std::vector<Ceiling>& ceilings, const Placed& row);

std::vector<Placed> placed_rows(const Source& source, const std::vector<Ceiling>& ceilings);

}  // namespace suite::report
