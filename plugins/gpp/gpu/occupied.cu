// SPDX-License-Identifier: BSD-3-Clause
// CH and SX of the fully occupied bands n' that need no test of the model (gpp.hpp) but that for branch A, in register tiles
// as smooth.cuh has them for empty bands. With real w the factors of I w are, for D = x - w and S = x + w,
//   CH: 1/D in branch A, else 0;   SX: w/(D S) in A, -1/(2 S) in B;   A: |D| > max(gamma, w/500)
// Where no band is within reach of a pole ("far"), D S = x^2 - w^2 is the only denominator: the sums of P/(x^2 - w^2) and of
// P x/(x^2 - w^2) give CH, by 1/D = (x + w)/(x^2 - w^2), and SX. Elsewhere ("near") SX = (CH - 1/S)/2 in both branches, so that
// one test, in the sums of P/D, and the sums of P/S do.
#include "best.hpp"
#include "smooth.cuh"

namespace suite::gpp {
namespace {

enum class Reach { near, far };

// What stands for D in branch B: its reciprocal counts as nothing, and the product of three is far from the largest number.
constexpr double nowhere = 1e90;

template <bool Real, int Energies, int Columns> struct Occupied {
  using M = Number<double, Real>;
  static constexpr int numbers = 2 * Energies;  // of a band: what its energies bring (fill); and sums of a pair (G,G')
  struct Shared {
    M m[chunk][Columns];
    double x[chunk][numbers];
    int band[chunk];
  };

  M sums[Columns][numbers];
  double w[Columns], limit[Columns];  // near: w, and the |D| that branch A begins beyond; far: w^2 alone

  __device__ __forceinline__ void clear() {
    SUITE_GPU_UNROLL
    for (int c = 0; c < Columns; ++c) SUITE_GPU_UNROLL
    for (int i = 0; i < numbers; ++i) sums[c][i] = {};
  }

  // Makes of the energies of a band what sum_up reads. near: x, and of two even energies their middle x; far: x and x^2; of two
  // even energies the middle x, x^2 + spacing^2 and (2 x spacing)^2.
  template <Reach reach, bool Even>
  __device__ __forceinline__ static void fill(double* x, const double* from, int64_t ntband, double spacing) {
    SUITE_GPU_UNROLL
    for (int i = 0; i < Energies; ++i) x[i] = from[i * ntband];
    if constexpr (Even && reach == Reach::near) {
      x[2] = x[0] + spacing;
    } else if constexpr (Even) {
      const double middle = x[0] + spacing, twice = 2 * middle * spacing;
      x[0] = middle;
      x[1] = fused(middle, middle, spacing * spacing);
      x[2] = twice * twice;
    } else if constexpr (reach == Reach::far) {
      SUITE_GPU_UNROLL
      for (int i = 0; i < Energies; ++i) x[Energies + i] = x[i] * x[i];
    }
  }

  // One band of the chunk. The sums are
  //   near: P/D_i in A, P/S_i; of two even energies the latter from q = 1/(S^2 - spacing^2), S the middle one: P q, P q S
  //   far: P/(x_i^2 - w^2), P x_i/(x_i^2 - w^2); of two even energies, x the middle and h = x^2 + spacing^2 - w^2, the product
  //        of both denominators is 1/q = h^2 - (2 x spacing)^2: P q, P q x, P q h, P q h x
  template <Reach reach, bool Even> __device__ __forceinline__ void add_band(const double* x, const M* m, M here, double spacing2) {
    SUITE_GPU_UNROLL
    for (int c = 0; c < Columns; ++c) {
      const M P = product(here, m[c]);
      if constexpr (reach == Reach::far && Even) {
        const double h = x[1] - w[c], q = reciprocal(fused(h, h, -x[2])), qh = q * h;
        add(sums[c][0], P, q);
        add(sums[c][1], P, q * x[0]);
        add(sums[c][2], P, qh);
        add(sums[c][3], P, qh * x[0]);
      } else if constexpr (reach == Reach::far) {
        double e[Energies], r[Energies];
        SUITE_GPU_UNROLL
        for (int i = 0; i < Energies; ++i) e[i] = x[Energies + i] - w[c];
        reciprocals<Energies>(e, r);
        SUITE_GPU_UNROLL
        for (int i = 0; i < Energies; ++i) {
          add(sums[c][i], P, r[i]);
          add(sums[c][Energies + i], P, r[i] * x[i]);
        }
      } else {
        double D[Energies], r[Energies];
        SUITE_GPU_UNROLL
        for (int i = 0; i < Energies; ++i) {
          D[i] = x[i] - w[c];
          D[i] = exceeds(D[i], limit[c]) ? D[i] : nowhere;
        }
        reciprocals<Energies>(D, r);
        SUITE_GPU_UNROLL
        for (int i = 0; i < Energies; ++i) add(sums[c][i], P, r[i]);
        if constexpr (Even) {
          const double S = x[2] + w[c], q = reciprocal(fused(S, S, -spacing2));
          add(sums[c][2], P, q);
          add(sums[c][3], P, q * S);
        } else {
          double S[Energies];
          SUITE_GPU_UNROLL
          for (int i = 0; i < Energies; ++i) S[i] = x[i] + w[c];
          reciprocals<Energies>(S, r);
          SUITE_GPU_UNROLL
          for (int i = 0; i < Energies; ++i) add(sums[c][Energies + i], P, r[i]);
        }
      }
    }
  }

  // Bands [begin, end) of the chunk; `a` is M_n of the thread's row at n' = 0, read one band ahead of its use.
  template <Reach reach, bool Even>
  __device__ __forceinline__ void sum_up(const Shared& s, int begin, int end, const M* a, int64_t ncouls, double spacing) {
    if (begin >= end) return;
    const double spacing2 = spacing * spacing;
    M next = a[s.band[begin] * ncouls];
    SUITE_GPU_NO_UNROLL
    for (int k = begin; k < end; ++k) {
      const M here = next;
      next = a[s.band[k + 1 < end ? k + 1 : k] * ncouls];
      add_band<reach, Even>(s.x[k], s.m[k], here, spacing2);
    }
  }

  // CH and SX of the energies from the sums of one pair.
  template <Reach reach, bool Even> __device__ __forceinline__ static void results(const M* sum, double w, double spacing, M* ch, M* sx) {
    if constexpr (reach == Reach::near) {
      SUITE_GPU_UNROLL
      for (int i = 0; i < Energies; ++i) {
        M T = sum[Energies + i];
        if constexpr (Even) {
          T = sum[3];
          add(T, sum[2], i == 0 ? spacing : -spacing);
        }
        ch[i] = sum[i];
        sx[i] = sum[i] * 0.5;
        add(sx[i], T, -0.5);
      }
    } else {
      SUITE_GPU_UNROLL
      for (int i = 0; i < Energies; ++i) {
        M R = sum[i], xR = sum[Energies + i];
        if constexpr (Even) {
          // 1/(x_i^2 - w^2) = q (h -+ 2 x d), d = -spacing for the first and spacing for the second, x_i = x + d and
          // x^2 = h + w^2 - spacing^2
          const double d = i == 0 ? -spacing : spacing;
          R = sum[2];
          add(R, sum[1], -2 * d);
          xR = sum[3];
          add(xR, sum[2], -d);
          add(xR, sum[0], -2 * d * (w * w - spacing * spacing));
          add(xR, sum[1], -2 * spacing * spacing);
        }
        sx[i] = R * w;
        ch[i] = xR;
        add(ch[i], R, w);
      }
    }
  }

  // What the bands of one reach bring to `value`: per energy CH and SX, re, im. `column`: the first of the thread's, in the group.
  template <Reach reach, bool Even>
  __device__ __forceinline__ void sum_bands(const Tiles& t, const Place& p, Shared& s, int column, double spacing, double* value) {
    const int thread = static_cast<int>(threadIdx.x);
    const Range* const ranges = p.ranges(t);
    int first = p.end, last = p.begin;
    SUITE_GPU_UNROLL
    for (int i = 0; i < tiles_per_block; ++i) {
      const int begin = reach == Reach::near ? 0 : ranges[i].near, end = reach == Reach::near ? ranges[i].near : ranges[i].far;
      first = begin < end && begin < first ? begin : first;
      last = begin < end && end > last ? end : last;
    }
    if (first < p.begin) first = p.begin;
    if (last > p.end) last = p.end;
    if (first >= last) return;
    const Range own = ranges[thread / tile_rows];
    const int own_first = reach == Reach::near ? 0 : own.near, own_last = reach == Reach::near ? own.near : own.far;

    const int64_t of_external = static_cast<int64_t>(p.external) * t.ntband;
    const M* const m =
        static_cast<const M*>(t.aqsm) + (of_external * t.groups + static_cast<int64_t>(p.group) * t.ntband) * t.columns + column;
    const M* const a = static_cast<const M*>(t.aqsn) + of_external * t.ncouls + p.ig;
    const double* const x = t.x + of_external * t.nw + static_cast<int64_t>(t.energy) * t.ntband;
    clear();
    SUITE_GPU_UNROLL
    for (int c = 0; c < Columns; ++c) {
      const double pole = Pole<Real>(t, p, column + c).w, by_w = pole * 0.002;  // 500^2 is limit_one
      w[c] = reach == Reach::near ? pole : pole * pole;
      limit[c] = by_w > t.gamma ? by_w : t.gamma;
    }
    SUITE_GPU_NO_UNROLL
    for (int from = first; from < last; from += chunk) {
      const int count = last - from < chunk ? last - from : chunk;
      __syncthreads();
      for (int i = thread; i < count * Columns; i += rows)
        s.m[i / Columns][i % Columns] = m[static_cast<int64_t>(from + i / Columns) * t.columns + i % Columns];
      for (int i = thread; i < count; i += rows) {
        fill<reach, Even>(s.x[i], x + from + i, t.ntband, spacing);
        s.band[i] = t.band[of_external + from + i];
      }
      __syncthreads();
      const int begin = own_first > from ? own_first - from : 0, end = own_last - from < count ? own_last - from : count;
      sum_up<reach, Even>(s, begin, end, a, t.ncouls, spacing);
    }
    SUITE_GPU_UNROLL
    for (int c = 0; c < Columns; ++c) {
      const Pole<Real> pole(t, p, column + c);
      M ch[Energies], sx[Energies];
      results<reach, Even>(sums[c], pole.w, spacing, ch, sx);
      SUITE_GPU_UNROLL
      for (int i = 0; i < Energies; ++i) {
        add_product(value + 4 * i, ch[i], pole.iw);
        add_product(value + 4 * i + 2, sx[i], pole.iw);
      }
    }
  }
};

// Columns of a thread's registers: as many of the group as leave room for twice the sums of an empty band.
template <bool Real, int Energies, int Group> constexpr int occupied_columns = Group == 8 && Energies == 3 ? Group / 2 : Group;
// As resident_blocks in smooth.cuh, by the sums of a thread.
template <bool Real, int Energies, int Group>
constexpr int occupied_sums_of_thread = 2 * occupied_columns<Real, Energies, Group> * Energies * (Real ? 1 : 2);
template <bool Real, int Energies, int Group>
constexpr int resident_occupied = occupied_sums_of_thread<Real, Energies, Group> <= 8    ? 4
                                  : occupied_sums_of_thread<Real, Energies, Group> <= 12 ? 3
                                                                                         : 2;

template <bool Real, int Energies, int Group>
__global__ void SUITE_GPU_RESIDENT_BOUNDS(rows, (resident_occupied<Real, Energies, Group>)) occupied(const Tiles t) {
  constexpr int Columns = occupied_columns<Real, Energies, Group>;
  using Sums = Occupied<Real, Energies, Columns>;
  __shared__ typename Sums::Shared s;
  const Place p(t);
  const double spacing = Energies == 2 ? p.spacing(t) : 0;
  double value[4 * Energies] = {};
  Sums sums;
  SUITE_GPU_NO_UNROLL
  for (int column = 0; column < Group; column += Columns) {
    if (Energies == 2 && spacing != 0) {
      sums.template sum_bands<Reach::near, Energies == 2>(t, p, s, column, spacing, value);
      sums.template sum_bands<Reach::far, Energies == 2>(t, p, s, column, spacing, value);
    } else {
      sums.template sum_bands<Reach::near, false>(t, p, s, column, 0, value);
      sums.template sum_bands<Reach::far, false>(t, p, s, column, 0, value);
    }
  }
  double* const slots = t.slots + (static_cast<int64_t>(p.external) * t.nw + t.energy) * quantities * p.blocks + p.slot;
  block_sum<4 * Energies, rows>(
      value, [&](int n, double sum) { slots[static_cast<int64_t>(n / 4 * quantities + occupied_sums + n % 4) * p.blocks] = sum; });
}

template <bool Real, int Group> void launch_occupied(gpu::Stream stream, const Tiles& t, int energies, unsigned blocks) {
  if (energies == 1) SUITE_GPU_LAUNCH((occupied<Real, 1, Group>), blocks, rows, 0, stream, t);
  else if (energies == 2) SUITE_GPU_LAUNCH((occupied<Real, 2, Group>), blocks, rows, 0, stream, t);
  else SUITE_GPU_LAUNCH((occupied<Real, 3, Group>), blocks, rows, 0, stream, t);
}
template <bool Real> void launch_occupied(gpu::Stream stream, const Tiles& t, int energies, unsigned blocks) {
  if (t.columns == 2) launch_occupied<Real, 2>(stream, t, energies, blocks);
  else if (t.columns == 4) launch_occupied<Real, 4>(stream, t, energies, blocks);
  else launch_occupied<Real, 8>(stream, t, energies, blocks);
}

}  // namespace

void sum_occupied(gpu::Stream stream, const Tiles& t, bool real, int energies, unsigned blocks) {
  (real ? launch_occupied<true> : launch_occupied<false>)(stream, t, energies, blocks);
}

}  // namespace suite::gpp
