// SPDX-License-Identifier: BSD-3-Clause
// What a device can do at most, measured in this process by the kernels ceilings.*; each ceiling once.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "contender.hpp"

namespace suite::app {

// Flops per second of the best FMA loop by the kernel ceilings.fma in about 0.1 s: on the processor with this
// many threads, or on another backend ("cuda:1"). 0 when that kernel is not there.
double fma_ceiling(int threads, const std::string& backend = "cpu", bool single = false);
// That of a contender's device, in the precision of its call.
double fma_ceiling(int threads, const Contender& contender);
// " in single precision", where that ceiling is.
std::string in_single(const Contender& contender);

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

  double fma() const;             // flop/s, 0 where it is not known
  const Ceiling* memory() const;  // the slower ones of `bandwidth` by read or triad, whichever is faster
  const Ceiling* level_for(double bytes) const;  // the nearest level that so much fits into
};
// All of them, in a second or two.
const DeviceCeilings& ceilings_of(int threads, const std::string& backend, bool single);

nlohmann::ordered_json ceilings_json(const DeviceCeilings& ceilings);

// Levels in bandwidths (B/s) that were measured by reading working sets of growing size: sizes in a row that
// are read about as fast make a level, single ones between two are on the way from one to the next. The last
// is the memory.
std::vector<Ceiling> levels_of(const std::vector<double>& working_sets_B,
                               const std::vector<double>& bandwidths);

}  // namespace suite::app
