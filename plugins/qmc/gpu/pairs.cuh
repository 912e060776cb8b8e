// SPDX-License-Identifier: BSD-3-Clause
// Sums over pairs and waves as the source of the ladders had them: a block has one position; first with
// tables of powers that each thread has for itself, then with tables of all electrons and loops of their own.
//
// Terms (JastrowTerms, EwaldTerms): waves, count, powers; coefficient(g, wave, i, j) of cos(G.r) of
// a pair; add_pair(i, j, r, sum) for what is not a wave, r from j to i; finish(position, i, sum).
#pragma once

#include "call.hpp"

namespace suite::qmc {

inline constexpr int private_powers = 16;  // e_d^0 to e_d^16 in a thread's own memory

// Adds a cos(G.r), of which z = a e^{iG.r}.
__device__ __forceinline__ void add_wave(const double* G, Complex z, Local& sum) {
  sum.value += z.re;
  SUITE_GPU_UNROLL
  for (int d = 0; d < 3; ++d) sum.gradient[d] -= G[d] * z.im;
  sum.laplacian -= (G[0] * G[0] + G[1] * G[1] + G[2] * G[2]) * z.re;
}

struct BlockPosition {
  int64_t position, walker;
  int i;
  const double *rele, *x;
};
__device__ __forceinline__ BlockPosition block_position(const Positions& at) {
  const int64_t position = blockIdx.x, walker = position / at.npos;
  const int m = static_cast<int>(position - walker * at.npos);
  return {position, walker, at.electron(m), at.of_walker(walker), at.position(m, walker)};
}

// f(j, r from j to the position) for this thread's share of the others.
template <class F> __device__ __forceinline__ void for_others(const BlockPosition& here, int netot, const F& f) {
  for (int j = thread(); j < netot; j += block_threads) {
    if (j == here.i) continue;
    const double* const other = here.rele + 3 * j;
    const double r[3] = {here.x[0] - other[0], here.x[1] - other[1], here.x[2] - other[2]};
    f(j, r);
  }
}

template <class Terms> __device__ __forceinline__ void finish_block(const Terms& terms, const BlockPosition& here, const Local& sum) {
  __shared__ double parts[5 * most_warps];
  double all[5] = {sum.value, sum.gradient[0], sum.gradient[1], sum.gradient[2], sum.laplacian};
  block_sums(all, parts);
  if (thread() == 0) terms.finish(here.position, here.i, {all[0], {all[1], all[2], all[3]}, all[4]});
}

template <class Terms, bool has_tables>
__global__ void __launch_bounds__(block_threads) sum_pairs(Reciprocal cell, Terms terms, Positions at) {
  const BlockPosition here = block_position(at);
  Complex table[3][private_powers + 1];
  Local sum{};
  for_others(here, at.netot, [&](int j, const double* r) {
    terms.add_pair(here.i, j, r, sum);
    for (int d = 0; d < 3 && has_tables; ++d) {
      const int last = (d < 2 ? terms.powers.start[d + 1] : terms.powers.width) - terms.powers.start[d] - 1;
      const Complex e = turn(cell.fraction(d, r));
      table[d][0] = {1, 0};
      for (int n = 1; n <= last; ++n) table[d][n] = table[d][n - 1] * e;
    }
    for (int g = 0; g < terms.count; ++g) {
      const Wave w = terms.waves[g];
      Complex e;
      if constexpr (has_tables) e = power(table[0], w.n[0]) * power(table[1], w.n[1]) * power(table[2], w.n[2]);
      else e = wave_directly(cell, w, r);
      double G[3];
      wave_vector(cell, w, G);
      add_wave(G, terms.coefficient(g, w, here.i, j) * e, sum);
    }
  });
  finish_block(terms, here, sum);
}

// The tables of all electrons, and of all positions where they are not those of the electrons.
template <class Terms>
__global__ void __launch_bounds__(block_threads)
    sum_split(Reciprocal cell, Terms terms, Positions at, const Complex* electrons, const Complex* positions) {
  const BlockPosition here = block_position(at);
  const int width = terms.powers.width;
  const Complex* const tables = electrons + here.walker * at.netot * width;
  Local sum{};
  for_others(here, at.netot, [&](int j, const double* r) { terms.add_pair(here.i, j, r, sum); });
  for (int g = thread(); g < terms.count; g += block_threads) {
    const Wave w = terms.waves[g];
    double G[3];
    wave_vector(cell, w, G);
    const Complex e = wave_at(terms.powers, positions + here.position * width, w);
    for (int j = 0; j < at.netot; ++j)
      if (j != here.i) add_wave(G, terms.coefficient(g, w, here.i, j) * (e * conjugate(wave_at(terms.powers, tables + j * width, w))), sum);
  }
  finish_block(terms, here, sum);
}

// Powers of all r(3,count) (jastrow_p_pairs.cu).
void tabulate(const gpu::Queue& queue, const Reciprocal& cell, const Powers& powers, const double* r, int64_t count, Complex* tables);

// `tables`: memory of split loops.
template <class Terms>
void sum_over_pairs(const gpu::Queue& queue, bool split, const Reciprocal& cell, const Terms& terms, const Positions& at,
                    gpu::Buffer<Complex>& tables) {
  const unsigned blocks = grid_of(at.npos * at.nwalker);
  const Powers& powers = terms.powers;
  if (!split) {
    const bool fits = std::max({powers.top(0), powers.top(1), powers.top(2)}) <= private_powers;
    const auto kernel = fits ? sum_pairs<Terms, true> : sum_pairs<Terms, false>;
    SUITE_GPU_LAUNCH(kernel, blocks, block_threads, 0, queue.stream(), cell, terms, at);
    return;
  }
  const int64_t electrons = at.netot * at.nwalker, positions = at.rnew ? at.npos * at.nwalker : 0;
  Complex* const of_electrons = tables.at_least((electrons + positions) * powers.width);
  Complex* const of_positions = of_electrons + (at.rnew ? electrons * powers.width : 0);
  tabulate(queue, cell, powers, at.rele, electrons, of_electrons);
  if (at.rnew) tabulate(queue, cell, powers, at.rnew, positions, of_positions);
  SUITE_GPU_LAUNCH(sum_split<Terms>, blocks, block_threads, 0, queue.stream(), cell, terms, at, of_electrons, of_positions);
}

}  // namespace suite::qmc
