// SPDX-License-Identifier: BSD-3-Clause
// The published steps of dfpt.rho, for CPUs: batches are shared among threads in all, and each
// step keeps what the one before it gained.
#include "rho.hpp"

namespace suite::dfpt {
namespace {

constexpr int64_t tile = 32;  // the published size
constexpr int64_t group = 8;  // points side by side

// A batch's part of a matrix with columns for functions of the basis, as [function][column].
struct Part {
  Numbers data;
  void read(const RhoCall& call, const Rho& arrays, const Batch& batch, const double* matrix, int64_t columns, bool density) {
    data.resize(at(batch.functions * columns));
    const int32_t* const list = arrays.i_basis.data() + batch.first_function;
    for (int64_t j = 0; j < columns; ++j)
      for (int64_t i = 0; i < batch.functions; ++i) {
        int64_t row = list[i] - 1, column = j;
        if (density) {
          column = list[j] - 1;
          if (row > column) std::swap(row, column);
        }
        data[at(i * columns + j)] = matrix[row + call.n_basis * column];
      }
  }
};

// naive: the whole product of a batch as a temporary, then the sum with chi (or psi) for every point.
void product(const Batch& batch, const double* chi, const Numbers& part, int64_t columns, Numbers& result) {
  result.resize(at(batch.points * columns));
  for (int64_t p = 0; p < batch.points; ++p)
    for (int64_t j = 0; j < columns; ++j) {
      double sum = 0;
      for (int64_t i = 0; i < batch.functions; ++i) sum += part[at(i * columns + j)] * chi[p * batch.functions + i];
      result[at(p * columns + j)] = sum;
    }
}

class NaiveBatch {
public:
  NaiveBatch(const RhoCall& call, const Rho& arrays) : call_(call), arrays_(arrays) {}
  void operator()(const Batch& batch) {
    const double* const chi = arrays_.wave.data() + batch.wave;
    const int64_t n = batch.functions, n_occ = call_.n_occ;
    const bool density = call_.form == RhoForm::density_matrix;
    if (!density) {
      part_.read(call_, arrays_, batch, arrays_.C.data(), n_occ, false);
      product(batch, chi, part_.data, n_occ, psi_);
    }
    for (int64_t d = 0; d < call_.n_dir; ++d) {
      const int64_t columns = density ? n : n_occ;
      const double* const matrix = density ? &arrays_.density_matrix(0, 0, d) : arrays_.C1.data() + call_.n_basis * n_occ * d;
      const bool ground = call_.form == RhoForm::orbitals;
      if (!ground) {
        part_.read(call_, arrays_, batch, matrix, columns, density);
        product(batch, chi, part_.data, columns, product_);
      }
      const Numbers& right = ground ? psi_ : product_;
      for (int64_t p = 0; p < batch.points; ++p) {
        double sum = 0;
        for (int64_t j = 0; j < columns; ++j) sum += right[at(p * columns + j)] * (density ? chi[p * n + j] : psi_[at(p * columns + j)]);
        arrays_.rho(batch.first_point + p, d) = density ? sum : ground ? 2 * sum : 4 * sum;
      }
    }
  }

private:
  const RhoCall& call_;
  const Rho& arrays_;
  Part part_;
  Numbers psi_, product_;
};

// The later steps: out[c][j] = sum_i part[i][j] chi[c][i] for `count` points at a time, one in parallelism;
// in tiles from memory on, and of a symmetric part the pairs i <= j only from control_flow on.
template <int64_t count, bool tiled, bool half>
void multiply(const double* chi, int64_t stride, const double* part, int64_t n, int64_t columns, double* out) {
  std::fill_n(out, count * columns, 0.0);
  const int64_t wide = tiled ? tile : columns, high = tiled ? tile : n;
  for (int64_t j0 = 0; j0 < columns; j0 += wide)
    for (int64_t i0 = 0; i0 < (half ? j0 + 1 : n); i0 += high) {
      const int64_t j1 = std::min(j0 + wide, columns), i1 = std::min(i0 + high, n);
      for (int64_t c = 0; c < count; ++c)
        for (int64_t i = i0; i < i1; ++i) {
          const double x = chi[c * stride + i];
          double* const to = out + c * columns;
          const double* const row = part + i * columns;
          for (int64_t j = half ? std::max(i, j0) : j0; j < j1; ++j) to[j] += x * row[j];
        }
    }
}

template <Step step> class LaterBatch {
  static constexpr bool tiled = step >= Step::memory, half = step >= Step::control_flow;

public:
  LaterBatch(const RhoCall& call, const Rho& arrays) : call_(call), arrays_(arrays) {}
  void operator()(const Batch& batch) {
    const bool density = call_.form == RhoForm::density_matrix;
    const int64_t columns = density ? batch.functions : call_.n_occ;
    vector_.resize(at(2 * group * columns));
    if (!density) occupied_.read(call_, arrays_, batch, arrays_.C.data(), columns, false);
    for (int64_t d = 0; d < call_.n_dir; ++d) {
      if (density) {
        part_.read(call_, arrays_, batch, &arrays_.density_matrix(0, 0, d), columns, true);
        if (half)
          for (int64_t i = 0; i < columns; ++i)
            for (int64_t j = i + 1; j < columns; ++j) part_.data[at(i * columns + j)] *= 2;
      } else if (call_.form == RhoForm::first_order_orbitals) {
        part_.read(call_, arrays_, batch, &arrays_.C1(0, 0, d), columns, false);
      }
      int64_t p = 0;
      if constexpr (tiled)
        for (; p + group <= batch.points; p += group) points<group>(batch, p, d, columns);
      for (; p < batch.points; ++p) points<1>(batch, p, d, columns);
    }
  }

private:
  template <int64_t count> void points(const Batch& batch, int64_t first, int64_t d, int64_t columns) {
    const int64_t n = batch.functions;
    const double* const chi = arrays_.wave.data() + batch.wave + n * first;
    const bool density = call_.form == RhoForm::density_matrix, ground = call_.form == RhoForm::orbitals;
    double *const left = vector_.data(), *const right = left + group * columns;
    if (density) {
      multiply<count, tiled, half>(chi, n, part_.data.data(), n, columns, right);
    } else {
      multiply<count, tiled, false>(chi, n, occupied_.data.data(), n, columns, left);
      if (!ground) multiply<count, tiled, false>(chi, n, part_.data.data(), n, columns, right);
    }
    const double factor = density ? 1 : ground ? 2 : 4;
    double* const rho = arrays_.rho.data() + call_.batches.n_points * d + batch.first_point + first;
    for (int64_t c = 0; c < count; ++c) {
      const double* const a = density ? chi + c * n : left + c * columns;
      const double* const b = ground ? a : right + c * columns;
      double sum = 0;
      for (int64_t j = 0; j < columns; ++j) sum += a[j] * b[j];
      rho[c] = factor * sum;
    }
  }

  const RhoCall& call_;
  const Rho& arrays_;
  Part occupied_, part_;
  Numbers vector_;
};

template <class Worker> void all_batches(const RhoCall& call, const Rho& arrays, int64_t threads) {
  const int team = cpu::useful_threads(threads, call.batches.count(), 1e5);
  std::vector<Worker> workers(at(team), Worker(call, arrays));
  cpu::each(team, call.batches.count(), [&](int64_t b, int thread) { workers[at(thread)](call.batches.batch[at(b)]); });
}

}  // namespace

void rho_step(Step step, const RhoCall& call, const Rho& arrays, int64_t threads) {
  switch (step) {
    case Step::naive: return all_batches<NaiveBatch>(call, arrays, threads);
    case Step::parallelism: return all_batches<LaterBatch<Step::parallelism>>(call, arrays, threads);
    case Step::memory: return all_batches<LaterBatch<Step::memory>>(call, arrays, threads);
    default: return all_batches<LaterBatch<Step::control_flow>>(call, arrays, threads);
  }
}

}  // namespace suite::dfpt
