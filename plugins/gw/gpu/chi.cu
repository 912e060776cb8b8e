// SPDX-License-Identifier: BSD-3-Clause
// gw.chi on a GPU: a product of matrices over the pairs by the matrix units of the warps. The columns are scaled by the factors on their
// way into shared memory, so that the scaled M is never in memory. While the warps multiply one step's elements, the next ones' come
// from memory into the other half of shared memory. Where there are fewer tiles than the device has places for, the pairs are cut into
// slices, whose sums are added in turn: every sum has one order, whatever the device does first. Which pairs count, their factors and
// how many slices they make is found out on the device; the host plans for all pairs, and blocks without any end at once.
#include <algorithm>
#include <array>

#include <suite/gpu.hpp>
#include <suite/gpu/numbers.hpp>
#include <suite/gpu/product.hpp>
#include <suite/host_copies.hpp>

#include "../device/tables.hpp"
#include "../pairs.hpp"

namespace suite::gw {
namespace {

constexpr int64_t chi_blocks_wanted = 512;   // that a large device runs at a time, about twice
constexpr int64_t least_pairs_of_slice = 64;
constexpr int adding_threads = 256, listing_threads = 256, pairs_of_thread = 4, pairs_of_block = listing_threads * pairs_of_thread;

struct Real {
  double re;
};
using ComplexNumber = gpu::Complex<double>;

__device__ __forceinline__ Real scaled_conjugate(Real m, const double* factor, bool) { return {factor[0] * m.re}; }
__device__ __forceinline__ ComplexNumber scaled_conjugate(ComplexNumber m, const double* factor, bool real_factor) {
  const double re = factor[0];
  if (real_factor) return {re * m.re, -re * m.im};
  return {re * m.re + factor[1] * m.im, factor[1] * m.re - re * m.im};
}

// What the device found out about a call.
struct Found {
  int pairs;  // that count
  int wrong;  // 1: a frequency that cannot be meant, and then nothing is added
};

// What the pairs are listed from, and the lists: of frequency i factors from 2 npair i on, real parts and from npair on imaginary parts,
// or where a complex chi is off the axes pairs of both.
struct ChiLists {
  const double *delta, *weight, *z;  // z may be null: one frequency, 0
  int64_t npair, nfreq;
  bool is_real, imaginary;  // M is real; chi_imaginary is set
  int *counts, *pairs;      // pairs that count of each block; their numbers from 0
  double* factors;
  Found* found;
};

// One product of a call.
struct ChiPass {
  const void* aqs;
  void* chi;
  void* slices;           // [slice][igp][ig], where there are several
  const double* z;        // of the frequency; null: 0
  const double* factor;   // of each pair that counts: one number if they are real, else two
  const int32_t *pairs, *columns;
  const Found* found;
  int64_t ncouls, ngpown;
  int64_t most_slices;
  bool imaginary, square;  // into chi_imaginary; all columns in their order
};

__device__ __forceinline__ bool on_an_axis(const double* z) { return !z || z[0] == 0 || z[1] == 0; }
// Real factors make a Hermitian matrix, of which half is enough where all columns are there in their order.
template <class N> __device__ __forceinline__ bool has_real_factors(const ChiPass& p) {
  return sizeof(N) == sizeof(double) || on_an_axis(p.z);
}
__device__ __forceinline__ bool has_work(const ChiPass& p) {
  return !p.found->wrong && p.found->pairs > 0 && !(p.imaginary && on_an_axis(p.z));
}
__host__ __device__ __forceinline__ int64_t slices_of(int64_t pairs, int64_t most) {
  const int64_t some = pairs / least_pairs_of_slice < most ? pairs / least_pairs_of_slice : most;
  return some > 1 ? some : 1;
}

// The sum over the threads before this one and over all of the block.
struct Sums {
  int before, all;
};
__device__ __forceinline__ Sums sums_of_block(int mine, int* shared) {
  const int thread = static_cast<int>(threadIdx.x);
  __syncthreads();  // the last sums may still be read
  shared[thread] = mine;
  __syncthreads();
  for (int reach = 1; reach < listing_threads; reach *= 2) {
    const int other = thread >= reach ? shared[thread - reach] : 0;
    __syncthreads();
    shared[thread] += other;
    __syncthreads();
  }
  return {shared[thread] - mine, shared[listing_threads - 1]};
}

// Whether a pair counts; the same for all frequencies.
__device__ __forceinline__ bool counts(const ChiLists& c, int64_t p) { return p < c.npair && c.delta[p] > 0 && c.weight[p] != 0; }

// The pairs that count in each block, and whether a frequency cannot be meant: as check_frequencies() says.
__global__ void __launch_bounds__(listing_threads) count_pairs(const ChiLists c) {
  __shared__ int shared[listing_threads];
  const int64_t first = int64_t{blockIdx.x} * pairs_of_block + int64_t{threadIdx.x} * pairs_of_thread;
  int count = 0;
  bool wrong = false;
  SUITE_GPU_NO_UNROLL
  for (int i = 0; i < pairs_of_thread; ++i) count += counts(c, first + i);
  SUITE_GPU_NO_UNROLL
  for (int64_t f = 0; f < c.nfreq; ++f) {
    const double re = c.z ? c.z[2 * f] : 0, im = c.z ? c.z[2 * f + 1] : 0;
    if (c.is_real && !c.imaginary && re != 0 && im != 0) wrong = true;
    if (im != 0) continue;
    for (int i = 0; i < pairs_of_thread && first + i < c.npair; ++i) {
      const double delta = c.delta[first + i];
      wrong = wrong || (delta > 0 && ::fabs((delta - re) * (delta + re)) < nearest_to_a_pole * delta * delta);
    }
  }
  if (wrong) c.found->wrong = 1;
  const int all = sums_of_block(count, shared).all;
  if (threadIdx.x == 0) c.counts[blockIdx.x] = all;
}

// factor = -weight delta / ((delta - z) (delta + z)): factors rather than squares, whose difference loses its digits next to a pole. The
// quotient by Smith's method.
__device__ __forceinline__ ComplexNumber factor_of(double weight, double delta, double x, double y) {
  const double a = -weight * delta, re = (delta - x) * (delta + x) + y * y, im = (delta - x) * y - y * (delta + x);
  if (::fabs(re) < ::fabs(im)) {
    const double ratio = re / im, divisor = re * ratio + im;
    return {a * ratio / divisor, -a / divisor};
  }
  const double ratio = im / re, divisor = im * ratio + re;
  return {a / divisor, -(a * ratio) / divisor};
}

// The pairs that count in their order, with their factors.
__global__ void __launch_bounds__(listing_threads) list_pairs(const ChiLists c) {
  __shared__ int shared[listing_threads];
  int before = 0;
  for (int64_t block = threadIdx.x; block < blockIdx.x; block += listing_threads) before += c.counts[block];
  const int earlier = sums_of_block(before, shared).all;
  const int64_t first = int64_t{blockIdx.x} * pairs_of_block + int64_t{threadIdx.x} * pairs_of_thread;
  int mine = 0;
  SUITE_GPU_NO_UNROLL
  for (int i = 0; i < pairs_of_thread; ++i) mine += counts(c, first + i);
  const Sums sums = sums_of_block(mine, shared);
  if (blockIdx.x + 1 == gridDim.x && threadIdx.x == 0) c.found->pairs = earlier + sums.all;
  int64_t at = earlier + sums.before;
  SUITE_GPU_NO_UNROLL
  for (int i = 0; i < pairs_of_thread; ++i) {
    if (!counts(c, first + i)) continue;
    c.pairs[at] = static_cast<int>(first + i);
    const double delta = c.delta[first + i], weight = c.weight[first + i];
    SUITE_GPU_NO_UNROLL
    for (int64_t f = 0; f < c.nfreq; ++f) {
      const double x = c.z ? c.z[2 * f] : 0, y = c.z ? c.z[2 * f + 1] : 0;
      const ComplexNumber factor = factor_of(weight, delta, x, y);
      double* const to = c.factors + 2 * c.npair * f;
      const bool together = !c.is_real && x != 0 && y != 0;
      to[together ? 2 * at : at] = factor.re;
      to[together ? 2 * at + 1 : c.npair + at] = factor.im;
    }
    ++at;
  }
}

__device__ __forceinline__ void add_to(Real* chi, Real z) { chi->re += z.re; }
__device__ __forceinline__ void add_to(ComplexNumber* chi, ComplexNumber z) { *chi = *chi + z; }
__device__ __forceinline__ Real adjoint(Real z) { return z; }
__device__ __forceinline__ ComplexNumber adjoint(ComplexNumber z) { return gpu::conjugate(z); }
// The diagonal of a Hermitian matrix is real to the last bit.
__device__ __forceinline__ Real without_imaginary_part(Real z) { return z; }
__device__ __forceinline__ ComplexNumber without_imaginary_part(ComplexNumber z) { return {z.re, 0}; }

template <class N> __device__ __forceinline__ void add_element(const ChiPass& p, bool half, int64_t ig, int64_t igp, N sum) {
  N* const chi = static_cast<N*>(p.chi);
  if (!half) return add_to(chi + igp * p.ncouls + ig, sum);
  if (ig < igp) return;
  add_to(chi + igp * p.ncouls + ig, ig == igp ? without_imaginary_part(sum) : sum);
  if (ig > igp) add_to(chi + ig * p.ncouls + igp, adjoint(sum));
}

// One block: a tile of rows and columns, a slice of the pairs.
template <class Tile> __global__ void SUITE_GPU_RESIDENT_BOUNDS(Tile::threads, Tile::resident) sum_pairs(const ChiPass p) {
  using N = typename Tile::N;
  SUITE_GPU_DYNAMIC_SHARED(double, shared);  // two steps
  if (!has_work(p)) return;
  const bool real_factors = has_real_factors<N>(p), half = p.square && real_factors;
  const int64_t npair = p.found->pairs, slice_count = slices_of(npair, p.most_slices);

  const int thread = static_cast<int>(threadIdx.x);
  const int64_t row_tiles = (p.ncouls + Tile::rows - 1) / Tile::rows, column_tiles = (p.ngpown + Tile::columns - 1) / Tile::columns;
  int64_t block = blockIdx.x;
  const int64_t row0 = block % row_tiles * Tile::rows;
  block /= row_tiles;
  const int64_t column0 = block % column_tiles * Tile::columns, slice = block / column_tiles;
  if (slice >= slice_count || (half && row0 + Tile::rows <= column0)) return;  // above the diagonal
  const int64_t begin = npair * slice / slice_count, end = npair * (slice + 1) / slice_count;

  // What a thread puts into shared memory: elements of one pair, `next` rows or columns apart. Four neighbouring threads have four rows
  // that lie side by side, in memory and for the banks.
  constexpr int next = Tile::threads / Tile::depth, rows = Tile::rows / next, columns = Tile::columns / next;
  static_assert(Tile::rows % next == 0 && Tile::columns % next == 0 && Tile::depth == 8 && next % 4 == 0);
  const int k = thread / 4 % Tile::depth, first = thread / (4 * Tile::depth) * 4 + thread % 4;
  int64_t g[columns];
  SUITE_GPU_UNROLL
  for (int j = 0; j < columns; ++j) {
    const int64_t igp = column0 + first + j * next;
    g[j] = igp < p.ngpown ? p.columns[igp] : -1;
  }
  Tile tile;
  double* made = shared;
  double* other = shared + Tile::doubles;
  for (int64_t k0 = begin;; k0 += Tile::depth) {
    N a[rows], b[columns];
    const int64_t at = k0 + k;
    const bool there = at < end;
    const N* const M = static_cast<const N*>(p.aqs) + (there ? p.pairs[at] * p.ncouls : 0);
    SUITE_GPU_UNROLL
    for (int i = 0; i < rows; ++i) {
      const int64_t ig = row0 + first + i * next;
      a[i] = N{};
      if (there && ig < p.ncouls) a[i] = M[ig];
    }
    SUITE_GPU_UNROLL
    for (int j = 0; j < columns; ++j) {
      b[j] = N{};
      if (there && g[j] >= 0) b[j] = scaled_conjugate(M[g[j]], p.factor + (real_factors ? at : 2 * at), real_factors);
    }
    if (k0 > begin) {
      __syncthreads();
      tile.add(other);
      if (k0 >= end) break;
    }
    SUITE_GPU_UNROLL
    for (int i = 0; i < rows; ++i) Tile::put_row(made, first + i * next, k, a[i]);
    SUITE_GPU_UNROLL
    for (int j = 0; j < columns; ++j) Tile::put_column(made, first + j * next, k, b[j]);
    double* const swapped = made;
    made = other;
    other = swapped;
  }

  N* const to = static_cast<N*>(p.slices) + slice * p.ncouls * p.ngpown;
  tile.each([&](int row, int column, N sum) {
    const int64_t ig = row0 + row, igp = column0 + column;
    if (ig >= p.ncouls || igp >= p.ngpown) return;
    if (slice_count > 1) to[igp * p.ncouls + ig] = sum;
    else add_element(p, half, ig, igp, sum);
  });
}

// chi += the sum over the slices, a thread for each element.
template <class N> __global__ void __launch_bounds__(adding_threads) add_slices_of_pairs(const ChiPass p) {
  const int64_t matrix = p.ncouls * p.ngpown, i = int64_t{blockIdx.x} * adding_threads + threadIdx.x;
  const int64_t slice_count = slices_of(p.found->pairs, p.most_slices);
  if (i >= matrix || slice_count == 1 || !has_work(p)) return;
  const int64_t ig = i % p.ncouls, igp = i / p.ncouls;
  const bool half = p.square && has_real_factors<N>(p);
  if (half && ig < igp) return;
  const N* const from = static_cast<const N*>(p.slices) + i;
  N sum{};
  for (int64_t slice = 0; slice < slice_count; ++slice) add_to(&sum, from[slice * matrix]);
  add_element(p, half, ig, igp, sum);
}

constexpr suite_choice chi_tiles[] = {
    choice("auto", "large ones from 1024 G on"),
    choice("small", "64 x 64 elements to a block"),
    choice("large", "128 x 64 complex elements, 128 x 128 real ones"),
};

class ChiOnGpu {
public:
  static constexpr suite_parameter parameters[] = {
      variant("tile", 0, chi_tiles, "elements of chi that a block sums"),
      knob("scratch", 1 << 18, 1, int64_t{1} << 30, "KiB", "memory for the sums of slices of the pairs, where chi has few tiles"),
  };
  ChiOnGpu(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : tile_(static_cast<int>(p[0])), scratch_(p[1] << 10), queue_(backend, queue) {}

  void prepare(const suite_array* arguments) {
    queue_.select();
    const HostCopies<Chi> host(queue_, arguments, {"indigp"});
    ChiSums sums;
    set_columns(*host, sums);
    square_ = sums.square;
    columns_.upload(sums.columns.data(), std::ssize(sums.columns));
    queue_.wait();  // the vector goes
  }

  void execute(const suite_array* arguments) {
    queue_.select();
    const Chi c(arguments);
    std::copy_n(arguments, asked_.size(), asked_.begin());
    check_frequency_arrays(c);
    check_number_of_pairs(c);
    list(c);
    const bool large = tile_ == 0 ? c.ncouls() >= 1024 : tile_ == 2;
    if (c.is_real()) large ? run<Real, 128, 128>(c) : run<Real, 64, 64>(c);
    else large ? run<ComplexNumber, 128, 64>(c) : run<ComplexNumber, 64, 64>(c);
  }

  void finish() {
    queue_.select();
    Found found{};
    found_.download(&found, 1);
    queue_.wait();
    if (found.wrong) check_frequencies(*HostCopies<Chi>(queue_, asked_.data(), {"delta", "z"}));
  }

private:
  void list(const Chi& c) {
    const int64_t blocks = ceil_div(c.npair(), pairs_of_block);
    const ChiLists lists{c.delta.data(),
                         c.weight.data(),
                         static_cast<const double*>(c.z.array().data),
                         c.npair(),
                         c.nfreq(),
                         c.is_real(),
                         static_cast<bool>(c.chi_imaginary),
                         counts_.at_least(blocks),
                         pairs_.at_least(c.npair()),
                         factors_.at_least(2 * c.npair() * c.nfreq()),
                         found_.at_least(1)};
    queue_.set_zero(lists.found, sizeof(Found));
    SUITE_GPU_LAUNCH(count_pairs, static_cast<unsigned>(blocks), listing_threads, 0, queue_.stream(), lists);
    SUITE_GPU_LAUNCH(list_pairs, static_cast<unsigned>(blocks), listing_threads, 0, queue_.stream(), lists);
  }

  template <class N, int Rows, int Columns> void run(const Chi& c) {
    using Tile = gpu::Product<N, Rows, Columns>;
    ChiPass p{};
    p.aqs = c.aqs.array().data;
    p.pairs = pairs_.data();
    p.columns = columns_.data();
    p.found = found_.data();
    p.ncouls = c.ncouls();
    p.ngpown = c.ngpown();
    p.square = square_;
    const int64_t matrix = p.ncouls * p.ngpown, tiles = ceil_div(p.ncouls, Rows) * ceil_div(p.ngpown, Columns);
    p.most_slices = std::min(scratch_ / (matrix * static_cast<int64_t>(sizeof(N))), ceil_div(chi_blocks_wanted, tiles));
    const int64_t slices = slices_of(c.npair(), p.most_slices);
    if (tiles * slices > most_blocks)
      throw Failure(SUITE_UNSUPPORTED, concat("chi takes ", tiles, " tiles; this implementation serves up to ", most_blocks));
    if (slices > 1) p.slices = slices_.at_least(slices * matrix * static_cast<int64_t>(sizeof(N) / sizeof(double)));
    for (int64_t i = 0; i < c.nfreq(); ++i)
      for (const bool imaginary : {false, true}) {
        const suite_array& to = imaginary ? c.chi_imaginary.array() : c.chi.array();
        if (!to.data) continue;
        p.imaginary = imaginary;
        p.chi = static_cast<N*>(to.data) + i * matrix;
        p.z = c.z ? static_cast<const double*>(c.z.array().data) + 2 * i : nullptr;
        p.factor = factors_.data() + (2 * i + imaginary) * c.npair();
        SUITE_GPU_LAUNCH((sum_pairs<Tile>), static_cast<unsigned>(tiles * slices), Tile::threads, 2 * Tile::doubles * sizeof(double),
                         queue_.stream(), p);
        if (slices > 1)
          SUITE_GPU_LAUNCH((add_slices_of_pairs<N>), gpu::blocks_for(matrix, adding_threads), adding_threads, 0, queue_.stream(), p);
      }
  }

  static int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }
  static constexpr int64_t most_blocks = (int64_t{1} << 31) - 1;

  int tile_;
  int64_t scratch_;
  gpu::Queue queue_;
  bool square_ = false;
  std::array<suite_array, rows<Chi>.size()> asked_{};  // about which finish() asks
  gpu::Buffer<int32_t> columns_{queue_, "the columns of gw.chi"};
  gpu::Buffer<int> counts_{queue_, "the pairs of each block of gw.chi"}, pairs_{queue_, "the pairs of gw.chi"};
  gpu::Buffer<double> factors_{queue_, "the factors of gw.chi"}, slices_{queue_, "the sums of slices of gw.chi"};
  gpu::Buffer<Found> found_{queue_, "how many pairs of gw.chi count"};
};

}  // namespace

const suite_kernel_table* chi_table() { return gpu_table<Chi, ChiOnGpu>(); }

}  // namespace suite::gw
