// SPDX-License-Identifier: BSD-3-Clause
// What a block of `suite bench` will need, told before it runs: memory from the extents, time from an earlier
// result or, as a rule of thumb, from counted flops and bytes.
#pragma once

#include <map>
#include <string>

#include "bench_plan.hpp"

namespace suite::app {

struct Needs {
  double memory_B = 0;                                   // of the arguments
  suite_cost cost{};                                     // of one run
  std::vector<std::pair<std::string, int64_t>> extents;  // those that the shapes name
  std::string extents_text() const;                      // "ncouls 4096, ngpown 409"
};
// Throws Failure (invalid argument) for a size that the kernel does not know. The data are generated only
// where they are small; the scalars of larger ones, which a cost may depend on, are those of the size
// "small".
Needs needs_of(const std::string& kernel, const std::string& size, uint64_t seed);

class Forecast {
public:
  // Looks for finished benchmarks of this machine in the folder results.
  Forecast();
  struct Seconds {
    double seconds = 0;
    std::string from;  // "results/bench-all-20260131T120000Z" or "counted"
  };
  // budget_s: what the reference may take, and the samples. seconds 0: nothing to tell it from.
  Seconds of(const Block& block, const suite_cost& cost, int candidates, long repeat, double budget_s) const;

private:
  std::map<std::string, Seconds> earlier_;  // by block, candidates and samples
};

}  // namespace suite::app
