// SPDX-License-Identifier: BSD-3-Clause
// The published optimisation steps of this kernel ("8 steps to optimize Sigma-GPP", NERSC/BerkeleyGW, OpenACC on V100;
// arXiv 2008.11326), each with the threads, the loop order and the arithmetic of its step. All of them carry w as a
// complex number, one energy's division apart from another's, and SX for every band times its occupation. Where the
// source has the compiler sum over all threads, a block sums its own here and a second kernel the blocks.
#include <algorithm>

#include "ladder.hpp"
#include "slots.cuh"
#include "term.cuh"

namespace suite::gpp {
namespace {

constexpr bool swapped_indices(int step) { return step >= 5; }

// One external band of a call.
struct StepWork {
  const Z* wtilde;
  const void *I, *aqsn, *aqsm;
  const double *vcoul, *occ;
  const double* wx;  // (nw,ntband), from v5 on (ntband,nw)
  const int *igp, *g;
  int64_t ncouls, columns, ntband, nw;
  int64_t energy;  // the first of this launch
  double gamma, sexcut;
  double* slots;  // [iw][ssx re, im, sch re, im][block]
};

template <bool Real> __device__ __forceinline__ Z element(const void* from, int64_t i) {
  if constexpr (Real) return {static_cast<const double*>(from)[i], 0};
  else return static_cast<const Z*>(from)[i];
}

template <int Step, bool Real> __device__ __forceinline__ Pair<double> read_pair(const StepWork& work, int64_t ig, int64_t c) {
  const int64_t i = work.igp[c] * work.ncouls + ig;
  return make_pair<Step>(work.wtilde[i], element<Real>(work.I, i), work.sexcut);
}

// The terms of one (n',G',G) and Energies energies, added to the sums of a thread.
template <int Step, bool Real, int Energies>
__device__ __forceinline__ void add_terms(const StepWork& work, const Pair<double>& pair, int64_t ig, int64_t c, int64_t n1,
                                          double (&sums)[Energies][4]) {
  const Z P = work.vcoul[work.g[c]] *
              (conjugate(element<Real>(work.aqsm, n1 * work.ncouls + work.g[c])) * element<Real>(work.aqsn, n1 * work.ncouls + ig));
  const double occupation = work.occ[n1];
  SUITE_GPU_UNROLL
  for (int i = 0; i < Energies; ++i) {
    const int64_t iw = work.energy + i;
    const double x = x_of(work.wx, swapped_indices(Step) ? iw * work.ntband + n1 : n1 * work.nw + iw);
    Z ssx, sch;
    term<Step>(pair, x, work.gamma, work.sexcut, ssx, sch);
    ssx = occupation * (P * ssx);
    sch = P * sch;
    sums[i][0] += ssx.re;
    sums[i][1] += ssx.im;
    sums[i][2] += sch.re;
    sums[i][3] += sch.im;
  }
}

template <int Energies, int Threads> __device__ __forceinline__ void sum_block(const StepWork& work, const double (&sums)[Energies][4]) {
  SUITE_GPU_UNROLL
  for (int i = 0; i < Energies; ++i)
    block_sum<4, Threads>(sums[i], [&](int n, double sum) { work.slots[((work.energy + i) * 4 + n) * gridDim.x + blockIdx.x] = sum; });
}

constexpr int short_block = 128, long_block = 512;  // vector_length, from v3 on the long one
constexpr int poor_block = 64;                      // fixed_length, which is step 10: v8 but for this
constexpr int threads_of(int step) { return step < 3 ? short_block : step < 10 ? long_block : poor_block; }
// A processor of a GPU runs 2048 threads at a time. Beyond some times as many, each thread takes several iterations.
constexpr int64_t most_threads_per_processor = 16 * 2048;
constexpr int64_t row_stride = 256, band_stride = 16;  // v9: ig_blksize, n1loc_blksize

// v1: a thread for each (n',G',G).
template <int Step, bool Real, int Energies> __global__ void __launch_bounds__(short_block) collapse3(const StepWork work) {
  double sums[Energies][4] = {};
  const int64_t count = work.ntband * work.columns * work.ncouls, stride = static_cast<int64_t>(gridDim.x) * short_block;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * short_block + threadIdx.x; i < count; i += stride) {
    const int64_t ig = i % work.ncouls, c = i / work.ncouls % work.columns, n1 = i / (work.ncouls * work.columns);
    add_terms<Step, Real, Energies>(work, read_pair<Step, Real>(work, ig, c), ig, c, n1, sums);
  }
  sum_block<Energies, short_block>(work, sums);
}

// v2 to v8, and fixed_length: a thread for each (G',G), which goes through all n'.
template <int Step, bool Real, int Energies> __global__ void __launch_bounds__(threads_of(Step)) collapse2(const StepWork work) {
  constexpr int threads = threads_of(Step);
  double sums[Energies][4] = {};
  const int64_t count = work.columns * work.ncouls, stride = static_cast<int64_t>(gridDim.x) * threads;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * threads + threadIdx.x; i < count; i += stride) {
    const int64_t ig = i % work.ncouls, c = i / work.ncouls;
    const Pair<double> pair = read_pair<Step, Real>(work, ig, c);
    for (int64_t n1 = 0; n1 < work.ntband; ++n1) add_terms<Step, Real, Energies>(work, pair, ig, c, n1, sums);
  }
  sum_block<Energies, threads>(work, sums);
}

// v9: a thread for each of band_stride parts of n', G', and row_stride parts of G; it strides through its parts, so that
// blocks which run at the same time read the same few rows and bands.
template <int Step, bool Real, int Energies> __global__ void __launch_bounds__(long_block) blocked(const StepWork work) {
  double sums[Energies][4] = {};
  const int64_t count = band_stride * work.columns * row_stride, stride = static_cast<int64_t>(gridDim.x) * long_block;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * long_block + threadIdx.x; i < count; i += stride) {
    const int64_t ig_block = i % row_stride, c = i / row_stride % work.columns, n1_block = i / (row_stride * work.columns);
    for (int64_t ig = ig_block; ig < work.ncouls; ig += row_stride) {
      const Pair<double> pair = read_pair<Step, Real>(work, ig, c);
      for (int64_t n1 = n1_block; n1 < work.ntband; n1 += band_stride) add_terms<Step, Real, Energies>(work, pair, ig, c, n1, sums);
    }
  }
  sum_block<Energies, long_block>(work, sums);
}

__global__ void transpose(const double* wx, int64_t ntband, int64_t nw, double* to) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < ntband * nw) to[i % nw * ntband + i / nw] = wx[i];
}

__global__ void write_energies(const double* total, int64_t nw, Z* asx, Z* ach) {
  const int64_t iw = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (iw >= nw) return;
  asx[iw] = {-total[4 * iw], -total[4 * iw + 1]};
  ach[iw] = {0.5 * total[4 * iw + 2], 0.5 * total[4 * iw + 3]};
}

// One launch: Energies energies from work.energy on.
template <int Step, bool Real, int Energies> void launch(gpu::Stream stream, const StepWork& work, unsigned blocks) {
  if constexpr (Step == 1) SUITE_GPU_LAUNCH((collapse3<Step, Real, Energies>), blocks, short_block, 0, stream, work);
  else if constexpr (Step != 9) SUITE_GPU_LAUNCH((collapse2<Step, Real, Energies>), blocks, threads_of(Step), 0, stream, work);
  else SUITE_GPU_LAUNCH((blocked<Step, Real, Energies>), blocks, long_block, 0, stream, work);
}

// Up to v3 the energies of a launch are up to three (the source has two or three in all), from v4 on one.
template <int Step, bool Real> void all_energies(gpu::Stream stream, StepWork work, unsigned blocks) {
  while (work.energy < work.nw) {
    const int64_t left = work.nw - work.energy;
    if constexpr (Step < 4) {
      if (left >= 3) launch<Step, Real, 3>(stream, work, blocks);
      else if (left == 2) launch<Step, Real, 2>(stream, work, blocks);
      else launch<Step, Real, 1>(stream, work, blocks);
      work.energy += 3;
    } else {
      launch<Step, Real, 1>(stream, work, blocks);
      ++work.energy;
    }
  }
}

template <bool Real> void run_step(int step, gpu::Stream stream, const StepWork& work, unsigned blocks) {
  using Step = void (*)(gpu::Stream, StepWork, unsigned);
  static constexpr Step steps[] = {all_energies<1, Real>, all_energies<2, Real>, all_energies<3, Real>, all_energies<4, Real>,
                                   all_energies<5, Real>, all_energies<6, Real>, all_energies<7, Real>, all_energies<8, Real>,
                                   all_energies<9, Real>, all_energies<10, Real>};
  steps[step - 1](stream, work, blocks);
}

}  // namespace

void Ladder::run(const Sigma& call, const Columns& columns, int step) {
  const gpu::Stream stream = queue_.stream();
  const int64_t items = step == 1   ? call.ntband() * columns.count * call.ncouls()
                        : step != 9 ? columns.count * call.ncouls()
                                    : band_stride * columns.count * row_stride;
  const int64_t most_threads = queue_.properties().multiprocessors * most_threads_per_processor;
  const unsigned blocks = blocks_for(std::clamp<int64_t>(items, 1, most_threads), threads_of(step));
  const int64_t energies = call.ntband() * call.nw(), band = call.ntband() * call.ncouls() * call.parts();
  double* const slots = slots_.at_least(4 * call.nw() * blocks);
  double* const totals = totals_.at_least(4 * call.nw() + energies);
  double* const transposed = totals + 4 * call.nw();
  for (int64_t e = 0; e < call.nex(); ++e) {
    StepWork work{};
    work.wtilde = poles_of(call).w;
    work.I = poles_of(call).I;
    work.aqsn = numbers_of(call.aqsntemp) + e * band;
    work.aqsm = numbers_of(call.aqsmtemp) + e * band;
    work.vcoul = call.vcoul.data();
    work.occ = call.occ_array.data();
    work.wx = call.wx_array.data() + e * energies;
    work.igp = columns.igp;
    work.g = columns.g;
    work.ncouls = call.ncouls();
    work.columns = columns.count;
    work.ntband = call.ntband();
    work.nw = call.nw();
    work.gamma = call.gamma;
    work.sexcut = call.sexcut;
    work.slots = slots;
    if (swapped_indices(step)) {
      SUITE_GPU_LAUNCH(transpose, blocks_for(energies, short_block), short_block, 0, stream, work.wx, call.ntband(), call.nw(), transposed);
      work.wx = transposed;
    }
    if (call.is_real()) run_step<true>(step, stream, work, blocks);
    else run_step<false>(step, stream, work, blocks);
    add_slots(stream, slots, blocks, true, 4 * call.nw(), totals);
    SUITE_GPU_LAUNCH(write_energies, blocks_for(call.nw(), short_block), short_block, 0, stream, totals, call.nw(),
                     complex_of(call.asxtemp) + e * call.nw(), complex_of(call.achtemp) + e * call.nw());
  }
}

}  // namespace suite::gpp
