// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma for any complex w (invalid_gpp_mode 1 makes imaginary ones), band by band. A thread has one row G and a few
// bands n', whose M_n(G) it keeps, and goes through the columns G'. |w|^2 and |D|^2 stand for |w/D|^2, and real
// reciprocals for complex divisions.
#include <algorithm>
#include <type_traits>

#include "general.hpp"
#include "slots.cuh"

namespace suite::gpp {
namespace {

constexpr int block_rows = 128, bands = 4;
constexpr int64_t band_blocks_wanted = 512;
constexpr int64_t most_slots = int64_t{32} << 20;  // 256 MiB of sums of blocks

// One energy of one external band; `bands` bands for each block.
struct BandWork {
  const Z* wtilde;
  const void *I, *aqsn, *aqsm;
  const double *vcoul, *wx, *occ;
  const int *igp, *g;
  int64_t ncouls, columns, ntband, nw;  // nw: energies of this work,
  int64_t all_energies;                 // of the call
  int64_t first_band, last_band;
  bool with_sx;
  int row_blocks, parts;  // a slot is one block of rows and one part of the columns
  double gamma2, sexcut2;
  double* slots;  // [n'][iw][CH re, im, SX re, im][slot]
};

__device__ __forceinline__ Z element(Number<double, true> z) { return {z.re, 0}; }
__device__ __forceinline__ Z element(Z z) { return z; }
__device__ __forceinline__ Z times(Z a, Z b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }

// Adds p times the factors of one term to (CH re, im, SX re, im).
__device__ __forceinline__ void add_factors(Z w, double x, bool occupied, double gamma2, double sexcut2, Z p, double* sums) {
  const double d_re = x - w.re, d2 = d_re * d_re + w.im * w.im, w2 = w.re * w.re + w.im * w.im;
  if (w2 == 0) return;
  const bool A = d2 > gamma2 && w2 < 2.5e5 * d2;
  // delta = w conj(D)/|D|^2 with D = (d_re, -w_im)
  Z f{0, 0};
  if (A) {
    const double r = reciprocal(d2);
    f = {(w.re * d_re - w.im * w.im) * r, (w.im * d_re + w.re * w.im) * r};
    const Z add = times(p, f);
    sums[0] += add.re;
    sums[1] += add.im;
  }
  // SX: delta w/(x+w) in A, -1/2 w/(x+w) in B, 0 in C.
  if (!occupied || !(A || w2 > 1e-12 * d2)) return;
  const double s_re = x + w.re, s2 = s_re * s_re + w.im * w.im;
  const double u = reciprocal(s2 > 1e-200 ? s2 : 1e-200);
  const Z h{(w.re * s_re + w.im * w.im) * u, (w.im * s_re - w.re * w.im) * u};
  const Z ssx = A ? times(f, h) : Z{-0.5 * h.re, -0.5 * h.im};
  if (x < 0 && !(ssx.re * ssx.re + ssx.im * ssx.im <= sexcut2)) return;
  const Z add = times(p, ssx);
  sums[2] += add.re;
  sums[3] += add.im;
}

// Still: static CH, p itself in place of its product with the factors.
template <bool Real, bool Still> __global__ void __launch_bounds__(block_rows) resolve_bands(const BandWork work) {
  using M = Number<double, Real>;
  const int64_t slots = static_cast<int64_t>(work.row_blocks) * work.parts;
  const int64_t slot = blockIdx.x % slots, block = blockIdx.x / slots;
  const int64_t iw = block % work.nw, first = work.first_band + block / work.nw * bands;
  const int64_t part = slot / work.row_blocks, row = slot % work.row_blocks * block_rows + threadIdx.x;
  const bool inside = row < work.ncouls;
  const int64_t ig = inside ? row : 0;
  const M* const aqsn = static_cast<const M*>(work.aqsn);
  const M* const aqsm = static_cast<const M*>(work.aqsm);

  M a[bands];
  double x[bands], value[4 * bands] = {};
  bool occupied[bands];
  SUITE_GPU_UNROLL
  for (int b = 0; b < bands; ++b) {
    // Past the last band the last one is repeated, and its sums are not written.
    const int64_t n1 = first + b < work.last_band ? first + b : work.last_band - 1;
    a[b] = aqsn[n1 * work.ncouls + ig];
    x[b] = x_of(work.wx, n1 * work.all_energies + iw);
    occupied[b] = work.with_sx && work.occ[n1] > 0;
  }
  const int64_t end = work.columns * (part + 1) / work.parts;
  for (int64_t c = work.columns * part / work.parts; inside && c < end; ++c) {
    const int64_t i = work.igp[c] * work.ncouls + ig, g = work.g[c];
    const Z w = work.wtilde[i];
    const M iv = static_cast<const M*>(work.I)[i] * work.vcoul[g];
    SUITE_GPU_UNROLL
    for (int b = 0; b < bands; ++b) {
      const int64_t n1 = first + b < work.last_band ? first + b : work.last_band - 1;
      const Z p = times(element(product(a[b], aqsm[n1 * work.ncouls + g])), element(iv));
      if constexpr (Still) {
        value[4 * b] += p.re;
        value[4 * b + 1] += p.im;
      } else {
        add_factors(w, x[b], occupied[b], work.gamma2, work.sexcut2, p, value + 4 * b);
      }
    }
  }
  block_sum<4 * bands, block_rows>(value, [&](int n, double sum) {
    const int64_t n1 = first + n / 4;
    if (n1 < work.last_band) work.slots[(((n1 - work.first_band) * work.nw + iw) * 4 + n % 4) * slots + slot] = sum;
  });
}

// CH of the bands of one external band: every `stride`th of the sums.
__global__ void write_bands(const double* total, int64_t count, int64_t stride, double factor, Z* to) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) to[i] = {factor * total[4 * i * stride], factor * total[4 * i * stride + 1]};
}

__global__ void subtract(const double* energies, const double* ekq, int64_t nw, int64_t ntband, int64_t count, double* wx) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) wx[i] = energies[i / (nw * ntband) * nw + i % nw] - ekq[i / nw % ntband];
}

// asx and ach of one external band: one block per energy.
__global__ void __launch_bounds__(block_rows) write_totals(const double* total, const double* occ, int64_t ntband, Z* asx, Z* ach) {
  double value[4] = {};
  for (int64_t n1 = threadIdx.x; n1 < ntband; n1 += block_rows) {
    const double* const t = total + (n1 * gridDim.x + blockIdx.x) * 4;
    value[0] += 0.5 * t[0];
    value[1] += 0.5 * t[1];
    if (occ[n1] > 0) {
      value[2] -= occ[n1] * t[2];
      value[3] -= occ[n1] * t[3];
    }
  }
  block_sum<4, block_rows>(value, [&](int n, double sum) {
    Z& to = (n < 2 ? ach : asx)[blockIdx.x];
    (n % 2 ? to.im : to.re) = sum;
  });
}

}  // namespace

const double* fill_differences(const gpu::Queue& queue, const Sigma& call, gpu::Buffer<double>& wx) {
  const int64_t count = call.nw() * call.ntband() * call.nex();
  SUITE_GPU_LAUNCH(subtract, blocks_for(count, small_block), small_block, 0, queue.stream(), call.energies.data(), call.ekq.data(),
                   call.nw(), call.ntband(), count, wx.at_least(count));
  return wx.data();
}

// The sums of each band of external band e, in totals_: [n'][energies of the range][CH re, im, SX re, im].
void General::sum(const Sigma& call, const Columns& columns, const Range& range, bool with_sx, int64_t e) {
  const gpu::Stream stream = queue_.stream();
  const int64_t row_blocks = (call.ncouls() + block_rows - 1) / block_rows;
  const int64_t quads = (call.ntband() + bands - 1) / bands;
  const int64_t parts =
      std::clamp<int64_t>(band_blocks_wanted / (row_blocks * quads * range.count), 1, std::clamp<int64_t>(columns.count, 1, 64));
  const int64_t slots = row_blocks * parts;
  int64_t portion = std::clamp<int64_t>(most_slots / (slots * range.count * 4) / bands * bands, bands, quads * bands);
  portion = std::min(portion, std::max<int64_t>(1, (int64_t{1} << 30) / (slots * range.count)) * bands);
  double* const total = totals_.at_least(4 * call.ntband() * range.count);
  const int64_t band = call.ntband() * call.ncouls() * call.parts();
  BandWork work{};
  work.wtilde = poles_of(call).w;
  work.I = poles_of(call).I;
  work.aqsn = numbers_of(call.aqsntemp) + e * band;
  work.aqsm = numbers_of(call.aqsmtemp) + e * band;
  work.vcoul = call.vcoul.data();
  work.wx = call.wx_array.data() + e * call.ntband() * call.nw() + range.first;
  work.occ = call.occ_array.data();
  work.igp = columns.igp;
  work.g = columns.g;
  work.ncouls = call.ncouls();
  work.columns = columns.count;
  work.ntband = call.ntband();
  work.nw = range.count;
  work.all_energies = call.nw();
  work.with_sx = with_sx;
  work.row_blocks = static_cast<int>(row_blocks);
  work.parts = static_cast<int>(parts);
  work.gamma2 = call.gamma * call.gamma;
  work.sexcut2 = call.sexcut * call.sexcut;
  for (int64_t first = 0; first < call.ntband(); first += portion) {
    work.first_band = first;
    work.last_band = std::min(first + portion, call.ntband());
    const int64_t in_portion = work.last_band - first, sums = in_portion * range.count * 4;
    work.slots = slots_.at_least(sums * slots);
    const unsigned grid = blocks_for((in_portion + bands - 1) / bands * range.count * slots, 1);
    const auto launch = [&](auto is_real) {
      constexpr bool real = decltype(is_real)::value;
      if (range.still) SUITE_GPU_LAUNCH((resolve_bands<real, true>), grid, block_rows, 0, stream, work);
      else SUITE_GPU_LAUNCH((resolve_bands<real, false>), grid, block_rows, 0, stream, work);
    };
    if (call.is_real()) launch(std::true_type{});
    else launch(std::false_type{});
    add_slots(stream, work.slots, slots, true, sums, total + first * range.count * 4);
  }
}

void General::run(const Sigma& call, const Columns& columns, bool totals) {
  const gpu::Stream stream = queue_.stream();
  const int64_t nw = call.nw(), ntband = call.ntband();
  const auto write = [&](const double* from, int64_t count, int64_t stride, double factor, Z* to) {
    SUITE_GPU_LAUNCH(write_bands, blocks_for(count, block_rows), block_rows, 0, stream, from, count, stride, factor, to);
  };
  // One energy alone needs no other.
  const bool all = totals || call.acht_n1;
  const Range range{all ? 0 : call.energy_n1(), all ? nw : 1, false};
  for (int64_t e = 0; e < call.nex(); ++e) {
    if (all || call.acht_n1_iw) {
      sum(call, columns, range, totals, e);
      const double* const total = totals_.data();
      if (call.acht_n1) write(total, ntband * nw, 1, 0.5, complex_of(call.acht_n1) + e * ntband * nw);
      if (call.acht_n1_iw)
        write(total + 4 * (call.energy_n1() - range.first), ntband, range.count, 0.5, complex_of(call.acht_n1_iw) + e * ntband);
      if (totals)
        SUITE_GPU_LAUNCH(write_totals, blocks_for(nw, 1), block_rows, 0, stream, total, call.occ_array.data(), ntband,
                         complex_of(call.asxtemp) + e * nw, complex_of(call.achtemp) + e * nw);
    }
    if (call.achst_n1) {
      sum(call, columns, {0, 1, true}, false, e);
      write(totals_.data(), ntband, 1, -0.5, complex_of(call.achst_n1) + e * ntband);
    }
  }
}

}  // namespace suite::gpp
