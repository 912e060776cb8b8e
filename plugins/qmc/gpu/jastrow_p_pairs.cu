// SPDX-License-Identifier: BSD-3-Clause
// qmc.jastrow_p as the source of its ladder had it: over pairs of electrons, first with tables of powers that
// each thread has for itself, then with tables of all electrons.
#include "jastrow_p.hpp"

namespace suite::qmc {
namespace {

constexpr int private_powers = 16;  // e_d^0 to e_d^16 in a thread's own memory

__device__ __forceinline__ void write_sum(Local& sum, int64_t position, const LocalOut& out) {
  __shared__ double parts[5 * most_warps];
  double all[5] = {sum.value, sum.gradient[0], sum.gradient[1], sum.gradient[2], sum.laplacian};
  block_sums(all, parts);
  if (thread() == 0) out.put(position, {all[0], {all[1], all[2], all[3]}, all[4]});
}

// A block has a position, a thread some of the other electrons.
__global__ void __launch_bounds__(block_threads)
    sum_pairs(Reciprocal cell, DeviceP p, Positions at, bool has_tables, LocalOut out) {
  const int64_t position = blockIdx.x, walker = position / at.npos;
  const int m = static_cast<int>(position - walker * at.npos), i = at.electron(m);
  const double *const rele = at.of_walker(walker), *const x = at.position(m, walker);
  Complex table[3][private_powers + 1];
  Local sum{};
  for (int j = thread(); j < at.netot; j += block_threads) {
    if (j == i) continue;
    const double r[3] = {x[0] - rele[3 * j], x[1] - rele[3 * j + 1], x[2] - rele[3 * j + 2]};
    for (int d = 0; d < 3 && has_tables; ++d) {
      const int last = (d < 2 ? p.powers.start[d + 1] : p.powers.width) - p.powers.start[d] - 1;
      const Complex e = turn(cell.fraction(d, r));
      table[d][0] = {1, 0};
      for (int n = 1; n <= last; ++n) table[d][n] = table[d][n - 1] * e;
    }
    for (int g = 0; g < p.count; ++g) {
      const Wave w = p.waves[g];
      const Complex e = has_tables ? power(table[0], w.n[0]) * power(table[1], w.n[1]) * power(table[2], w.n[2])
                                   : wave_directly(cell, w, r);
      double G[3];
      wave_vector(cell, w, G);
      add_wave(G, p.coefficient(w, i >= at.nup, j >= at.nup) * e, sum);
    }
  }
  write_sum(sum, position, out);
}

__global__ void __launch_bounds__(block_threads)
    tabulate(Reciprocal cell, Powers powers, const double* r, int64_t count, Complex* tables) {
  const int64_t e = static_cast<int64_t>(blockIdx.x) * block_threads + thread();
  if (e < count * powers.width)
    tables[e] = table_entry(cell, powers, r + 3 * (e / powers.width), static_cast<int>(e % powers.width));
}

// A block has a position, a thread some of the G.
__global__ void __launch_bounds__(block_threads)
    sum_split(Reciprocal cell, DeviceP p, Positions at, const Complex* electrons, const Complex* positions,
              LocalOut out) {
  const int64_t position = blockIdx.x, walker = position / at.npos;
  const int m = static_cast<int>(position - walker * at.npos), i = at.electron(m), width = p.powers.width;
  const Complex* const tables = electrons + walker * at.netot * width;
  Local sum{};
  for (int g = thread(); g < p.count; g += block_threads) {
    const Wave w = p.waves[g];
    double G[3];
    wave_vector(cell, w, G);
    const Complex here = wave_at(p.powers, positions + position * width, w);
    for (int j = 0; j < at.netot; ++j)
      if (j != i)
        add_wave(G,
                 p.coefficient(w, i >= at.nup, j >= at.nup) *
                     (here * conjugate(wave_at(p.powers, tables + j * width, w))),
                 sum);
  }
  write_sum(sum, position, out);
}

}  // namespace

void sum_waves_of_pairs(const gpu::Queue& queue, bool split, const Reciprocal& cell, const DeviceP& p,
                        const Positions& at, gpu::Buffer<Complex>& tables, const LocalOut& out) {
  const unsigned blocks = grid_of(at.npos * at.nwalker);
  const gpu::Stream stream = queue.stream();
  if (!split) {
    const int top = std::max({p.powers.top(0), p.powers.top(1), p.powers.top(2)});
    SUITE_GPU_LAUNCH(sum_pairs, blocks, block_threads, 0, stream, cell, p, at, top <= private_powers, out);
    return;
  }
  const int64_t electrons = at.netot * at.nwalker, positions = at.rnew ? at.npos * at.nwalker : 0;
  const int64_t width = p.powers.width;
  Complex* const memory = tables.at_least((electrons + positions) * width);
  SUITE_GPU_LAUNCH(tabulate, grid_of((electrons * width + block_threads - 1) / block_threads), block_threads,
                   0, stream, cell, p.powers, at.rele, electrons, memory);
  Complex* const of_positions = at.rnew ? memory + electrons * width : memory;
  if (at.rnew)
    SUITE_GPU_LAUNCH(tabulate, grid_of((positions * width + block_threads - 1) / block_threads),
                     block_threads, 0, stream, cell, p.powers, at.rnew, positions, of_positions);
  SUITE_GPU_LAUNCH(sum_split, blocks, block_threads, 0, stream, cell, p, at, memory, of_positions, out);
}

}  // namespace suite::qmc
