// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma at many energies, `energies=interpolated` (../pole_bins.hpp): moments of the modes of each bin of w serve all energies that
// are far from the bin, so that the loop over n', G and G' does not depend on their number.
//
// Modes are sorted once for all calls: those of a tile of `side` rows G times `side` owned columns G' lie together, by lists (bins, and
// one of infinite w, for which the series converges at once). A thread of the sums has one band n', 32 neighbouring ones are a team, whose
// modes are the same: M_n(G) and M_m(G') of the tile lie in shared memory, and so do the T_j of the next modes of each team, made by one
// thread each. A team owns two lists and keeps their moments in registers over all its tiles. What is near a bin is summed over
// exactly, with all tests, by a kernel whose threads are (n', E): teams take turns with the modes. Every sum has its place and its
// order, so that a call gives the same bits again.
#include <algorithm>
#include <numeric>

#include "interpolated.hpp"

namespace suite::gpp {
namespace {

constexpr int side = 32, team = 32, pairs = side * side;
// Of the sums of moments; of the other kernels, half as many, so that what they share stays below 48 KiB.
constexpr int teams = lists / 2, threads = team * teams;
constexpr int near_teams = teams / 2, near_threads = team * near_teams;
constexpr int at_a_time = 8;  // modes of a team whose T_j lie in shared memory
constexpr int64_t parts_of_multiprocessor = 8, most_slices = 64;
constexpr int samples = 4096, looks = 256;
constexpr int near_sums = 4;  // CH and SX, re and im
// Blocks of sum_near that a multiprocessor holds: of complex numbers one where it has 64 KiB of shared memory, as AMD's have.
template <bool Real> constexpr int near_resident = gpu::largest_warp > 32 && !Real ? 1 : 2;

template <bool Real> struct Mode {
  Number<double, Real> iw;  // I v w
  double w;
  int row, column;  // in the tile
};

struct Work {
  PoleBins<finite_bins> bins;
  int list[lists];  // of the teams, two each
  int64_t ncouls;
  int ntband, nw, externals, columns, row_tiles, tiles, band_blocks, slices;
  const Z* wtilde;
  const void *I, *aqsn, *aqsm;
  const double *vcoul, *wx, *occ;
  const int *igp, *g;
  double gamma, sexcut;
  void* modes;  // [tile][pairs], sorted
  int* starts;  // [tile][lists + 1]
  double* slots;
  SUITE_HOST_DEVICE int64_t bands() const { return static_cast<int64_t>(band_blocks) * team; }  // with padding
};

// The list of a mode; lists itself where w = 0: there is no pole.
SUITE_HOST_DEVICE int list_of(const PoleBins<finite_bins>& bins, double w) {
  if (!(w > 0)) return lists;
  if (w >= largest_w) return finite_bins;
  int b = 0;
  for (int i = 1; i < finite_bins; ++i) b += bins.edges[i] < w;
  return b;
}

struct Bin {
  double low, high, centre, radius;
  __device__ Bin(const PoleBins<finite_bins>& bins, int list) {
    if (list < finite_bins) {
      low = bins.lower(list);
      high = bins.upper(list);
      centre = bins.centre(list);
      radius = bins.radius(list);
    } else {
      low = high = centre = largest_w;
      radius = 1e-3 * largest_w;
    }
  }
};

// The series that give CH, and for an occupied band SX, of a bin at x; not `holds` where it is to be summed over exactly.
struct AtEnergy {
  Series ch, sx;
  bool far;
  __device__ AtEnergy(const Bin& bin, double x, bool occupied, double gamma, double sexcut) {
    ch = series_of(x, bin.centre, bin.radius);
    sx = series_of(-x, bin.centre, bin.radius);
    far = bin.low > bin.high || (ch.holds && (!occupied || sx.holds) && without_tests(x, bin.low, bin.high, occupied, gamma, sexcut));
  }
};

// The lowest and the highest finite w of each block, and a sample of all w.
__global__ void __launch_bounds__(small_block)
    look_at_modes(const Z* wtilde, const int* igp, int64_t ncouls, int64_t columns, double* found) {
  __shared__ double low[small_block], high[small_block];
  const int thread = static_cast<int>(threadIdx.x);
  const int64_t n = ncouls * columns, first = static_cast<int64_t>(blockIdx.x) * small_block + thread;
  double lowest = largest_w, highest = 0;
  for (int64_t i = first; i < n; i += static_cast<int64_t>(looks) * small_block) {
    const double w = wtilde[igp[i / ncouls] * ncouls + i % ncouls].re;
    if (!(w > 0 && w < largest_w)) continue;
    lowest = w < lowest ? w : lowest;
    highest = w > highest ? w : highest;
  }
  low[thread] = lowest;
  high[thread] = highest;
  __syncthreads();
  if (first < samples) {
    const int64_t i = n > samples ? first * (n / samples) : first;
    found[2 * looks + first] = i < n ? wtilde[igp[i / ncouls] * ncouls + i % ncouls].re : 0;
  }
  if (thread != 0) return;
  for (int i = 1; i < small_block; ++i) {
    lowest = low[i] < lowest ? low[i] : lowest;
    highest = high[i] > highest ? high[i] : highest;
  }
  found[2 * blockIdx.x] = lowest;
  found[2 * blockIdx.x + 1] = highest;
}

// One block per tile. A thread has neighbouring pairs, column by column, so that a list keeps their order.
template <bool Real> __global__ void __launch_bounds__(near_threads) sort_modes(const Work work) {
  constexpr int own = pairs / near_threads;
  __shared__ int count[lists][near_threads], total[lists], start[lists + 1];
  const int thread = static_cast<int>(threadIdx.x);
  const int64_t tile = blockIdx.x, row0 = tile % work.row_tiles * side, column0 = tile / work.row_tiles * side;
  const int column = thread * own / side;
  const int64_t c = column0 + column;
  double w[own];
  int list[own];
  for (int b = 0; b < lists; ++b) count[b][thread] = 0;
  SUITE_GPU_UNROLL
  for (int i = 0; i < own; ++i) {
    const int64_t row = row0 + (thread * own + i) % side;
    w[i] = c < work.columns && row < work.ncouls ? work.wtilde[work.igp[c] * work.ncouls + row].re : 0;
    list[i] = list_of(work.bins, w[i]);
    if (list[i] < lists) ++count[list[i]][thread];
  }
  __syncthreads();
  if (thread < lists) {
    int sum = 0;
    for (int i = 0; i < near_threads; ++i) {
      const int here = count[thread][i];
      count[thread][i] = sum;
      sum += here;
    }
    total[thread] = sum;
  }
  __syncthreads();
  if (thread == 0) {
    start[0] = 0;
    for (int b = 0; b < lists; ++b) start[b + 1] = start[b] + total[b];
  }
  __syncthreads();
  if (thread <= lists) work.starts[tile * (lists + 1) + thread] = start[thread];
  Mode<Real>* const to = static_cast<Mode<Real>*>(work.modes) + tile * pairs;
  SUITE_GPU_UNROLL
  for (int i = 0; i < own; ++i) {
    if (list[i] == lists) continue;
    const int r = (thread * own + i) % side;
    Mode<Real> mode;
    mode.w = w[i];
    mode.iw = static_cast<const Number<double, Real>*>(work.I)[work.igp[c] * work.ncouls + row0 + r] * (w[i] * work.vcoul[work.g[c]]);
    mode.row = r;
    mode.column = column;
    to[start[list[i]] + count[list[i]][thread]++] = mode;
  }
}

// M_n(G) and M_m(G') of a tile and of the bands of a team, zero outside.
template <bool Real, int Threads> struct Elements {
  using M = Number<double, Real>;
  M n[side][team + 1], m[side][team + 1];  // one more, so that threads with neighbouring rows meet different banks

  __device__ __forceinline__ void load(const Work& work, int external, int band0, int64_t tile) {
    const int64_t row0 = tile % work.row_tiles * side, column0 = tile / work.row_tiles * side;
    const int64_t at = static_cast<int64_t>(external) * work.ntband;
    for (int i = static_cast<int>(threadIdx.x); i < side * team; i += Threads) {
      const int r = i % side, k = i / side;
      const bool is_band = band0 + k < work.ntband;
      n[r][k] = m[r][k] = {};
      if (is_band && row0 + r < work.ncouls) n[r][k] = static_cast<const M*>(work.aqsn)[(at + band0 + k) * work.ncouls + row0 + r];
      if (is_band && column0 + r < work.columns)
        m[r][k] = static_cast<const M*>(work.aqsm)[(at + band0 + k) * work.ncouls + work.g[column0 + r]];
    }
  }
};

__device__ __forceinline__ Number<double, true> weighted(Number<double, true> a, Number<double, true> b) { return {a.re * b.re}; }
__device__ __forceinline__ Number<double, false> weighted(Number<double, false> a, Number<double, false> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// Where a block of the sums stands: external band, energy (of sum_near), bands, tiles.
struct Part {
  int external, energy, band0;
  int64_t slice, first_tile, end_tile;
  __device__ Part(const Work& work, int energies) {
    int64_t i = blockIdx.x;
    band0 = static_cast<int>(i % work.band_blocks) * team;  // those that run together share the modes
    i /= work.band_blocks;
    energy = static_cast<int>(i % energies);
    i /= energies;
    external = static_cast<int>(i % work.externals);
    slice = i / work.externals;
    first_tile = work.tiles * slice / work.slices;
    end_tile = work.tiles * (slice + 1) / work.slices;
  }
};

template <bool Real> __global__ void SUITE_GPU_RESIDENT_BOUNDS(threads, 1) sum_moments(const Work work) {
  using M = Number<double, Real>;
  struct Staged {
    M iw;
    double T[moments - 1];  // from j = 1 on
    int row, column;
  };
  __shared__ Elements<Real, threads> elements;
  __shared__ Staged staged[teams][at_a_time];
  __shared__ int start[lists + 1];

  const Part part(work, 1);
  const int thread = static_cast<int>(threadIdx.x), lane = thread % team, own = thread / team;
  const Mode<Real>* const modes = static_cast<const Mode<Real>*>(work.modes);
  M sums[2][moments] = {};
  for (int64_t tile = part.first_tile; tile < part.end_tile; ++tile) {
    __syncthreads();
    elements.load(work, part.external, part.band0, tile);
    if (thread <= lists) start[thread] = work.starts[tile * (lists + 1) + thread];
    __syncthreads();
    SUITE_GPU_UNROLL
    for (int k = 0; k < 2; ++k) {
      const int list = work.list[2 * own + k], begin = start[list], end = start[list + 1];
      int longest = 0;
      for (int i = 0; i < teams; ++i) {
        const int other = work.list[2 * i + k], length = start[other + 1] - start[other];
        longest = length > longest ? length : longest;
      }
      const Bin bin(work.bins, list);
      const double by_r = 1 / bin.radius;
      SUITE_GPU_NO_UNROLL
      for (int from = 0; from < longest; from += at_a_time) {
        const int rest = end - begin - from, count = rest < at_a_time ? rest : at_a_time;
        __syncthreads();
        if (lane < count) {
          const Mode<Real> mode = modes[tile * pairs + begin + from + lane];
          Staged& to = staged[own][lane];
          const double t = (mode.w - bin.centre) * by_r;
          to.iw = mode.iw;
          to.row = mode.row;
          to.column = mode.column;
          double before = 1, here = t;
          SUITE_GPU_UNROLL
          for (int j = 1; j < moments; ++j) {
            to.T[j - 1] = here;
            const double next = 2 * t * here - before;
            before = here;
            here = next;
          }
        }
        __syncthreads();
        SUITE_GPU_NO_UNROLL
        for (int i = 0; i < count; ++i) {
          const Staged& mode = staged[own][i];
          const M P = weighted(product(elements.n[mode.row][lane], elements.m[mode.column][lane]), mode.iw);
          add(sums[k][0], P, 1.0);
          SUITE_GPU_UNROLL
          for (int j = 1; j < moments; ++j) add(sums[k][j], P, mode.T[j - 1]);
        }
      }
    }
  }
  // [slice][external][list][moment][re, im][band]
  double* const to = work.slots + (part.slice * work.externals + part.external) * lists * moments * 2 * work.bands() + part.band0 + lane;
  SUITE_GPU_UNROLL
  for (int k = 0; k < 2; ++k) SUITE_GPU_UNROLL
  for (int j = 0; j < moments; ++j) {
    double* const z = to + (work.list[2 * own + k] * moments + j) * 2 * work.bands();
    z[0] = sums[k][j].re;
    if constexpr (Real) z[work.bands()] = 0;
    else z[work.bands()] = sums[k][j].im;
  }
}

// CH and SX of a band at one energy of the bins that are near, f not yet in SX.
template <bool Real> __global__ void SUITE_GPU_RESIDENT_BOUNDS(near_threads, near_resident<Real>) sum_near(const Work work) {
  using M = Number<double, Real>;
  __shared__ Elements<Real, near_threads> elements;
  __shared__ int start[lists + 1], near[lists][team], any[lists];
  __shared__ double all[near_teams][near_sums][team];

  const Part part(work, work.nw);
  const int thread = static_cast<int>(threadIdx.x), lane = thread % team, own = thread / team, band = part.band0 + lane;
  const bool is_band = band < work.ntband, occupied = is_band && work.occ[band] > 0;
  const double x = is_band ? x_of(work.wx, (static_cast<int64_t>(part.external) * work.ntband + band) * work.nw + part.energy) : 0;
  for (int b = own; b < lists; b += near_teams)
    near[b][lane] = is_band && !AtEnergy(Bin(work.bins, b), x, occupied, work.gamma, work.sexcut).far;
  __syncthreads();
  if (thread < lists) {
    any[thread] = 0;
    for (int i = 0; i < team; ++i) any[thread] |= near[thread][i];
  }
  __syncthreads();
  unsigned wanted = 0, wanted_here = 0;  // a bit for each list: of any band; of the thread's
  for (int b = 0; b < lists; ++b) {
    wanted |= static_cast<unsigned>(any[b]) << b;
    wanted_here |= static_cast<unsigned>(near[b][lane]) << b;
  }

  const double gamma2 = work.gamma * work.gamma, sexcut2 = work.sexcut * work.sexcut;
  M ch = {}, sx = {};
  for (int64_t tile = part.first_tile; wanted != 0 && tile < part.end_tile; ++tile) {
    __syncthreads();
    elements.load(work, part.external, part.band0, tile);
    if (thread <= lists) start[thread] = work.starts[tile * (lists + 1) + thread];
    __syncthreads();
    for (int b = 0; b < lists; ++b) {
      if (!(wanted_here >> b & 1)) continue;
      for (int i = start[b] + own; i < start[b + 1]; i += near_teams) {
        const Mode<Real> mode = static_cast<const Mode<Real>*>(work.modes)[tile * pairs + i];
        const M P = weighted(product(elements.n[mode.row][lane], elements.m[mode.column][lane]), mode.iw);
        const double w = mode.w, D = x - w, by_w = w * w * (1 / 2.5e5);
        const bool A = D * D > (by_w > gamma2 ? by_w : gamma2);
        double S = x + w;
        if (S == 0) S = 1e-100;
        // 1/(D S) in A, 1/S in B.
        const double q = reciprocal((A ? D : 1.0) * S);
        add(ch, P, A ? q * S : 0.0);
        if (!occupied) continue;
        const double factor = (A ? w : -0.5) * q, size = factor * w;
        add(sx, P, x < 0 && !(size * size <= sexcut2) ? 0.0 : factor);
      }
    }
  }
  all[own][0][lane] = ch.re;
  all[own][2][lane] = sx.re;
  all[own][1][lane] = all[own][3][lane] = 0;
  if constexpr (!Real) {
    all[own][1][lane] = ch.im;
    all[own][3][lane] = sx.im;
  }
  __syncthreads();
  // [slice][external][energy][CH re, im, SX re, im][band]
  double* const to = work.slots + ((part.slice * work.externals + part.external) * work.nw + part.energy) * near_sums * work.bands() + band;
  for (int n = own; n < near_sums; n += near_teams) {
    double sum = 0;
    for (int i = 0; i < near_teams; ++i) sum += all[i][n][lane];
    to[n * work.bands()] = sum;
  }
}

__global__ void __launch_bounds__(small_block) add_slices(const double* slots, int64_t count, int slices, double* sum) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * small_block + threadIdx.x;
  if (i >= count) return;
  double all = 0;
  for (int s = 0; s < slices; ++s) all += slots[s * count + i];
  sum[i] = all;
}

// c0 (A_0 + 2 sum_{j>0} u^j A_j), A the moments of a list.
__device__ __forceinline__ Z sum_of(const Series& series, const double* A, int64_t stride) {
  const auto moment = [&](int j) { return Z{A[2 * j * stride], A[(2 * j + 1) * stride]}; };
  Z h = moment(moments - 1);
  SUITE_GPU_UNROLL
  for (int j = moments - 2; j > 0; --j) {
    const Z next = moment(j);
    h = {fused(h.re, series.u, next.re), fused(h.im, series.u, next.im)};
  }
  const Z first = moment(0);
  const double twice = 2 * series.u;
  return {series.c0 * fused(h.re, twice, first.re), series.c0 * fused(h.im, twice, first.im)};
}

// asx and ach: one block per external band and energy.
__global__ void __launch_bounds__(small_block)
    put_together(const Work work, const double* all_moments, const double* near, Z* asx, Z* ach) {
  const int energy = static_cast<int>(blockIdx.x) % work.nw, external = static_cast<int>(blockIdx.x) / work.nw;
  double value[near_sums] = {};
  for (int band = static_cast<int>(threadIdx.x); band < work.ntband; band += small_block) {
    const double f = work.occ[band], x = x_of(work.wx, (static_cast<int64_t>(external) * work.ntband + band) * work.nw + energy);
    const double* const exact = near + (static_cast<int64_t>(external) * work.nw + energy) * near_sums * work.bands() + band;
    Z ch{exact[0], exact[work.bands()]}, sx{exact[2 * work.bands()], exact[3 * work.bands()]};
    for (int b = 0; b < lists; ++b) {
      const Bin bin(work.bins, b);
      const AtEnergy at(bin, x, f > 0, work.gamma, work.sexcut);
      if (!at.far || bin.low > bin.high) continue;
      const double* const A = all_moments + (static_cast<int64_t>(external) * lists + b) * moments * 2 * work.bands() + band;
      const Z V = sum_of(at.ch, A, work.bands());
      ch = {ch.re + V.re, ch.im + V.im};
      if (!(f > 0)) continue;
      // The sum of 1/(x + w) is less that of 1/(-x - w).
      const Z T = sum_of(at.sx, A, work.bands());
      sx = {sx.re + 0.5 * (V.re + T.re), sx.im + 0.5 * (V.im + T.im)};
    }
    value[0] += 0.5 * ch.re;
    value[1] += 0.5 * ch.im;
    if (f > 0) {
      value[2] -= f * sx.re;
      value[3] -= f * sx.im;
    }
  }
  block_sum<near_sums, small_block>(value, [&](int n, double sum) {
    Z& to = (n < 2 ? ach : asx)[blockIdx.x];
    (n % 2 ? to.im : to.re) = sum;
  });
}

}  // namespace

Interpolated::Interpolated(const gpu::Queue& queue)
    : queue_(queue),
      look_(queue, "a sample of the poles"),
      slots_(queue, "the moments of the blocks"),
      moments_(queue, "the moments"),
      near_slots_(queue, "the exact sums of the blocks"),
      near_(queue, "the exact sums"),
      modes_(queue, "the sorted modes (energies=interpolated)"),
      starts_(queue, "the lists of the modes") {}

void Interpolated::prepare(const Sigma& call, const Columns& columns) {
  bins_ = {};
  bins_.lowest = largest_w;
  std::iota(teams_, teams_ + lists, 0);
  sorted_ = false;
  std::vector<double> found(2 * looks + samples);
  if (columns.count == 0 || call.ncouls() == 0) return;
  SUITE_GPU_LAUNCH(look_at_modes, looks, small_block, 0, queue_.stream(), poles_of(call).w, columns.igp, call.ncouls(), columns.count,
                   look_.at_least(std::ssize(found)));
  look_.download(found.data(), std::ssize(found));
  queue_.wait();
  for (int i = 0; i < looks; ++i) {
    bins_.lowest = std::min(bins_.lowest, found[2 * i]);
    bins_.highest = std::max(bins_.highest, found[2 * i + 1]);
  }
  std::vector<double> sample;
  std::copy_if(found.begin() + 2 * looks, found.end(), std::back_inserter(sample), [](double w) { return w > 0 && w < largest_w; });
  // The teams wait for the one with the longest list: the longest lists are the first of all teams, and the longest has the shortest
  // as its second.
  int64_t length[lists] = {};
  bins_.spread(sample);
  for (const double w : sample) ++length[list_of(bins_, w)];
  length[finite_bins] = std::count_if(found.begin() + 2 * looks, found.end(), [](double w) { return w >= largest_w; });
  int by_length[lists];
  std::iota(by_length, by_length + lists, 0);
  std::sort(by_length, by_length + lists, [&](int a, int b) { return length[a] != length[b] ? length[a] > length[b] : a < b; });
  for (int i = 0; i < teams; ++i) {
    teams_[2 * i] = by_length[i];
    teams_[2 * i + 1] = by_length[lists - 1 - i];
  }
}

template <bool Real> void Interpolated::launch(const Sigma& call, const Columns& columns) {
  const gpu::Stream stream = queue_.stream();
  Work work{};
  work.bins = bins_;
  std::copy_n(teams_, lists, work.list);
  work.ncouls = call.ncouls();
  work.ntband = static_cast<int>(call.ntband());
  work.nw = static_cast<int>(call.nw());
  work.externals = static_cast<int>(call.nex());
  work.columns = static_cast<int>(columns.count);
  work.row_tiles = static_cast<int>(ceil_div(call.ncouls(), side));
  work.tiles = static_cast<int>(work.row_tiles * ceil_div(columns.count, side));
  work.band_blocks = static_cast<int>(ceil_div(call.ntband(), team));
  work.wtilde = poles_of(call).w;
  work.I = poles_of(call).I;
  work.aqsn = call.aqsntemp.array().data;
  work.aqsm = call.aqsmtemp.array().data;
  work.vcoul = call.vcoul.data();
  work.wx = call.wx_array.data();
  work.occ = call.occ_array.data();
  work.igp = columns.igp;
  work.g = columns.g;
  work.gamma = call.gamma;
  work.sexcut = call.sexcut;
  const int64_t tiles = std::max<int64_t>(work.tiles, 1);
  work.modes = modes_.at_least(tiles * pairs * static_cast<int64_t>(sizeof(Mode<Real>)));
  work.starts = starts_.at_least(tiles * (lists + 1));
  if (!sorted_ && work.tiles > 0) SUITE_GPU_LAUNCH(sort_modes<Real>, blocks_for(work.tiles, 1), near_threads, 0, stream, work);
  sorted_ = true;

  // As many slices of the tiles as keep the device busy; each has sums of its own.
  const int64_t wanted = parts_of_multiprocessor * queue_.properties().multiprocessors;
  const auto slices = [&](int64_t blocks) {
    return static_cast<int>(std::clamp<int64_t>(ceil_div(wanted, blocks), 1, std::min(most_slices, tiles)));
  };
  const auto sum = [&](auto kernel, const char* name, int block_threads, int64_t blocks, int64_t count, gpu::Buffer<double>& slots,
                       gpu::Buffer<double>& total) {
    if (blocks == 0) return;
    work.slices = slices(blocks);
    work.slots = slots.at_least(count * work.slices);
    gpu::launch(name, kernel, blocks_for(blocks * work.slices, 1), static_cast<unsigned>(block_threads), 0, stream, work);
    SUITE_GPU_LAUNCH(add_slices, blocks_for(count, small_block), small_block, 0, stream, work.slots, count, work.slices,
                     total.at_least(count));
  };
  const int64_t groups = static_cast<int64_t>(work.externals) * work.band_blocks;
  sum(sum_moments<Real>, "kernel sum_moments", threads, groups, work.externals * lists * moments * 2 * work.bands(), slots_, moments_);
  sum(sum_near<Real>, "kernel sum_near", near_threads, groups * work.nw, int64_t{work.externals} * work.nw * near_sums * work.bands(),
      near_slots_, near_);
  SUITE_GPU_LAUNCH(put_together, blocks_for(int64_t{work.externals} * work.nw, 1), small_block, 0, stream, work, moments_.data(),
                   near_.data(), complex_of(call.asxtemp), complex_of(call.achtemp));
}

void Interpolated::run(const Sigma& call, const Columns& columns) {
  if (call.nex() == 0 || call.nw() == 0) return;
  call.is_real() ? launch<true>(call, columns) : launch<false>(call, columns);
}

}  // namespace suite::gpp
