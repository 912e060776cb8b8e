// SPDX-License-Identifier: BSD-3-Clause
// Sums over electrons of e^{i G.r}: a block has one walker, one group of electrons and block_threads vectors;
// the powers of the three exponentials of some electrons at a time lie in shared memory.
#pragma once

#include "device.cuh"

namespace suite::qmc {

// Up to two groups of electrons: the spins, or all with their charges.
struct Groups {
  int count;
  int first[2], size[2];
  const double* charge;  // null: 1 each
};

// sums(count of waves, groups, walkers).
void sum_waves(const gpu::Queue& queue, const Reciprocal& cell, const Powers& powers, const Wave* waves, int count, const double* rele,
               int netot, int64_t nwalker, const Groups& groups, Complex* sums);

inline Groups spins(int nup, int netot) { return {2, {0, nup}, {nup, netot - nup}, nullptr}; }

}  // namespace suite::qmc
