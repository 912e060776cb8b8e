// SPDX-License-Identifier: BSD-3-Clause
// gw.chi on a GPU: a product of matrices over the pairs by the matrix units of the warps. The columns are scaled by the factors on their
// way into shared memory, so that the scaled M is never in memory. While the warps multiply one step's elements, the next ones' come
// from memory into the other half of shared memory. Where there are fewer tiles than the device has places for, the pairs are cut into
// slices, whose sums are added in turn: every sum has one order, whatever the device does first.
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
constexpr int adding_threads = 256;

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

// One product of a call.
struct ChiPass {
  const void* aqs;
  void* chi;
  void* slices;           // [slice][igp][ig], where there are several
  const double* factor;   // of each pair that counts: one number if they are real, else two
  const int32_t *pairs, *columns;
  int64_t ncouls, ngpown, npair;
  int64_t slice_count;
  bool real_factor, half;
};

__device__ __forceinline__ void add_to(Real* chi, Real z) { chi->re += z.re; }
__device__ __forceinline__ void add_to(ComplexNumber* chi, ComplexNumber z) { *chi = *chi + z; }
__device__ __forceinline__ Real adjoint(Real z) { return z; }
__device__ __forceinline__ ComplexNumber adjoint(ComplexNumber z) { return gpu::conjugate(z); }
// The diagonal of a Hermitian matrix is real to the last bit.
__device__ __forceinline__ Real without_imaginary_part(Real z) { return z; }
__device__ __forceinline__ ComplexNumber without_imaginary_part(ComplexNumber z) { return {z.re, 0}; }

template <class N> __device__ __forceinline__ void add_element(const ChiPass& p, int64_t ig, int64_t igp, N sum) {
  N* const chi = static_cast<N*>(p.chi);
  if (!p.half) return add_to(chi + igp * p.ncouls + ig, sum);
  if (ig < igp) return;
  add_to(chi + igp * p.ncouls + ig, ig == igp ? without_imaginary_part(sum) : sum);
  if (ig > igp) add_to(chi + ig * p.ncouls + igp, adjoint(sum));
}

// One block: a tile of rows and columns, a slice of the pairs.
template <class Tile> __global__ void SUITE_GPU_RESIDENT_BOUNDS(Tile::threads, Tile::resident) sum_pairs(const ChiPass p) {
  using N = typename Tile::N;
  SUITE_GPU_DYNAMIC_SHARED(double, shared);  // two steps

  const int thread = static_cast<int>(threadIdx.x);
  const int64_t row_tiles = (p.ncouls + Tile::rows - 1) / Tile::rows, column_tiles = (p.ngpown + Tile::columns - 1) / Tile::columns;
  int64_t block = blockIdx.x;
  const int64_t row0 = block % row_tiles * Tile::rows;
  block /= row_tiles;
  const int64_t column0 = block % column_tiles * Tile::columns, slice = block / column_tiles;
  if (p.half && row0 + Tile::rows <= column0) return;  // above the diagonal
  const int64_t begin = p.npair * slice / p.slice_count, end = p.npair * (slice + 1) / p.slice_count;

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
      if (there && g[j] >= 0) b[j] = scaled_conjugate(M[g[j]], p.factor + (p.real_factor ? at : 2 * at), p.real_factor);
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
    if (p.slice_count > 1) to[igp * p.ncouls + ig] = sum;
    else add_element(p, ig, igp, sum);
  });
}

// chi += the sum over the slices, a thread for each element.
template <class N> __global__ void __launch_bounds__(adding_threads) add_slices_of_pairs(const ChiPass p) {
  const int64_t matrix = p.ncouls * p.ngpown, i = int64_t{blockIdx.x} * adding_threads + threadIdx.x;
  if (i >= matrix) return;
  const int64_t ig = i % p.ncouls, igp = i / p.ncouls;
  if (p.half && ig < igp) return;
  const N* const from = static_cast<const N*>(p.slices) + i;
  N sum{};
  for (int64_t slice = 0; slice < p.slice_count; ++slice) add_to(&sum, from[slice * matrix]);
  add_element(p, ig, igp, sum);
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
      : tile_(static_cast<int>(p[0])),
        scratch_(p[1] << 10),
        queue_(backend, queue),
        lists_(queue_, "the pairs of gw.chi"),
        factors_(queue_, "the factors of gw.chi"),
        slices_(queue_, "the sums of slices of gw.chi") {}

  void execute(const suite_array* arguments) {
    queue_.select();
    const HostCopies<Chi> host(queue_, arguments, {"indigp", "delta", "weight", "z"});
    const ChiSums sums = make_chi_sums(*host);
    if (sums.pairs.empty()) return;
    const Chi c(arguments);
    upload(sums);
    const bool large = tile_ == 0 ? c.ncouls() >= 1024 : tile_ == 2;
    if (c.is_real()) large ? run<Real, 128, 128>(c, sums) : run<Real, 64, 64>(c, sums);
    else large ? run<ComplexNumber, 128, 64>(c, sums) : run<ComplexNumber, 64, 64>(c, sums);
  }

private:
  void upload(const ChiSums& sums) {
    std::vector<int32_t> lists = sums.pairs;
    lists.insert(lists.end(), sums.columns.begin(), sums.columns.end());
    std::vector<double> factors;
    for (const ChiProduct& product : sums.products) factors.insert(factors.end(), product.factor.begin(), product.factor.end());
    lists_.upload(lists.data(), static_cast<int64_t>(lists.size()));
    factors_.upload(factors.data(), static_cast<int64_t>(factors.size()));
    queue_.wait();  // the vectors go
  }

  template <class N, int Rows, int Columns> void run(const Chi& c, const ChiSums& sums) {
    using Tile = gpu::Product<N, Rows, Columns>;
    ChiPass p{};
    p.aqs = c.aqs.array().data;
    p.factor = factors_.data();
    p.pairs = lists_.data();
    p.columns = lists_.data() + sums.count();
    p.ncouls = c.ncouls();
    p.ngpown = c.ngpown();
    p.npair = sums.count();
    const int64_t matrix = p.ncouls * p.ngpown, tiles = ceil_div(p.ncouls, Rows) * ceil_div(p.ngpown, Columns);
    const int64_t room = scratch_ / (matrix * static_cast<int64_t>(sizeof(N))), useful = ceil_div(chi_blocks_wanted, tiles);
    p.slice_count = std::clamp<int64_t>(std::min({room, useful, p.npair / least_pairs_of_slice}), 1, p.npair);
    if (tiles * p.slice_count > most_blocks)
      throw Failure(SUITE_UNSUPPORTED, concat("chi takes ", tiles, " tiles; this implementation serves up to ", most_blocks));
    if (p.slice_count > 1) p.slices = slices_.at_least(p.slice_count * matrix * static_cast<int64_t>(sizeof(N) / sizeof(double)));
    for (const ChiProduct& product : sums.products) {
      const suite_array& to = product.imaginary ? c.chi_imaginary.array() : c.chi.array();
      p.chi = static_cast<N*>(to.data) + product.frequency * matrix;
      p.real_factor = product.hermitian;
      p.half = sums.square && product.hermitian;
      SUITE_GPU_LAUNCH((sum_pairs<Tile>), static_cast<unsigned>(tiles * p.slice_count), Tile::threads, 2 * Tile::doubles * sizeof(double),
                       queue_.stream(), p);
      if (p.slice_count > 1)
        SUITE_GPU_LAUNCH((add_slices_of_pairs<N>), gpu::blocks_for(matrix, adding_threads), adding_threads, 0, queue_.stream(), p);
      p.factor += product.factor.size();
    }
  }

  static int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }
  static constexpr int64_t most_blocks = (int64_t{1} << 31) - 1;

  int tile_;
  int64_t scratch_;
  gpu::Queue queue_;
  gpu::Buffer<int32_t> lists_;
  gpu::Buffer<double> factors_, slices_;
};

}  // namespace

const suite_kernel_table* chi_table() { return gpu_table<Chi, ChiOnGpu>(); }

}  // namespace suite::gw
