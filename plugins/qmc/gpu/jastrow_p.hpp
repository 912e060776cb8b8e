// SPDX-License-Identifier: BSD-3-Clause
// The p term on the device, and the variants of qmc.jastrow_p that go over pairs of electrons.
#pragma once

#include "pairs.cuh"

namespace suite::qmc {

struct DeviceP {
  const Wave* waves;
  int count, nstar, nset;  // count 0: no p term
  const double* a;
  Powers powers;
  __device__ __forceinline__ double coefficient(const Wave& w, int spin_i, int spin_j) const {
    return a[w.star + nstar * set_of_pair(nset, spin_i, spin_j)];
  }
  __device__ __forceinline__ int numbers() const { return nstar * nset; }
};

// sum of a(i,j) e^{iG.r_j} over the electrons other than one of this spin, of which `was` is e^{iG.r}; rho by
// spin. What is alone has exactly 0.
__device__ __forceinline__ Complex others_of(const DeviceP& p, const Wave& w, int g, int spin, const Complex* rho, Complex was) {
  const Complex same = rho[spin * p.count + g] - was, opposite = rho[(1 - spin) * p.count + g];
  return p.coefficient(w, spin, spin) * same + p.coefficient(w, spin, 1 - spin) * opposite;
}

// The list of gvec with its stars, and what is checked with it.
class PList {
public:
  explicit PList(const gpu::Queue& queue) : waves_(queue, "the list of gvec") {}
  template <class Call> void prepare(const gpu::Queue& queue, const Call& c) {
    const std::vector<int32_t> n = on_host<int32_t>(queue, c.gvec), stars = on_host<int32_t>(queue, c.star);
    term_ = p_term(c, n.data(), stars.data());
    waves_.set(queue, n, stars);
  }
  DeviceP device(const double* a) const {
    return {waves_.data(), waves_.count(), static_cast<int>(term_.nstar), term_.nset, a, waves_.powers()};
  }

private:
  WaveList waves_;
  PTerm term_;
};

// jastrow_p_pairs.cu. tables: memory for the powers of all electrons and positions (split_loops).
void sum_waves_of_pairs(const gpu::Queue& queue, bool split, const Reciprocal& cell, const DeviceP& p, const Positions& positions,
                        gpu::Buffer<Complex>& tables, const LocalOut& out);

}  // namespace suite::qmc
