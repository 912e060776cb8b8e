// SPDX-License-Identifier: BSD-3-Clause
// Accounting of a branching population: the slot and the process of each walker.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace suite::vmc {

// Slots to copy from, numbered from 1 as in qmc.branch, such that walker w (slot w) occurs copies[w] times: surviving walkers keep their
// slots if possible; copies fill the free slots and those beyond the end.
std::vector<int32_t> slots_after(std::span<const int32_t> copies);

// Branching on one process: slots to copy from among its own walkers, and the population slot of each result. from: of the whole
// population, as returned by slots_after(); mine: the previous slots of this process, in storage order.
struct Branching {
  std::vector<int32_t> from;
  std::vector<int64_t> slots;
};
Branching branching_of(std::span<const int64_t> mine, std::span<const int32_t> from);

// Number of walkers per process for `count` distributed as evenly as possible.
std::vector<int64_t> even_counts(int64_t count, int processes);

// Load balancing of `counts`: process p gives its last `given[p]` walkers or takes `taken[p]`, in the order of the processes from one
// list.
struct Balance {
  std::vector<int64_t> given, taken;
  int64_t moved = 0;
};
Balance balance_of(std::span<const int64_t> counts);
// Whether balancing is worthwhile: a process has no walkers, or a tenth more than its share.
bool unbalanced(std::span<const int64_t> counts);

// home: process of each slot. Returns the slots that move, and their destinations, so that all processes have equally many; those with the
// highest numbers move. Empty while balancing is not worthwhile.
struct Relocation {
  int64_t slot;
  int from, to;
};
std::vector<Relocation> moves_to_balance(std::span<const int32_t> home, int processes);

// The part of a local energy's deviation from the mean that enters a weight: best - energy, limited to +-0.2 sqrt(N/tau) or the value of
// the input (Zen, Sorella, Gillan, Michaelides, Alfe, Phys. Rev. B 93, 241118 (2016)). limit 0: unlimited.
double limited(double best, double energy, double limit);

}  // namespace suite::vmc
