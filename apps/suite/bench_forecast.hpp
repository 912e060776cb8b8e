// SPDX-License-Identifier: BSD-3-Clause
// Forecasts the memory and time of a block of `suite bench`: memory from the extents, time from an earlier result or, as a rough estimate,
// from counted flops and bytes.
#pragma once

#include <map>
#include <string>

#include "bench_plan.hpp"

namespace suite::app {

struct Needs {
  double memory_B = 0;                                   // of all arguments
  suite_cost cost{};                                     // of one run
  std::vector<std::pair<std::string, int64_t>> extents;  // the extents named in the shapes
  std::string extents_text() const;                      // "ncouls 4096, ngpown 409"
};
// Throws Failure (invalid argument) for a size the kernel does not know. Data are generated only for small arguments; for larger ones the
// scalars, on which a cost may depend, are those of the size "small".
Needs needs_of(const std::string& kernel, const std::string& size, uint64_t seed);

class Forecast {
public:
  // Reads the finished benchmarks of this machine in the folder results.
  Forecast();
  struct Seconds {
    double seconds = 0;
    std::string from;  // "results/bench-all-20260131T120000Z" or "counted"
  };
  // budget_s: time limit of the reference, and of the samples. Returns seconds 0 if there is nothing to estimate from.
  Seconds of(const Block& block, const suite_cost& cost, int candidates, long repeat, double budget_s) const;

private:
  std::map<std::string, Seconds> earlier_;  // by block, candidates and samples
};

}  // namespace suite::app
