// SPDX-License-Identifier: BSD-3-Clause
// The bookkeeping of a population that branches: the slot and the process of each walker.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace suite::vmc {

// Slots to copy from, from 1, as qmc.branch wants them, so that walker w (slot w) is there copies[w] times:
// surviving walkers keep their slots where possible; copies fill the free slots and those beyond the end.
std::vector<int32_t> slots_after(std::span<const int32_t> copies);

// What one process does of that: slots to copy from among its own walkers, and the slot of the population
// that each then is. from: of the whole population, as slots_after() makes it; mine: the slots that the
// process has had, in the order in which it keeps them.
struct Branching {
  std::vector<int32_t> from;
  std::vector<int64_t> slots;
};
Branching branching_of(std::span<const int64_t> mine, std::span<const int32_t> from);

// Walkers of each process when `count` are spread as evenly as can be.
std::vector<int64_t> even_counts(int64_t count, int processes);

// How walkers move to make `counts` even: process p gives its last `given[p]` or takes `taken[p]`, in the
// order of the processes from one list.
struct Balance {
  std::vector<int64_t> given, taken;
  int64_t moved = 0;
};
Balance balance_of(std::span<const int64_t> counts);
// Whether that is worth it: a process has none, or a tenth more than its share.
bool unbalanced(std::span<const int64_t> counts);

// home: the process of each slot. Slots that go to another one so that all have as many, and where to; those
// with the highest numbers go. Empty while it is not worth it.
struct Relocation {
  int64_t slot;
  int from, to;
};
std::vector<Relocation> moves_to_balance(std::span<const int32_t> home, int processes);

// The part of a local energy's distance from the mean that counts in a weight: best - energy, cut at
// +-0.2 sqrt(N/tau) or what the input says (Zen, Sorella, Gillan, Michaelides, Alfe, Phys. Rev. B 93, 241118
// (2016)). limit 0: not cut.
double limited(double best, double energy, double limit);

}  // namespace suite::vmc
