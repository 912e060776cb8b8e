// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma_offdiag on a GPU. For every n' and E, and for CH and SX, A(G,G') = v(q+G') sch or v(q+G') ssx is made tile by
// tile in shared memory and multiplied at once with M_n of the external bands, by the matrix units of the warps:
//   (1) T(n,G')    = sum_G M_n(G) A(G,G')
//   (2) Sigma(n,m) = sum_{n',G'} T(n,G') conj(M_m(G'))
// (1) is nearly all of the work: 8 nex flop for each of ncouls x ngpown elements, against 8 nex^2 for each of ngpown in (2),
// whose share is nex/ncouls. So G, the longer of the two, is summed first. Making an element of A takes 14 double precision
// instructions (CH, real w), 5 % of what its use by 128 complex bands does; an A in memory would be 16 bytes written and
// 16 read again for the same element. T goes through memory instead: 16 bytes for 8 ncouls flop. Fusing (2) into (1) would save
// that, but every block would then hold all of Sigma, or add to it in no fixed order.
//
// All sums have one order, whatever the device does first: (2) writes sums of slices of n' and G', which are added in turn.
#include "columns.hpp"
#include "factors.cuh"
#include "offdiag.hpp"

#include <suite/gpu/product.hpp>

namespace suite::gpp {
namespace {

template <bool Real, int Rows, int Columns> using Product = gpu::Product<Number<double, Real>, Rows, Columns>;

constexpr int64_t most_bands = 64;        // n' of a pass; more would only take more memory
constexpr int64_t slice_blocks_wanted = 1024;  // of (2)

// What both products are told of a call: a pass over some n', energies and columns.
struct Pass {
  const Z* wtilde;
  const void *I, *M;
  const double *vcoul, *wx, *occ;
  const int *igp, *g;  // of this pass's columns
  int64_t ncouls, ntband, nw, nex;
  int64_t first_band, bands, first_energy, energies, columns;
  Limits limits;
  void* T;        // [n'][iw][CH, SX][column][n]
  void* slices;   // [slice][iw][CH, SX][m][n]
  int band_slices, column_slices;
};

// M_nn'(G) in the numbers of the product.
template <bool Real, bool RealM> __device__ __forceinline__ Number<double, Real> element(const Pass& p, int64_t g, int64_t n1, int64_t n) {
  const int64_t i = (n * p.ntband + n1) * p.ncouls + g;
  if constexpr (Real) return {static_cast<const double*>(p.M)[i]};
  else if constexpr (RealM) return {static_cast<const double*>(p.M)[i], 0};
  else return static_cast<const Z*>(p.M)[i];
}
__device__ __forceinline__ Number<double, true> conjugate(Number<double, true> z) { return z; }
__device__ __forceinline__ Z conjugate(Z z) { return {z.re, -z.im}; }

// w and I of one element of A, as they lie in memory.
template <bool RealM, bool RealW> struct Pair {
  Number<double, RealW> w{};
  Number<double, RealM> I{};
  __device__ __forceinline__ void read(const Pass& p, int64_t i) {
    if constexpr (RealW) w.re = p.wtilde[i].re;
    else w = p.wtilde[i];
    I = static_cast<const Number<double, RealM>*>(p.I)[i];
  }
  // v(G') I times the factor.
  __device__ __forceinline__ Number<double, RealM && RealW> screened(double v, double x, bool exchange, const Limits& limits) const {
    if constexpr (RealW) {
      return I * (v * factor(w.re, x, exchange, limits));
    } else {
      const Z f = factor(w, x, exchange, limits);
      if constexpr (RealM) return f * (v * I.re);
      else return Z{f.re * I.re - f.im * I.im, f.re * I.im + f.im * I.re} * v;
    }
  }
};

// (1). One block: one n', E and CH or SX, a tile of external bands and of columns, all G. Blocks that run together share the
// columns' w and I. While the warps multiply one step's elements, the next ones' numbers come from memory; they are made into the
// other half of shared memory, so that one barrier to a step does, and some warps make A while others multiply.
template <class Tile, bool RealM, bool RealW>
__global__ void SUITE_GPU_RESIDENT_BOUNDS(Tile::threads, Tile::resident) multiply_rows(const Pass p) {
  using N = typename Tile::N;
  constexpr bool Real = RealM && RealW;
  SUITE_GPU_DYNAMIC_SHARED(double, shared);  // two steps
  __shared__ int64_t start[Tile::columns];  // of the column of w and I; -1: none
  __shared__ double v[Tile::columns];

  const int thread = static_cast<int>(threadIdx.x);
  const int64_t row_tiles = (p.nex + Tile::rows - 1) / Tile::rows;
  int64_t block = blockIdx.x;
  const int64_t n0 = block % row_tiles * Tile::rows;
  block /= row_tiles;
  const bool exchange = block % 2;
  const int64_t which = block % (2 * p.energies * p.bands);  // [n'][iw][CH, SX]
  const int64_t c0 = block / (2 * p.energies * p.bands) * Tile::columns;
  const int64_t n1 = p.first_band + which / (2 * p.energies), iw = p.first_energy + which / 2 % p.energies;
  const double f = p.occ[n1], x = x_of(p.wx, n1 * p.nw + iw);
  if (exchange && !(f > 0)) return;

  for (int c = thread; c < Tile::columns; c += Tile::threads) {
    const bool there = c0 + c < p.columns;
    start[c] = there ? p.igp[c0 + c] * p.ncouls : -1;
    v[c] = there ? p.vcoul[p.g[c0 + c]] : 0;
  }
  __syncthreads();
  // What a thread puts into shared memory: `rows` numbers of M and `columns` elements of A, all with the same G and with n or
  // G' `next` apart. They are read a step ahead; where there are many, a few at a time.
  constexpr int next = Tile::threads / Tile::depth, rows = Tile::rows / next, columns = Tile::columns / next, ahead = columns < 2 ? 1 : 2;
  static_assert(Tile::threads % Tile::depth == 0 && Tile::rows % next == 0 && columns % ahead == 0);
  const int k = thread % Tile::depth, first = thread / Tile::depth;
  Tile tile;
  double* made = shared;
  double* other = shared + Tile::doubles;
  for (int64_t g0 = 0;; g0 += Tile::depth) {
    const int64_t g = g0 + k;
    const auto read = [&](int c) {
      Pair<RealM, RealW> pair;
      if (g < p.ncouls && start[c] >= 0) pair.read(p, start[c] + g);
      return pair;
    };
    N m[rows];
    SUITE_GPU_UNROLL
    for (int i = 0; i < rows; ++i) {
      const int64_t n = n0 + first + i * next;
      m[i] = N{};
      if (g < p.ncouls && n < p.nex) m[i] = element<Real, RealM>(p, g, n1, n);
    }
    Pair<RealM, RealW> pairs[ahead];
    SUITE_GPU_UNROLL
    for (int j = 0; j < ahead; ++j) pairs[j] = read(first + j * next);
    if (g0 > 0) {
      __syncthreads();
      tile.add(other);
      if (g0 >= p.ncouls) break;
    }
    SUITE_GPU_UNROLL
    for (int i = 0; i < rows; ++i) Tile::put_row(made, first + i * next, k, m[i]);
    SUITE_GPU_NO_UNROLL
    for (int j0 = 0; j0 < columns; j0 += ahead) {
      SUITE_GPU_UNROLL
      for (int j = 0; j < ahead; ++j) {
        const int c = first + (j0 + j) * next;
        Tile::put_column(made, c, k, pairs[j].screened(v[c], x, exchange, p.limits));
        if (j0 + ahead < columns) pairs[j] = read(c + ahead * next);
      }
    }
    double* const swapped = made;
    made = other;
    other = swapped;
  }

  const double factor_of_band = exchange ? -f : 0.5;
  N* const T = static_cast<N*>(p.T) + which * p.columns * p.nex;
  tile.each([&](int row, int column, N sum) {
    const int64_t c = c0 + column, n = n0 + row;
    if (c < p.columns && n < p.nex) T[c * p.nex + n] = sum * factor_of_band;
  });
}

// (2). One block: one E and CH or SX, a tile of n and of m, a slice of n' and of columns.
template <class Tile, bool RealM> __global__ void SUITE_GPU_RESIDENT_BOUNDS(Tile::threads, Tile::resident) multiply_columns(const Pass p) {
  using N = typename Tile::N;
  __shared__ double shared[Tile::doubles];

  const int thread = static_cast<int>(threadIdx.x);
  const int64_t row_tiles = (p.nex + Tile::rows - 1) / Tile::rows, column_tiles = (p.nex + Tile::columns - 1) / Tile::columns;
  int64_t block = blockIdx.x;
  const int64_t n0 = block % row_tiles * Tile::rows;
  block /= row_tiles;
  const int64_t m0 = block % column_tiles * Tile::columns;
  block /= column_tiles;
  const int64_t of = block % (2 * p.energies), slice = block / (2 * p.energies);
  const int64_t band_slice = slice / p.column_slices, column_slice = slice % p.column_slices;
  const int64_t band_end = p.bands * (band_slice + 1) / p.band_slices;
  const int64_t column_begin = p.columns * column_slice / p.column_slices, column_end = p.columns * (column_slice + 1) / p.column_slices;

  Tile tile;
  for (int64_t b = p.bands * band_slice / p.band_slices; b < band_end; ++b) {
    const int64_t n1 = p.first_band + b;
    if (of % 2 && !(p.occ[n1] > 0)) continue;
    const N* const T = static_cast<const N*>(p.T) + (b * 2 * p.energies + of) * p.columns * p.nex;
    for (int64_t c0 = column_begin; c0 < column_end; c0 += Tile::depth) {
      __syncthreads();
      // Four n side by side, in memory as in the warp: threads that store together meet few others in their banks.
      for (int i = thread; i < Tile::depth * Tile::rows; i += Tile::threads) {
        const int n = i / (4 * Tile::depth) * 4 + i % 4, k = i / 4 % Tile::depth;
        N z{};
        if (c0 + k < column_end && n0 + n < p.nex) z = T[(c0 + k) * p.nex + n0 + n];
        Tile::put_row(shared, n, k, z);
      }
      for (int i = thread; i < Tile::depth * Tile::columns; i += Tile::threads) {
        const int k = i % Tile::depth, m = i / Tile::depth;
        N z{};
        if (c0 + k < column_end && m0 + m < p.nex) z = conjugate(element<Tile::is_real, RealM>(p, p.g[c0 + k], n1, m0 + m));
        Tile::put_column(shared, m, k, z);
      }
      __syncthreads();
      tile.add(shared);
    }
  }

  N* const to = static_cast<N*>(p.slices) + (slice * 2 * p.energies + of) * p.nex * p.nex;
  tile.each([&](int row, int column, N sum) {
    const int64_t m = m0 + column, n = n0 + row;
    if (m < p.nex && n < p.nex) to[m * p.nex + n] = sum;
  });
}

__device__ __forceinline__ void add(Z& to, Number<double, true> z) { to.re += z.re; }
__device__ __forceinline__ void add(Z& to, Z z) {
  to.re += z.re;
  to.im += z.im;
}

// ach and asx (+)= the sum over the slices, one thread for each element.
template <bool Real> __global__ void add_slices(const Pass p, bool first, Z* asx, Z* ach) {
  const int64_t matrix = p.nex * p.nex, all = 2 * p.energies * matrix;
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= all) return;
  const int64_t of = i / matrix;
  Z& to = (of % 2 ? asx : ach)[(p.first_energy + of / 2) * matrix + i % matrix];
  Z sum = first ? Z{0, 0} : to;
  const auto* const slices = static_cast<const Number<double, Real>*>(p.slices);
  for (int slice = 0; slice < p.band_slices * p.column_slices; ++slice) add(sum, slices[slice * all + i]);
  to = sum;
}

// other = 1 unless all w are real numbers from 0 to 1e12.
__global__ void find_other(const Z* wtilde, int64_t count, int* other) {
  bool found = false;
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    const Z w = wtilde[i];
    found = found || !(w.im == 0 && w.re >= 0 && w.re <= 1e12);
  }
  if (found) atomicMax(other, 1);
}

constexpr suite_choice tiles[] = {
    choice("auto", "as many external bands to a block as take the least time by a count of instructions and bytes"),
    choice("16", "16 external bands to a block"),
    choice("32", "32 external bands"),
    choice("64", "64 external bands"),
    choice("128", "128 external bands"),
};
constexpr int tile_sides[] = {16, 32, 64, 128};

// The tile that takes least time by count: nex bands in tiles of `rows`, each of which makes A (14 instructions an element)
// and multiplies (4 multiply-adds a band, real 1, two of which the matrix units do in the time of an instruction); or as long as
// w, I and M take from the second cache, at 3 instructions a byte (H200: 17e12 instructions and some 5.5e12 bytes a second).
int choose_tile(int64_t nex, bool real) {
  int best = 0;
  double least = 0;
  for (int i = 0; i < 4; ++i) {
    const double rows = tile_sides[i], tiles_of_rows = static_cast<double>(ceil_div(nex, tile_sides[i]));
    const double instructions = 14 + (real ? 0.5 : 2) * rows, bytes = real ? 24 + 8 * rows / 128 : 32 + 16 * rows / 64;
    const double time = tiles_of_rows * std::max(instructions, 3 * bytes);
    if (i == 0 || time < least) {
      best = i;
      least = time;
    }
  }
  return best;
}

class Offdiag {
public:
  static constexpr suite_parameter parameters[] = {
      variant("tile", 0, tiles, "external bands of a block"),
      knob("scratch", 1 << 18, 1, int64_t{1} << 30, "KiB",
           "memory for the products of some n' with their columns, and as much again for sums of slices"),
  };

  Offdiag(const suite_backend* backend, suite_queue* queue, const int64_t* parameters)
      : tile_(static_cast<int>(parameters[0])),
        scratch_(parameters[1] << 10),
        queue_(backend, queue),
        columns_(queue_),
        other_(queue_, "the search for complex poles"),
        products_(queue_, "the products of n' and column"),
        slices_(queue_, "the sums of slices") {}

  // Looks at indigp and w. Waits for the device.
  void prepare(const suite_array* arguments) {
    queue_.select();
    check_addresses<SigmaOffdiag>(arguments);
    const SigmaOffdiag call(arguments);
    columns_.prepare(call);
    const int64_t count = call.ncouls() * call.ngpown();
    int found = 0;
    queue_.set_zero(other_.at_least(1), sizeof found);
    SUITE_GPU_LAUNCH(find_other, blocks_for(std::min<int64_t>(count, 1 << 18), small_block), small_block, 0, queue_.stream(),
                     poles_of(call).w, count, other_.data());
    other_.download(&found, 1);
    queue_.wait();
    real_w_ = found == 0;
  }

  void execute(const suite_array* arguments) {
    queue_.select();
    check_addresses<SigmaOffdiag>(arguments);
    const SigmaOffdiag call(arguments);
    if (call.is_real() && real_w_) run<true, true>(call);
    else if (call.is_real()) run<true, false>(call);
    else if (real_w_) run<false, true>(call);
    else run<false, false>(call);
  }

private:
  template <bool RealM, bool RealW> void run(const SigmaOffdiag& call) {
    constexpr bool Real = RealM && RealW;
    constexpr int columns = Real ? 128 : 64;  // as many sums of a thread
    const int tile = tile_ > 0 ? tile_ - 1 : choose_tile(call.nex(), Real);
    if (tile == 0) run<Product<Real, 16, columns>, RealM, RealW>(call);
    else if (tile == 1) run<Product<Real, 32, columns>, RealM, RealW>(call);
    else if (tile == 2) run<Product<Real, 64, columns>, RealM, RealW>(call);
    else run<Product<Real, 128, columns>, RealM, RealW>(call);
  }

  static Pass describe(const SigmaOffdiag& call) {
    Pass p{};
    p.wtilde = poles_of(call).w;
    p.I = poles_of(call).I;
    p.M = call.aqs.array().data;
    p.vcoul = call.vcoul.data();
    p.wx = call.wx_array.data();
    p.occ = call.occ_array.data();
    p.ncouls = call.ncouls();
    p.ntband = call.ntband();
    p.nw = call.nw();
    p.nex = call.nex();
    p.limits = {call.gamma * call.gamma, call.sexcut * call.sexcut};
    return p;
  }

  // Portions of energies, columns and n' whose products fit in `scratch`, the smallest of each if need be.
  template <class Tile, bool RealM, bool RealW> void run(const SigmaOffdiag& call) {
    Pass p = describe(call);
    Z *const asx = complex_of(call.asx), *const ach = complex_of(call.ach);
    const Columns& owned = columns_.columns();
    if (owned.count == 0) {
      const size_t bytes = static_cast<size_t>(p.nw * p.nex * p.nex) * sizeof(Z);
      queue_.set_zero(asx, bytes);
      queue_.set_zero(ach, bytes);
      return;
    }
    constexpr int64_t number = sizeof(typename Tile::N);
    const int64_t room = scratch_ / (2 * p.nex * number), row_tiles = ceil_div(p.nex, Tile::rows);
    const int64_t energies = std::clamp<int64_t>(std::min(room / Tile::columns, most_blocks / (2 * row_tiles)), 1, p.nw);
    const int64_t column_tiles = std::clamp<int64_t>(std::min(room / (energies * Tile::columns), most_blocks / (2 * row_tiles * energies)),
                                                     1, ceil_div(owned.count, Tile::columns));
    const int64_t columns = std::min(column_tiles * Tile::columns, owned.count);
    const int64_t bands = std::clamp<int64_t>(
        std::min({room / (energies * columns), most_blocks / (2 * row_tiles * energies * column_tiles), most_bands}), 1, p.ntband);
    p.T = products_.at_least(2 * energies * columns * bands * p.nex * (number / 8));

    for (p.first_energy = 0; p.first_energy < p.nw; p.first_energy += energies)
      for (int64_t column = 0; column < owned.count; column += columns)
        for (p.first_band = 0; p.first_band < p.ntband; p.first_band += bands) {
          p.energies = std::min(energies, p.nw - p.first_energy);
          p.columns = std::min(columns, owned.count - column);
          p.bands = std::min(bands, p.ntband - p.first_band);
          p.igp = owned.igp + column;
          p.g = owned.g + column;
          const int64_t blocks = row_tiles * 2 * p.energies * p.bands * ceil_div(p.columns, Tile::columns);
          SUITE_GPU_LAUNCH((multiply_rows<Tile, RealM, RealW>), blocks_for(blocks, 1), Tile::threads, 2 * Tile::doubles * sizeof(double),
                           queue_.stream(), p);
          contract<RealM && RealW, RealM>(p);
          const int64_t elements = 2 * p.energies * p.nex * p.nex;
          SUITE_GPU_LAUNCH((add_slices < RealM && RealW >), blocks_for(elements, small_block), small_block, 0, queue_.stream(), p,
                           column == 0 && p.first_band == 0, asx, ach);
        }
  }

  template <bool Real, bool RealM> void contract(Pass& p) {
    if (p.nex <= 32) contract<Product<Real, 16, 32>, RealM>(p);
    else contract<Product<Real, 64, 64>, RealM>(p);
  }

  // Shares n', and where those are few the columns, out to slices, as far as room and a minimum of work for each allow.
  template <class Tile, bool RealM> void contract(Pass& p) {
    constexpr int64_t number = sizeof(typename Tile::N);
    const int64_t matrices = 2 * p.energies * p.nex * p.nex;
    const int64_t tiles_of_sigma = ceil_div(p.nex, Tile::rows) * ceil_div(p.nex, Tile::columns) * 2 * p.energies;
    const int64_t slices = std::clamp<int64_t>(std::min(ceil_div(slice_blocks_wanted, tiles_of_sigma), scratch_ / (matrices * number)), 1,
                                               p.bands * ceil_div(p.columns, 64));
    p.band_slices = static_cast<int>(std::min(slices, p.bands));
    p.column_slices = static_cast<int>(slices / p.band_slices);
    const int64_t count = int64_t{p.band_slices} * p.column_slices;
    p.slices = slices_.at_least(count * matrices * (number / 8));
    SUITE_GPU_LAUNCH((multiply_columns<Tile, RealM>), blocks_for(tiles_of_sigma * count, 1), Tile::threads, 0, queue_.stream(), p);
  }

  int tile_;
  int64_t scratch_;
  bool real_w_ = false;
  gpu::Queue queue_;
  ColumnList columns_;
  gpu::Buffer<int> other_;
  gpu::Buffer<double> products_, slices_;
};

}  // namespace

const suite_kernel_table* offdiag_table() { return gpu_table<SigmaOffdiag, Offdiag>(); }

}  // namespace suite::gpp
