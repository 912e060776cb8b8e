// SPDX-License-Identifier: BSD-3-Clause
// The matrices of single batches, in the steps of the ladder.
#include "h.hpp"
#include "matrix_product.cuh"

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

// memory, control_flow, best: a block for each tile. With a second set of functions there is a second sum, of
// both exchanged.
template <int Dirs> struct MatrixTile {
  const Integrals& call;
  Batch batch;
  const double *weights, *potentials;  // at the batch's points
  int32_t number;
  int row, column, n, columns, points, of_all;
  bool twice;

  __device__ __forceinline__ MatrixTile(const Integrals& integrals, const Piece& piece, int first)
      : call(integrals), batch(integrals.batches[piece.batch]), number(piece.batch), row(piece.row), column(piece.column), of_all(first) {
    weights = call.partition + batch.first_point;
    potentials = call.v ? call.v + batch.first_point + call.n_points * (call.first + first) : nullptr;
    n = static_cast<int>(batch.functions) - row;
    columns = call.columns(batch) - column;
    points = static_cast<int>(batch.points);
    twice = call.wave_right != nullptr;
  }

  // Functions at the points, from one of the tile's on; every `width` numbers a point.
  struct Values {
    const double* first;
    int width;
    __device__ __forceinline__ double at(int p, int i) const { return first[p * width + i]; }
  };
  __device__ __forceinline__ Values chi(const double* wave, int first) const {
    return {wave + batch.wave + first, static_cast<int>(batch.functions)};
  }
  __device__ __forceinline__ Values right() const {
    if (call.psi) return {call.psi + (batch.first_point - call.psi_first) * call.n_occ + column, call.n_occ};
    return chi(twice ? call.wave_right : call.wave, column);
  }
  __device__ __forceinline__ double element(const Values& a, int i, int k) const { return i < n ? a.at(k, i) : 0.0; }
  __device__ __forceinline__ void weighted(const Values& b, int k, int j, double (&x)[Dirs]) const {
    if (j >= columns) return;
    const double value = (twice ? 0.5 : 1.0) * b.at(k, j) * weights[k];
    SUITE_GPU_UNROLL
    for (int d = 0; d < Dirs; ++d) x[d] = potentials ? value * potentials[k + call.n_points * d] : value;
  }
  __device__ __forceinline__ void store(int i, int j, int d, double sum) const {
    if (i < n && j < columns) call.result(number, batch, of_all + d, row + i)[column + j] = sum;
  }
  // multiply(a, b) for each of the sums.
  template <class F> __device__ __forceinline__ void products(const F& multiply) const {
    Values a = chi(call.wave, row), b = right();
    SUITE_GPU_NO_UNROLL
    for (int order = 0;; ++order) {
      multiply([&](int i, int k) { return element(a, i, k); }, [&](int k, int j, double(&x)[Dirs]) { weighted(b, k, j, x); });
      if (!twice || order > 0) return;
      a = chi(call.wave_right, row);
      b = chi(call.wave, column);
    }
  }
};

// memory, control_flow: register tiles of 2 x 4.
template <int Dirs>
__global__ void SUITE_GPU_RESIDENT_BOUNDS(block_threads, 4) integrate_by_tiles(Integrals call, const Piece* pieces, int of_all) {
  constexpr int R = 2, C = h_tile / 8;
  using T = Tiles<block_threads, R, C, Dirs>;
  static_assert(T::rows == h_tile && T::columns == h_tile);
  [[maybe_unused]] __shared__ T tiles;  // g++ does not see uses within the lambda
  const MatrixTile<Dirs> tile(call, pieces[blockIdx.x], of_all);
  double sum[Dirs][R][C] = {};
  tile.products([&](const auto& a, const auto& b) { multiply<Fast::outer, Fast::outer>(tiles, tile.points, a, b, sum); });
  SUITE_GPU_UNROLL
  for (int d = 0; d < Dirs; ++d) SUITE_GPU_UNROLL
  for (int i = 0; i < R; ++i) SUITE_GPU_UNROLL
  for (int j = 0; j < C; ++j) tile.store(T::row(i), T::column(j), d, sum[d][i][j]);
}

// best: by matrix units.
template <int Dirs> using HTiles = MatrixTiles<Fast::outer, Fast::outer, h_tile, h_tile, Dirs>;

template <int Dirs>
__global__ void SUITE_GPU_RESIDENT_BOUNDS(2 * h_tile, 6) integrate_by_matrix_units(Integrals call, const Piece* pieces, int of_all) {
  using T = HTiles<Dirs>;
  static_assert(T::threads == 2 * h_tile);
  [[maybe_unused]] __shared__ typename T::Shared shared;
  const MatrixTile<Dirs> tile(call, pieces[blockIdx.x], of_all);
  T product;
  tile.products([&](const auto& a, const auto& b) { product.multiply(shared, tile.points, a, b); });
  product.each([&](int, int row, int column, const double(&x)[Dirs]) {
    SUITE_GPU_UNROLL
    for (int d = 0; d < Dirs; ++d) tile.store(row, column, d, x[d]);
  });
}

__global__ void __launch_bounds__(block_threads)
    make_orbitals(Integrals call, const double* C, int64_t n_basis, const Piece* pieces, double* psi) {
  using T = MatrixTiles<Fast::inner, Fast::inner, psi_rows, 32, 1>;
  static_assert(T::threads == block_threads);
  __shared__ T::Shared shared;
  const Piece piece = pieces[blockIdx.x];
  const Batch batch = call.batches[piece.batch];
  const int32_t* const functions = call.i_basis + batch.first_function;
  const int points = static_cast<int>(batch.points) - piece.row, n = static_cast<int>(batch.functions);
  const int n_occ = call.n_occ;
  for (int j0 = 0; j0 < n_occ; j0 += T::columns) {
    T product;
    product.multiply(
        shared, n, [&](int i, int k) { return i < points ? call.left(batch, piece.row + i, k) : 0.0; },
        [&](int k, int j, double(&x)[1]) {
          if (j0 + j < n_occ) x[0] = C[functions[k] - 1 + n_basis * (j0 + j)];
        });
    product.each([&](int, int row, int column, const double(&x)[1]) {
      if (row < points && j0 + column < n_occ) psi[(batch.first_point + piece.row + row - call.psi_first) * n_occ + j0 + column] = x[0];
    });
  }
}

template <int Dirs> void launch_tiles(const gpu::Queue& queue, const Integrals& arrays, const Piece* pieces, int64_t count, int of_all) {
  SUITE_GPU_LAUNCH(integrate_by_tiles<Dirs>, grid_of(count), block_threads, 0, queue.stream(), arrays, pieces, of_all);
}
template <int Dirs>
void launch_matrix_units(const gpu::Queue& queue, const Integrals& arrays, const Piece* pieces, int64_t count, int of_all) {
  SUITE_GPU_LAUNCH(integrate_by_matrix_units<Dirs>, grid_of(count), 2 * h_tile, 0, queue.stream(), arrays, pieces, of_all);
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
    for (int d = 0; d < arrays.dirs; ++d) launch_tiles<1>(queue, arrays, pieces, count, d);
  else if (variant == Step::control_flow)
    by_directions(arrays.dirs, [&](auto dirs, int d) { launch_tiles<dirs>(queue, arrays, pieces, count, d); });
  else by_directions(arrays.dirs, [&](auto dirs, int d) { launch_matrix_units<dirs>(queue, arrays, pieces, count, d); });
}

void orbitals_at_points(const gpu::Queue& queue, const Integrals& arrays, const double* C, int64_t n_basis, const Piece* pieces,
                        int64_t count, double* psi) {
  if (count == 0) return;
  SUITE_GPU_LAUNCH(make_orbitals, grid_of(count), block_threads, 0, queue.stream(), arrays, C, n_basis, pieces, psi);
}

}  // namespace suite::dfpt
