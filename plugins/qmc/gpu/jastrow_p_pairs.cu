// SPDX-License-Identifier: BSD-3-Clause
// The variants of qmc.jastrow_p that go over pairs of electrons.
#include "jastrow_p.hpp"

namespace suite::qmc {
namespace {

struct JastrowTerms {
  const Wave* waves;
  int count;
  Powers powers;
  DeviceP p;
  int nup;
  LocalOut out;
  __device__ __forceinline__ double coefficient(int, const Wave& w, int i, int j) const { return p.coefficient(w, i >= nup, j >= nup); }
  __device__ __forceinline__ void add_pair(int, int, const double*, Local&) const {}
  __device__ __forceinline__ void finish(int64_t position, int, const Local& sum) const { out.put(position, sum); }
};

__global__ void __launch_bounds__(block_threads)
    write_tables(Reciprocal cell, Powers powers, const double* r, int64_t count, Complex* tables) {
  const int64_t e = static_cast<int64_t>(blockIdx.x) * block_threads + thread();
  if (e < count * powers.width) tables[e] = table_entry(cell, powers, r + 3 * (e / powers.width), static_cast<int>(e % powers.width));
}

}  // namespace

void tabulate(const gpu::Queue& queue, const Reciprocal& cell, const Powers& powers, const double* r, int64_t count, Complex* tables) {
  const int64_t blocks = (count * powers.width + block_threads - 1) / block_threads;
  SUITE_GPU_LAUNCH(write_tables, grid_of(blocks), block_threads, 0, queue.stream(), cell, powers, r, count, tables);
}

void sum_waves_of_pairs(const gpu::Queue& queue, bool split, const Reciprocal& cell, const DeviceP& p, const Positions& at,
                        gpu::Buffer<Complex>& tables, const LocalOut& out) {
  sum_over_pairs(queue, split, cell, JastrowTerms{p.waves, p.count, p.powers, p, at.nup, out}, at, tables);
}

}  // namespace suite::qmc
