// SPDX-License-Identifier: BSD-3-Clause
// What the parts of dfpt.h share. Some batches at a time have their own matrices S_d(m,j) = sum_p chi_m(p)
// W_p v_d(p) right_j(p), right being chi (H) or psi (HC), in memory; then each row of the whole matrix
// collects its own from them in the order of the batches. So no two threads add to one number, and the same
// call gives the same bits.
#pragma once

#include "../steps.hpp"
#include "batch_list.hpp"

namespace suite::dfpt {

// Of one form, H or HC, and up to three directions from `first` on.
struct Integrals {
  const Batch* batches;
  const int32_t* i_basis;
  const double *wave, *wave_right, *partition, *v;
  const double* psi;  // (n_occ,points of the chunk); null for H
  const int64_t* place;
  double* results;  // (columns,n,dirs) of each batch, at its place
  int64_t n_points, psi_first;
  int n_occ, dirs, first;

  __device__ __forceinline__ int columns(const Batch& batch) const { return psi ? n_occ : static_cast<int>(batch.functions); }
  // Of point p of the batch.
  __device__ __forceinline__ double weight(const Batch& batch, int64_t p, int d) const {
    const int64_t at = batch.first_point + p;
    return partition[at] * (v ? v[at + n_points * (first + d)] : 1.0);
  }
  __device__ __forceinline__ double left(const Batch& batch, int64_t p, int m) const { return wave[batch.wave + p * batch.functions + m]; }
  __device__ __forceinline__ double right(const Batch& batch, int64_t p, int j) const {
    return psi ? psi[(batch.first_point + p - psi_first) * n_occ + j]
               : (wave_right ? wave_right : wave)[batch.wave + p * batch.functions + j];
  }
  // chi_m right_j, or the mean of both orders.
  __device__ __forceinline__ double product(const Batch& batch, int64_t p, int m, int j) const {
    const double x = left(batch, p, m) * right(batch, p, j);
    return wave_right ? 0.5 * (x + right(batch, p, m) * left(batch, p, j)) : x;
  }
  __device__ __forceinline__ double* result(int64_t b, const Batch& batch, int d, int m) const {
    return results + place[b] + (batch.functions * d + m) * columns(batch);
  }
};

// A row of the whole matrix: which batches have it, and as which of their functions.
struct RowEntry {
  int32_t batch, function;
};

// Which pieces of a batch's matrix blocks take.
inline constexpr int h_tile = 32;
inline constexpr int psi_rows = 64;  // points of a piece for orbitals_at_points

void integrate_naive(const gpu::Queue& queue, const Integrals& arrays, const Chunk& chunk, int64_t workspace, double* work);
void integrate_parallel(const gpu::Queue& queue, const Integrals& arrays, const Chunk& chunk);
void integrate_tiles(const gpu::Queue& queue, const Integrals& arrays, const Piece* pieces, int64_t count, Step variant);
// psi_i at the points of the tiles, (n_occ,points) from point psi_first of all on.
void orbitals_at_points(const gpu::Queue& queue, const Integrals& arrays, const double* C, int64_t n_basis, const Piece* pieces,
                        int64_t count, double* psi);
// sums(width,n_basis,dirs) += what the chunk's batches have for each row; width is n_basis, then only from
// the diagonal on, or n_occ.
void collect_rows(const gpu::Queue& queue, const Integrals& arrays, const int32_t* first_entry, const RowEntry* entries, int64_t n_basis,
                  double* sums);
void add_sums(const gpu::Queue& queue, const Integrals& arrays, int64_t n_basis, const double* sums, double* to);

}  // namespace suite::dfpt
