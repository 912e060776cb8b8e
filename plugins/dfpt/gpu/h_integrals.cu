// SPDX-License-Identifier: BSD-3-Clause
// The matrices of single batches, in the steps of the ladder.
#include "h.hpp"
#include "product.cuh"

namespace suite::dfpt {
namespace {

// naive: a thread for each batch; W v right of all its points in memory.
__global__ void integrate_by_batches(Integrals call, int64_t first_batch, int64_t last_batch, int64_t workspace, double* work) {
  const int64_t b = first_batch + int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (b >= last_batch) return;
  double* const weighted = work + workspace * (b - first_batch);
  const Batch batch = call.batches[b];
  const int n = static_cast<int>(batch.functions), columns = call.columns(batch);
  const int orders = call.wave_right ? 2 : 1;
  for (int d = 0; d < call.dirs; ++d)
    for (int order = 0; order < orders; ++order) {
      for (int64_t p = 0; p < batch.points; ++p)
        for (int j = 0; j < columns; ++j)
          weighted[p * columns + j] = call.weight(batch, p, d) / orders * (order == 0 ? call.right(batch, p, j) : call.left(batch, p, j));
      for (int m = 0; m < n; ++m)
        for (int j = 0; j < columns; ++j) {
          double sum = 0;
          for (int64_t p = 0; p < batch.points; ++p)
            sum += (order == 0 ? call.left(batch, p, m) : call.right(batch, p, m)) * weighted[p * columns + j];
          double* const to = call.result(b, batch, d, m) + j;
          *to = order == 0 ? sum : *to + sum;
        }
    }
}

// parallelism: a block for each batch, a thread for each element.
__global__ void __launch_bounds__(block_threads) integrate_by_elements(Integrals call, int64_t first_batch) {
  const int64_t b = first_batch + blockIdx.x;
  const Batch batch = call.batches[b];
  const int n = static_cast<int>(batch.functions), columns = call.columns(batch);
  for (int64_t e = thread(); e < int64_t{n} * columns; e += block_threads) {
    const int m = static_cast<int>(e / columns), j = static_cast<int>(e % columns);
    for (int d = 0; d < call.dirs; ++d) {
      double sum = 0;
      for (int64_t p = 0; p < batch.points; ++p) sum += call.weight(batch, p, d) * call.product(batch, p, m, j);
      call.result(b, batch, d, m)[j] = sum;
    }
  }
}

// memory, control_flow, best: a block for each tile. With a second set of functions the sum goes over the
// points twice.
template <int Dirs, int Threads, int R>
__global__ void SUITE_GPU_RESIDENT_BOUNDS(Threads, Threads == 128 || Dirs == 3 ? 4 : 6)
    integrate_by_tiles(Integrals call, const Piece* pieces, int of_all) {
  constexpr int C = h_tile / 8;
  using T = Tiles<Threads, R, C, Dirs>;
  static_assert(T::rows == h_tile && T::columns == h_tile);
  __shared__ T tiles;
  const Piece piece = pieces[blockIdx.x];
  const Batch batch = call.batches[piece.batch];
  const int n = static_cast<int>(batch.functions) - piece.row, columns = call.columns(batch) - piece.column;
  const int points = static_cast<int>(batch.points);
  const bool twice = call.wave_right != nullptr;
  double sum[Dirs][R][C] = {};
  multiply<Fast::outer, Fast::outer>(
      tiles, twice ? 2 * points : points,
      [&](int i, int k) {
        if (i >= n) return 0.0;
        return k < points ? call.left(batch, k, piece.row + i) : call.right(batch, k - points, piece.row + i);
      },
      [&](int k, int j, double(&x)[Dirs]) {
        if (j >= columns) return;
        const int p = k < points ? k : k - points;
        const double value = k < points ? call.right(batch, p, piece.column + j) : call.left(batch, p, piece.column + j);
        SUITE_GPU_UNROLL
        for (int d = 0; d < Dirs; ++d) x[d] = (twice ? 0.5 : 1.0) * value * call.weight(batch, p, of_all + d);
      },
      sum);
  SUITE_GPU_UNROLL
  for (int d = 0; d < Dirs; ++d) SUITE_GPU_UNROLL
  for (int i = 0; i < R; ++i) SUITE_GPU_UNROLL
  for (int j = 0; j < C; ++j)
    if (T::row(i) < n && T::column(j) < columns)
      call.result(piece.batch, batch, of_all + d, piece.row + T::row(i))[piece.column + T::column(j)] = sum[d][i][j];
}

__global__ void __launch_bounds__(block_threads)
    make_orbitals(Integrals call, const double* C, int64_t n_basis, const Piece* pieces, double* psi) {
  using T = Tiles<block_threads, 4, 4, 1>;
  static_assert(T::rows == psi_rows);
  __shared__ T tiles;
  const Piece piece = pieces[blockIdx.x];
  const Batch batch = call.batches[piece.batch];
  const int32_t* const functions = call.i_basis + batch.first_function;
  const int points = static_cast<int>(batch.points) - piece.row, n = static_cast<int>(batch.functions);
  const int n_occ = call.n_occ;
  for (int j0 = 0; j0 < n_occ; j0 += T::columns) {
    double sum[1][4][4] = {};
    multiply<Fast::inner, Fast::inner>(
        tiles, n, [&](int i, int k) { return i < points ? call.left(batch, piece.row + i, k) : 0.0; },
        [&](int k, int j, double(&x)[1]) {
          if (j0 + j < n_occ) x[0] = C[functions[k] - 1 + n_basis * (j0 + j)];
        },
        sum);
    SUITE_GPU_UNROLL
    for (int i = 0; i < 4; ++i) SUITE_GPU_UNROLL
    for (int j = 0; j < 4; ++j)
      if (T::row(i) < points && j0 + T::column(j) < n_occ)
        psi[(batch.first_point + piece.row + T::row(i) - call.psi_first) * n_occ + j0 + T::column(j)] = sum[0][i][j];
  }
}

template <int Dirs, int Threads, int R>
void launch_tiles(const gpu::Queue& queue, const Integrals& arrays, const Piece* pieces, int64_t count, int of_all) {
  SUITE_GPU_LAUNCH((integrate_by_tiles<Dirs, Threads, R>), grid_of(count), Threads, 0, queue.stream(), arrays, pieces, of_all);
}

}  // namespace

void integrate_naive(const gpu::Queue& queue, const Integrals& arrays, const Chunk& chunk, int64_t workspace, double* work) {
  SUITE_GPU_LAUNCH(integrate_by_batches, blocks_for(chunk.last - chunk.first, 32), 32, 0, queue.stream(), arrays, chunk.first, chunk.last,
                   workspace, work);
}

void integrate_parallel(const gpu::Queue& queue, const Integrals& arrays, const Chunk& chunk) {
  SUITE_GPU_LAUNCH(integrate_by_elements, grid_of(chunk.last - chunk.first), block_threads, 0, queue.stream(), arrays, chunk.first);
}

void integrate_tiles(const gpu::Queue& queue, const Integrals& arrays, const Piece* pieces, int64_t count, Step variant) {
  if (count == 0) return;
  if (variant == Step::memory)
    for (int d = 0; d < arrays.dirs; ++d) launch_tiles<1, 128, 2>(queue, arrays, pieces, count, d);
  else if (variant == Step::control_flow)
    by_directions(arrays.dirs, [&](auto dirs, int d) { launch_tiles<dirs, 128, 2>(queue, arrays, pieces, count, d); });
  else by_directions(arrays.dirs, [&](auto dirs, int d) { launch_tiles<dirs, 64, 4>(queue, arrays, pieces, count, d); });
}

void orbitals_at_points(const gpu::Queue& queue, const Integrals& arrays, const double* C, int64_t n_basis, const Piece* pieces,
                        int64_t count, double* psi) {
  if (count == 0) return;
  SUITE_GPU_LAUNCH(make_orbitals, grid_of(count), block_threads, 0, queue.stream(), arrays, C, n_basis, pieces, psi);
}

}  // namespace suite::dfpt
