// SPDX-License-Identifier: BSD-3-Clause
// The whole matrices from those of the batches.
#include "h.hpp"

namespace suite::dfpt {
namespace {

constexpr int64_t most_in_shared = 40 * 1024 / sizeof(double);

// A block for each row and direction; the row lies in shared memory where there is room.
__global__ void __launch_bounds__(block_threads) collect(Integrals call, const int32_t* first_entry, const RowEntry* entries,
                                                         int64_t n_basis, int64_t width, bool in_shared, double* all_sums) {
  SUITE_GPU_DYNAMIC_SHARED(double, shared);
  const int64_t row = blockIdx.x;
  const int d = static_cast<int>(blockIdx.y), first = first_entry[row], last = first_entry[row + 1];
  if (first == last) return;
  double *const to = all_sums + (n_basis * d + row) * width, *const sums = in_shared ? shared : to;
  for (int64_t x = thread(); in_shared && x < width; x += block_threads) sums[x] = to[x];
  __syncthreads();
  for (int e = first; e < last; ++e) {
    const RowEntry entry = entries[e];
    const Batch batch = call.batches[entry.batch];
    const int32_t* const functions = call.i_basis + batch.first_function;
    const double* const result = call.result(entry.batch, batch, d, entry.function);
    const int columns = call.columns(batch);
    if (call.psi)
      for (int j = thread(); j < columns; j += block_threads) sums[j] += result[j];
    else
      for (int j = entry.function + thread(); j < columns; j += block_threads) sums[functions[j] - 1] += result[j];
    __syncthreads();
  }
  for (int64_t x = thread(); in_shared && x < width; x += block_threads) to[x] = sums[x];
}

// to(x,y,d) += sums of the row x or y, whichever comes first.
__global__ void __launch_bounds__(block_threads) add_both_triangles(int64_t n_basis, int64_t count, const double* sums, double* to) {
  const int64_t e = int64_t{blockIdx.x} * block_threads + thread();
  if (e >= count) return;
  const int64_t x = e % n_basis, y = e / n_basis % n_basis, d = e / n_basis / n_basis;
  to[e] += sums[(x < y ? y + n_basis * x : x + n_basis * y) + n_basis * n_basis * d];
}

// to(m,i,d) += sums(i,m,d).
__global__ void __launch_bounds__(block_threads)
    add_products(int64_t n_basis, int64_t n_occ, int64_t count, const double* sums, double* to) {
  const int64_t e = int64_t{blockIdx.x} * block_threads + thread();
  if (e >= count) return;
  const int64_t m = e % n_basis, i = e / n_basis % n_occ, d = e / n_basis / n_occ;
  to[e] += sums[i + n_occ * (m + n_basis * d)];
}

}  // namespace

void collect_rows(const gpu::Queue& queue, const Integrals& arrays, const int32_t* first_entry, const RowEntry* entries, int64_t n_basis,
                  double* sums) {
  const int64_t width = arrays.psi ? arrays.n_occ : n_basis;
  const bool in_shared = width <= most_in_shared;
  SUITE_GPU_LAUNCH(collect, gpu::Dim3(grid_of(n_basis), static_cast<unsigned>(arrays.dirs)), block_threads,
                   in_shared ? static_cast<size_t>(width) * sizeof(double) : 0, queue.stream(), arrays, first_entry, entries, n_basis,
                   width, in_shared, sums);
}

void add_sums(const gpu::Queue& queue, const Integrals& arrays, int64_t n_basis, const double* sums, double* to) {
  const int64_t count = n_basis * (arrays.psi ? arrays.n_occ : n_basis) * arrays.dirs;
  const unsigned blocks = grid_of((count + block_threads - 1) / block_threads);
  if (arrays.psi) SUITE_GPU_LAUNCH(add_products, blocks, block_threads, 0, queue.stream(), n_basis, int64_t{arrays.n_occ}, count, sums, to);
  else SUITE_GPU_LAUNCH(add_both_triangles, blocks, block_threads, 0, queue.stream(), n_basis, count, sums, to);
}

}  // namespace suite::dfpt
