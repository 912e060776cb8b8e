// SPDX-License-Identifier: BSD-3-Clause
// `suite bench KERNEL|FILE.yaml --scaling strong|weak`: the same work on more ranks, or more work on more
// ranks.
#pragma once

#include "options.hpp"

namespace suite::app {

// With --ranks 1,2,4: starts this program under mpirun, in turns, and compares the times. Without, for a
// kernel: measures with the ranks that a launcher has started, at the same time on all of them.
int scaling_benchmark(const Arguments& arguments);

// "1000 of 3": 334, 333, 333.
long share_of(long whole, int rank, int ranks);

}  // namespace suite::app
