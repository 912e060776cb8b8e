// SPDX-License-Identifier: BSD-3-Clause
// `suite bench KERNEL|FILE.yaml --scaling strong|weak`: the same work, or proportionally more work, on more ranks.
#pragma once

#include "options.hpp"

namespace suite::app {

// With --ranks 1,2,4: starts this program under mpirun, in turns, and compares the times. Without, for a kernel: measures on the ranks
// started by a launcher, on all of them simultaneously.
int scaling_benchmark(const Arguments& arguments);

// "1000 of 3": 334, 333, 333.
long share_of(long whole, int rank, int ranks);

}  // namespace suite::app
