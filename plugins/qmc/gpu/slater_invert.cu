// SPDX-License-Identifier: BSD-3-Clause
// qmc.slater_invert on a GPU: a block inverts one walker's matrix in place by the elimination of Gauss and
// Jordan, a panel of columns at a time with pivots by rows, so that most of the work is products of matrices.
#include "call.hpp"
#include "slater.hpp"

namespace suite::qmc {
namespace {

constexpr int panel = 16;  // columns that are eliminated at a time

struct InvertCall {
  const double* phi;
  double *dbar, *logdet, *sign;  // the last two may be null
  int n;
  int* pivots;      // n of each walker
  double* scratch;  // panel n of each walker: the panel before, and the pivot rows times its inverse
  int* singular;
};

// Row r of the matrix, from 0, is orbital r; it lies at matrix + r n.
__device__ __forceinline__ void swap_rows(double* matrix, int n, int r, int s) {
  if (r == s) return;
  for (int j = thread(); j < n; j += block_threads) {
    const double x = matrix[static_cast<int64_t>(r) * n + j];
    matrix[static_cast<int64_t>(r) * n + j] = matrix[static_cast<int64_t>(s) * n + j];
    matrix[static_cast<int64_t>(s) * n + j] = x;
  }
}

// The row of the largest number of column k of the panel, from row k0 + k on; the lowest where several are.
__device__ __forceinline__ int find_pivot(const double* part, int n, int first, double* largest, int* where) {
  double most = -1;
  int row = first;
  for (int r = first + thread(); r < n; r += block_threads)
    if (::fabs(part[r]) > most) {
      most = ::fabs(part[r]);
      row = r;
    }
  SUITE_GPU_UNROLL
  for (int mask = 16; mask > 0; mask /= 2) {
    const double other = gpu::shuffle_xor<32>(most, mask);
    const int other_row = gpu::shuffle_xor<32>(row, mask);
    if (other > most || (other == most && other_row < row)) {
      most = other;
      row = other_row;
    }
  }
  if (thread() % 32 == 0) {
    largest[thread() / 32] = most;
    where[thread() / 32] = row;
  }
  __syncthreads();
  int best = 0;
  for (int w = 1; w < most_warps; ++w)
    if (largest[w] > largest[best] || (largest[w] == largest[best] && where[w] < where[best])) best = w;
  row = where[best];
  __syncthreads();
  return row;
}

// Eliminates the columns from k0 to k0 + width: their LU factors with pivots, in scratch (column k at
// scratch + k n). Gives the rows that were exchanged and what the pivots add to the determinant; false where
// there is no pivot.
__device__ __forceinline__ bool factor_panel(double* part, int n, int k0, int width, int* pivots, double* largest, int* where, double& log,
                                             double& sign) {
  for (int k = 0; k < width; ++k) {
    const int pivot = find_pivot(part + k * n, n, k0 + k, largest, where);
    const double p = part[k * n + pivot];
    if (!(::fabs(p) > 0)) return false;
    __syncthreads();
    if (pivot != k0 + k) {
      if (thread() < width) {
        const double x = part[thread() * n + pivot];
        part[thread() * n + pivot] = part[thread() * n + k0 + k];
        part[thread() * n + k0 + k] = x;
      }
      sign = -sign;
    }
    if (thread() == 0) pivots[k0 + k] = pivot;
    log += ::log(::fabs(p));
    if (p < 0) sign = -sign;
    __syncthreads();
    for (int r = k0 + k + 1 + thread(); r < n; r += block_threads) {
      const double factor = part[k * n + r] / p;
      part[k * n + r] = factor;
      for (int j = k + 1; j < width; ++j) part[j * n + r] -= factor * part[j * n + k0 + k];
    }
    __syncthreads();
  }
  return true;
}

// The inverse of the width by width block L U at rows k0, into `inverse` (row, column): a thread has a
// column.
__device__ __forceinline__ void invert_block(const double* part, int n, int k0, int width, double (&inverse)[panel][panel + 1]) {
  const int j = thread();
  if (j < width) {
    for (int r = 0; r < width; ++r) {
      double x = r == j ? 1 : 0;
      for (int k = 0; k < r; ++k) x -= part[k * n + k0 + r] * inverse[k][j];
      inverse[r][j] = x;
    }
    for (int r = width; r-- > 0;) {
      double x = inverse[r][j];
      for (int k = r + 1; k < width; ++k) x -= part[k * n + k0 + r] * inverse[k][j];
      inverse[r][j] = x / part[r * n + k0 + r];
    }
  }
  __syncthreads();
}

__global__ void __launch_bounds__(block_threads) invert(InvertCall c) {
  __shared__ Tiles tiles;
  __shared__ double inverse[panel][panel + 1], largest[most_warps];
  __shared__ int where[most_warps];
  const int n = c.n;
  const int64_t walker = blockIdx.x;
  const double* const phi = c.phi + walker * n * n;
  double *const matrix = c.dbar + walker * n * n, *const part = c.scratch + walker * 2 * panel * n,
                *const rows = part + static_cast<int64_t>(panel) * n;
  int* const pivots = c.pivots + walker * n;
  // D(a,j), row by row; tiles.a serves for the exchange of indices.
  constexpr int edge = 16;
  double* const turned = tiles.a[0];
  static_assert(edge * (edge + 1) <= shelf_size(tile_rows));
  for (int a0 = 0; a0 < n; a0 += edge)
    for (int j0 = 0; j0 < n; j0 += edge) {
      for (int e = thread(); e < edge * edge; e += block_threads) {
        const int a = a0 + e % edge, j = j0 + e / edge;
        if (a < n && j < n) turned[e / edge * (edge + 1) + e % edge] = phi[static_cast<int64_t>(j) * n + a];
      }
      __syncthreads();
      for (int e = thread(); e < edge * edge; e += block_threads) {
        const int a = a0 + e / edge, j = j0 + e % edge;
        if (a < n && j < n) matrix[static_cast<int64_t>(a) * n + j] = turned[e % edge * (edge + 1) + e / edge];
      }
      __syncthreads();
    }
  double log = 0, sign = 1;
  if (thread() == 0) c.singular[walker] = 0;
  for (int k0 = 0; k0 < n; k0 += panel) {
    const int width = n - k0 < panel ? n - k0 : panel;
    for (int e = thread(); e < width * n; e += block_threads)
      part[e % width * n + e / width] = matrix[static_cast<int64_t>(e / width) * n + k0 + e % width];
    __syncthreads();
    if (!factor_panel(part, n, k0, width, pivots, largest, where, log, sign)) {
      if (thread() == 0) c.singular[walker] = 1;
      return;
    }
    for (int k = 0; k < width; ++k) {
      swap_rows(matrix, n, k0 + k, pivots[k0 + k]);
      __syncthreads();
    }
    invert_block(part, n, k0, width, inverse);
    // The panel as it was, rows exchanged: the factors of the other rows.
    for (int e = thread(); e < width * n; e += block_threads)
      part[e % width * n + e / width] = matrix[static_cast<int64_t>(e / width) * n + k0 + e % width];
    __syncthreads();
    // The pivot rows times the inverse of their block; where the block was, the inverse itself.
    for (int e = thread(); e < width * n; e += block_threads) {
      const int j = e % n, r = e / n, k = j - k0;
      double x = 0;
      if (k >= 0 && k < width) x = inverse[r][k];
      else
        for (int s = 0; s < width; ++s) x += inverse[r][s] * matrix[static_cast<int64_t>(k0 + s) * n + j];
      rows[r * n + j] = x;
    }
    __syncthreads();
    const auto own = [&](int i) { return i >= k0 && i < k0 + width; };
    block_product<Fast::outer, Fast::outer>(tiles, n, n, width, {rows, n}, {part, n}, [&](int j, int i, double sum) {
      double& x = matrix[static_cast<int64_t>(i) * n + j];
      x = own(i) ? rows[(i - k0) * n + j] : (own(j) ? 0.0 : x) - sum;
    });
    __syncthreads();
  }
  // Exchanged rows are columns of the inverse.
  for (int k = n; k-- > 0;) {
    const int pivot = pivots[k];
    if (pivot == k) continue;
    for (int r = thread(); r < n; r += block_threads) {
      double* const row = matrix + static_cast<int64_t>(r) * n;
      const double x = row[k];
      row[k] = row[pivot];
      row[pivot] = x;
    }
  }
  if (thread() > 0) return;
  if (c.logdet) c.logdet[walker] = log;
  if (c.sign) c.sign[walker] = sign;
}

class SlaterInvertGpu : public OnGpu {
public:
  using OnGpu::OnGpu;

  void execute(const suite_array* arguments) {
    const SlaterInvert c(arguments);
    queue_.select();
    const int64_t n = c.n(), nwalker = c.nwalker();
    const InvertCall call{c.phi.data(),
                          c.dbar.data(),
                          c.logdet.data(),
                          c.sign.data(),
                          static_cast<int>(n),
                          pivots_.at_least(n * nwalker),
                          scratch_.at_least(2 * panel * n * nwalker),
                          singular_.at_least(nwalker)};
    nwalker_ = nwalker;
    SUITE_GPU_LAUNCH(invert, grid_of(nwalker), block_threads, 0, queue_.stream(), call);
  }

  void finish() {
    queue_.select();
    std::vector<int> singular(static_cast<size_t>(nwalker_));
    singular_.download(singular.data(), nwalker_);
    queue_.wait();
    for (int64_t w = 0; w < nwalker_; ++w) check_determinant(singular[static_cast<size_t>(w)] ? 0 : 1, w);
  }

private:
  int64_t nwalker_ = 0;
  gpu::Buffer<int> pivots_{queue_, "the pivots"}, singular_{queue_, "the matrices that are singular"};
  gpu::Buffer<double> scratch_{queue_, "the panels"};
};

}  // namespace

const suite_kernel_table* slater_invert_table() { return gpu_table<SlaterInvert, SlaterInvertGpu>(); }

}  // namespace suite::qmc
