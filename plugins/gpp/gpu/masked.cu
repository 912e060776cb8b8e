// SPDX-License-Identifier: BSD-3-Clause
// CH and SX of the bands that need all tests of the model (gpp.hpp): those partially occupied, the few occupied ones where
// sexcut is in question or x far from w, and the few empty ones near a resonance of the tile. With real w the factors of I w
// are real:
//   CH: 1/D in branch A, else 0;   SX: w/(D(x+w)) in A, -1/(2(x+w)) in B;   A: D^2 > max(gamma^2, w^2/2.5e5)
// and one reciprocal, of D (x+w) or of x+w, serves both. One column at a time: it has twice the sums of an empty band.
#include "best.hpp"

namespace suite::gpp {
namespace {

template <bool Real, int Energies> __global__ void SUITE_GPU_RESIDENT_BOUNDS(rows, 4) masked(const Tiles t) {
  using M = Number<double, Real>;
  constexpr int most_columns = 8;
  __shared__ M shared_m[chunk * most_columns];
  __shared__ double shared_x[chunk][Energies], shared_f[chunk];
  __shared__ int shared_band[chunk];

  const Place p(t);
  const int thread = static_cast<int>(threadIdx.x);
  const Range* const ranges = p.ranges(t);
  int first = p.end, last = p.begin;
  SUITE_GPU_UNROLL
  for (int i = 0; i < tiles_per_block; ++i) {
    if (ranges[i].poles == no_poles) continue;
    first = ranges[i].far < first ? ranges[i].far : first;
    last = ranges[i].tested > last ? ranges[i].tested : last;
  }
  if (first < p.begin) first = p.begin;
  if (last > p.end) last = p.end;
  const Range own = ranges[thread / tile_rows];

  const int64_t of_external = static_cast<int64_t>(p.external) * t.ntband;
  const M* const m = static_cast<const M*>(t.aqsm) + (of_external * t.groups + static_cast<int64_t>(p.group) * t.ntband) * t.columns;
  const M* const a = static_cast<const M*>(t.aqsn) + of_external * t.ncouls + p.ig;
  const double* const x = t.x + of_external * t.nw + static_cast<int64_t>(t.energy) * t.ntband;
  const double sexcut2 = t.sexcut * t.sexcut;

  double value[4 * Energies] = {};
  for (int from = first; from < last; from += chunk) {
    const int count = last - from < chunk ? last - from : chunk;
    __syncthreads();
    for (int i = thread; i < count * t.columns; i += rows) shared_m[i] = m[static_cast<int64_t>(from) * t.columns + i];
    for (int i = thread; i < count * Energies; i += rows)
      shared_x[i / Energies][i % Energies] = x[static_cast<int64_t>(i % Energies) * t.ntband + from + i / Energies];
    for (int i = thread; i < count; i += rows) {
      shared_band[i] = t.band[of_external + from + i];
      shared_f[i] = t.f[of_external + from + i];
    }
    __syncthreads();

    const int begin = own.far > from ? own.far - from : 0, end = own.tested - from < count ? own.tested - from : count;
    if (own.poles == no_poles || begin >= end) continue;
    SUITE_GPU_NO_UNROLL
    for (int c = 0; c < t.columns; ++c) {
      const Pole<Real> pole(t, p, c);
      const double w = pole.w, gamma2 = t.gamma * t.gamma, by_w = w * w * (1 / limit_one);
      const double limit = by_w > gamma2 ? by_w : gamma2;
      M ch[Energies] = {}, sx[Energies] = {};
      SUITE_GPU_NO_UNROLL
      for (int k = begin; k < end; ++k) {
        const M P = product(a[shared_band[k] * t.ncouls], shared_m[k * t.columns + c]);
        const double f = shared_f[k];
        SUITE_GPU_UNROLL
        for (int i = 0; i < Energies; ++i) {
          const double X = shared_x[k][i], D = X - w;
          const bool A = D * D > limit;
          double S = X + w;
          if (S == 0) S = 1e-100;
          // 1/(D S) in A, 1/S in B.
          const double q = reciprocal((A ? D : 1.0) * S);
          add(ch[i], P, A ? q * S : 0.0);
          if (f > 0) {
            double factor = (A ? w : -0.5) * q;
            if (X < 0) {
              const double ssx = factor * w;
              if (!(ssx * ssx <= sexcut2)) factor = 0;
            }
            add(sx[i], P, f * factor);
          }
        }
      }
      SUITE_GPU_UNROLL
      for (int i = 0; i < Energies; ++i) {
        add_product(value + 4 * i, ch[i], pole.iw);
        add_product(value + 4 * i + 2, sx[i], pole.iw);
      }
    }
  }
  double* const slots = t.slots + (static_cast<int64_t>(p.external) * t.nw + t.energy) * quantities * p.blocks + p.slot;
  block_sum<4 * Energies, rows>(
      value, [&](int n, double sum) { slots[static_cast<int64_t>(n / 4 * quantities + masked_sums + n % 4) * p.blocks] = sum; });
}

// The static limit: -1/2 sum M conj(M) v I needs sums of P alone.
template <bool Real> __global__ void SUITE_GPU_RESIDENT_BOUNDS(rows, 4) bilinear(const Tiles t) {
  using M = Number<double, Real>;
  constexpr int most_columns = 8;
  __shared__ M shared_m[chunk * most_columns];
  __shared__ int shared_band[chunk];
  const Place p(t);
  const int thread = static_cast<int>(threadIdx.x);
  const int64_t of_external = static_cast<int64_t>(p.external) * t.ntband;
  const M* const m = static_cast<const M*>(t.aqsm) + (of_external * t.groups + static_cast<int64_t>(p.group) * t.ntband) * t.columns;
  const M* const a = static_cast<const M*>(t.aqsn) + of_external * t.ncouls + p.ig;

  // I v of the columns; the sum over them comes first, so that a thread needs one sum over the bands.
  M iv[most_columns];
  SUITE_GPU_UNROLL
  for (int c = 0; c < most_columns; ++c) {
    iv[c] = {};
    if (c >= t.columns || !p.inside) continue;
    const int64_t column = static_cast<int64_t>(t.first_group + p.group) * t.columns + c;
    if (t.igp[column] >= 0) iv[c] = static_cast<const M*>(t.I)[t.igp[column] * t.ncouls + p.ig] * t.vcoul[t.g[column]];
  }
  M one = {};
  one.re = 1;
  double value[2] = {};
  for (int from = p.begin; from < p.end; from += chunk) {
    const int count = p.end - from < chunk ? p.end - from : chunk;
    __syncthreads();
    for (int i = thread; i < count * t.columns; i += rows) shared_m[i] = m[static_cast<int64_t>(from) * t.columns + i];
    for (int i = thread; i < count; i += rows) shared_band[i] = t.band[of_external + from + i];
    __syncthreads();
    for (int k = 0; k < count; ++k) {
      const M here = a[shared_band[k] * t.ncouls];
      double weight[2] = {};  // sum_G' I v conj(m)
      SUITE_GPU_UNROLL
      for (int c = 0; c < most_columns; ++c)
        if (c < t.columns) add_product(weight, product(iv[c], shared_m[k * t.columns + c]), one);
      if constexpr (Real) value[0] += here.re * weight[0];
      else add_product(value, here, M{weight[0], weight[1]});
    }
  }
  double* const slots = t.static_slots + static_cast<int64_t>(p.external) * 2 * p.blocks + p.slot;
  block_sum<2, rows>(value, [&](int n, double sum) { slots[static_cast<int64_t>(n) * p.blocks] = sum; });
}

template <bool Real> void launch_masked(gpu::Stream stream, const Tiles& t, int energies, unsigned blocks) {
  if (energies == 1) SUITE_GPU_LAUNCH((masked<Real, 1>), blocks, rows, 0, stream, t);
  else if (energies == 2) SUITE_GPU_LAUNCH((masked<Real, 2>), blocks, rows, 0, stream, t);
  else SUITE_GPU_LAUNCH((masked<Real, 3>), blocks, rows, 0, stream, t);
}

}  // namespace

void sum_masked(gpu::Stream stream, const Tiles& t, bool real, int energies, unsigned blocks) {
  (real ? launch_masked<true> : launch_masked<false>)(stream, t, energies, blocks);
}

void sum_bilinear(gpu::Stream stream, const Tiles& t, bool real, unsigned blocks) {
  if (real) SUITE_GPU_LAUNCH(bilinear<true>, blocks, rows, 0, stream, t);
  else SUITE_GPU_LAUNCH(bilinear<false>, blocks, rows, 0, stream, t);
}

}  // namespace suite::gpp
