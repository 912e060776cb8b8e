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

// The list of gvec with its stars, and what is checked with it.
class PList {
public:
  explicit PList(const gpu::Queue& queue) : waves_(queue, "the list of gvec") {}
  void prepare(const gpu::Queue& queue, const suite_array& gvec, const suite_array& star,
               const suite_array& a) {
    const std::vector<int32_t> n = on_host<int32_t>(queue, gvec), stars = on_host<int32_t>(queue, star);
    term_ = p_term(gvec, star, a, n.data(), stars.data());
    waves_.set(queue, n, stars);
  }
  DeviceP device(const suite_array& a) const {
    return {waves_.data(),
            waves_.count(),
            static_cast<int>(term_.nstar),
            term_.nset,
            device_data<const double>(a),
            waves_.powers()};
  }

private:
  WaveList waves_;
  PTerm term_;
};

// jastrow_p_pairs.cu. tables: memory for the powers of all electrons and positions (split_loops).
void sum_waves_of_pairs(const gpu::Queue& queue, bool split, const Reciprocal& cell, const DeviceP& p,
                        const Positions& positions, gpu::Buffer<Complex>& tables, const LocalOut& out);

}  // namespace suite::qmc
