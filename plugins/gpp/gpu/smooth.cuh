// SPDX-License-Identifier: BSD-3-Clause
// CH of the bands n' that need no test: for real w and D = E - E_n' - w beyond reach of branch B (gpp.hpp),
//   ach(E) = 1/2 sum_{G,G'} I v w  sum_n' M_nn'(G) conj(M_mn'(G')) / D
// so that the loop over n' collects P/D alone, and one reciprocal, of the product of the D, serves all energies.
// A thread keeps the sums of one row G and all columns G' of a group in registers; it reads its M_n(G) once per n'
// for all of them (coalesced over G), and M_m(G') and x, the same for all threads, come from shared memory.
// With R = float the sums of a chunk of bands are single precision and are then added to double precision.
#pragma once

#include "tiles.cuh"

namespace suite::gpp {

// 1/D[i] from one reciprocal.
template <int Energies, class R> __device__ __forceinline__ void reciprocals(const R* D, R* r) {
  if constexpr (Energies == 1) {
    r[0] = reciprocal(D[0]);
  } else if constexpr (Energies == 2) {
    const R q = reciprocal(D[0] * D[1]);
    r[0] = q * D[1];
    r[1] = q * D[0];
  } else {
    const R d01 = D[0] * D[1];
    const R q = reciprocal(d01 * D[2]);
    const R q2 = q * D[2];
    r[2] = q * d01;
    r[0] = q2 * D[1];
    r[1] = q2 * D[0];
  }
}

// How 1/D comes about.
enum class Form {
  each,     // from D at each energy
  even,     // D in the middle of two or three energies, the outermost ones dE from it: with s = 1/(D^2 - dE^2),
            // 1/(D -+ dE) = s D +- dE s, which are put together after the loop; of three, one reciprocal of D/s gives 1/D too
  infinite  // w = 1e12: -(1 + x/w)/w, the same for all pairs
};

template <class R, bool Real, int Energies, int Columns> struct Smooth {
  using M = Number<R, Real>;
  struct Shared {
    M m[chunk][Columns];
    R x[chunk][Energies];
    int band[chunk];
  };

  R w[Columns];
  M sums[Columns][Energies];

  __device__ __forceinline__ void clear() {
    SUITE_GPU_UNROLL
    for (int c = 0; c < Columns; ++c) SUITE_GPU_UNROLL
    for (int i = 0; i < Energies; ++i) sums[c][i] = {};
  }

  // Bands [begin, end) of the chunk; `a` is M_n of the thread's row at n' = 0.
  template <Form form> __device__ __forceinline__ void sum_up(const Shared& s, int begin, int end, const M* a, int64_t ncouls, R spacing) {
    if (begin >= end) return;
    const R spacing2 = spacing * spacing;
    M next = a[s.band[begin] * ncouls];
    for (int k = begin; k < end; ++k) {
      const M here = next;
      // Read one band ahead of its use.
      next = a[s.band[k + 1 < end ? k + 1 : k] * ncouls];
      R shared_factor[Energies];
      if constexpr (form == Form::infinite) {
        SUITE_GPU_UNROLL
        for (int i = 0; i < Energies; ++i)
          shared_factor[i] = static_cast<R>(-1 / infinite_w) - s.x[k][i] * static_cast<R>(1 / infinite_w / infinite_w);
      }
      SUITE_GPU_UNROLL
      for (int c = 0; c < Columns; ++c) {
        const M P = product(here, s.m[k][c]);
        if constexpr (form == Form::infinite) {
          SUITE_GPU_UNROLL
          for (int i = 0; i < Energies; ++i) add(sums[c][i], P, shared_factor[i]);
        } else if constexpr (form == Form::even && Energies == 2) {
          const R D = s.x[k][0] - w[c];
          const R q = reciprocal(fused(D, D, -spacing2));
          add(sums[c][0], P, q);
          add(sums[c][1], P, q * D);
        } else if constexpr (form == Form::even) {
          const R D = s.x[k][1] - w[c];
          const R e = fused(D, D, -spacing2);
          const R q = reciprocal(D * e);
          const R q_d = q * D;
          add(sums[c][1], P, q * e);
          add(sums[c][0], P, q_d);
          add(sums[c][2], P, q_d * D);
        } else {
          R D[Energies], r[Energies];
          SUITE_GPU_UNROLL
          for (int i = 0; i < Energies; ++i) D[i] = s.x[k][i] - w[c];
          reciprocals<Energies>(D, r);
          SUITE_GPU_UNROLL
          for (int i = 0; i < Energies; ++i) add(sums[c][i], P, r[i]);
        }
      }
    }
  }
};

// Blocks that a processor is to hold at least; 0 leaves it to the compiler. Left alone, ptxas 13.0 saves registers where
// there are few sums, until it spills some; four blocks leave 128 to a thread, three 168 and two 255.
template <bool Real, int Energies, int Columns>
constexpr int resident_blocks = Energies * Columns * (Real ? 1 : 2) <= 12   ? 4
                                : Energies * Columns * (Real ? 1 : 2) <= 16 ? 3
                                                                            : 0;

template <class R, bool Real, int Energies, int Columns>
__global__ void SUITE_GPU_RESIDENT_BOUNDS(rows, (resident_blocks<Real, Energies, Columns>)) smooth(const Tiles t) {
  using Sums = Smooth<R, Real, Energies, Columns>;
  using M = typename Sums::M;
  constexpr bool flush = sizeof(R) < sizeof(double);
  __shared__ typename Sums::Shared s;

  const Place p(t);
  const int thread = static_cast<int>(threadIdx.x);
  const Range* const ranges = p.ranges(t);
  const Range own = ranges[thread / tile_rows];
  const bool infinite = own.poles == infinite_poles;
  const int tested = own.poles == no_poles ? p.end : own.tested;
  int first = p.end;
  SUITE_GPU_UNROLL
  for (int i = 0; i < tiles_per_block; ++i)
    if (ranges[i].poles != no_poles && ranges[i].tested < first) first = ranges[i].tested;
  if (first < p.begin) first = p.begin;

  const int64_t of_external = static_cast<int64_t>(p.external) * t.ntband;
  const M* const m = static_cast<const M*>(t.aqsm) + (of_external * t.groups + static_cast<int64_t>(p.group) * t.ntband) * Columns;
  const M* const a = static_cast<const M*>(t.aqsn) + of_external * t.ncouls + p.ig;
  const double* const x = t.x + of_external * t.nw + static_cast<int64_t>(t.energy) * t.ntband;
  const double spacing = Energies > 1 ? p.spacing(t) : 0;

  Sums sums;
  sums.clear();
  Number<double, Real> total[flush ? Columns : 1][Energies] = {};
  // The middle of two even energies is the first and `spacing`.
  for (int c = 0; c < Columns; ++c) sums.w[c] = static_cast<R>(Pole<Real>(t, p, c).w - (Energies == 2 ? spacing : 0));

  for (int from = first; from < p.end; from += chunk) {
    const int count = p.end - from < chunk ? p.end - from : chunk;
    __syncthreads();
    for (int i = thread; i < count * Columns; i += rows) s.m[i / Columns][i % Columns] = m[static_cast<int64_t>(from) * Columns + i];
    for (int i = thread; i < count * Energies; i += rows)
      s.x[i / Energies][i % Energies] = static_cast<R>(x[static_cast<int64_t>(i % Energies) * t.ntband + from + i / Energies]);
    for (int i = thread; i < count; i += rows) s.band[i] = t.band[of_external + from + i];
    __syncthreads();

    const int begin = tested > from ? tested - from : 0;
    if (infinite) sums.template sum_up<Form::infinite>(s, begin, count, a, t.ncouls, 0);
    else if (Energies > 1 && spacing != 0)
      sums.template sum_up<Energies == 1 ? Form::each : Form::even>(s, begin, count, a, t.ncouls, static_cast<R>(spacing));
    else sums.template sum_up<Form::each>(s, begin, count, a, t.ncouls, 0);
    if constexpr (flush) {
      SUITE_GPU_UNROLL
      for (int c = 0; c < Columns; ++c) SUITE_GPU_UNROLL
      for (int i = 0; i < Energies; ++i) {
        total[c][i].re += sums.sums[c][i].re;
        if constexpr (!Real) total[c][i].im += sums.sums[c][i].im;
      }
      sums.clear();
    }
  }

  const double apart = Energies > 1 ? p.spacing(t) : 0;  // read again: a register less in the loops
  double value[2 * Energies] = {};
  SUITE_GPU_UNROLL
  for (int c = 0; c < Columns; ++c) {
    Number<double, Real> z[Energies];
    SUITE_GPU_UNROLL
    for (int i = 0; i < Energies; ++i) {
      if constexpr (flush) z[i] = total[c][i];
      else z[i] = sums.sums[c][i];
    }
    if constexpr (Energies > 1) {
      if (apart != 0 && !infinite) {
        const Number<double, Real> s_sum = z[0], sd_sum = z[Energies - 1];
        z[0] = sd_sum;
        add(z[0], s_sum, apart);
        z[Energies - 1] = sd_sum;
        add(z[Energies - 1], s_sum, -apart);
      }
    }
    const Number<double, Real> iw = Pole<Real>(t, p, c).iw;
    SUITE_GPU_UNROLL
    for (int i = 0; i < Energies; ++i) add_product(value + 2 * i, z[i], iw);
  }
  double* const slots = t.slots + (static_cast<int64_t>(p.external) * t.nw + t.energy) * quantities * p.blocks + p.slot;
  block_sum<2 * Energies, rows>(
      value, [&](int n, double sum) { slots[static_cast<int64_t>(n / 2 * quantities + smooth_sums + n % 2) * p.blocks] = sum; });
}

// Chooses the kernel by the number of energies (1 to 3) and of columns (2, 4, 8).
template <class R, bool Real, int Columns> void launch_smooth(gpu::Stream stream, const Tiles& t, int energies, unsigned blocks) {
  if (energies == 1) SUITE_GPU_LAUNCH((smooth<R, Real, 1, Columns>), blocks, rows, 0, stream, t);
  else if (energies == 2) SUITE_GPU_LAUNCH((smooth<R, Real, 2, Columns>), blocks, rows, 0, stream, t);
  else SUITE_GPU_LAUNCH((smooth<R, Real, 3, Columns>), blocks, rows, 0, stream, t);
}
template <class R, bool Real> void launch_smooth(gpu::Stream stream, const Tiles& t, int energies, unsigned blocks) {
  if (t.columns == 2) launch_smooth<R, Real, 2>(stream, t, energies, blocks);
  else if (t.columns == 4) launch_smooth<R, Real, 4>(stream, t, energies, blocks);
  else launch_smooth<R, Real, 8>(stream, t, energies, blocks);
}

}  // namespace suite::gpp
