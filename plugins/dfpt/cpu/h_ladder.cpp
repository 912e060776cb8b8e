// SPDX-License-Identifier: BSD-3-Clause
// The published steps of dfpt.h, for CPUs. Batches are computed by all threads and added to
// the matrices in their order, one after the other.
#include "h.hpp"

namespace suite::dfpt {
namespace {

constexpr int64_t tile = 32;  // the published size

// sum over points of left[p][i] right[p][j] as [i][j]; one pair after the other in naive, rows as vectors
// later, in tiles from memory on, and where both are the same functions i <= j only from control_flow on. A
// function of its own for the compiler too: inside others control_flow took a third longer.
template <Step step, bool symmetric>
[[gnu::noinline]] void outer(int64_t points, const double* left, int64_t ni, const double* right, int64_t nj, double* sums) {
  std::fill_n(sums, ni * nj, 0.0);
  if constexpr (step == Step::naive) {
    for (int64_t i = 0; i < ni; ++i)
      for (int64_t j = 0; j < nj; ++j) {
        double sum = 0;
        for (int64_t p = 0; p < points; ++p) sum += left[p * ni + i] * right[p * nj + j];
        sums[i * nj + j] = sum;
      }
  } else {
    constexpr bool half = symmetric && step == Step::control_flow;
    const int64_t high = step == Step::parallelism ? ni : tile, wide = step == Step::parallelism ? nj : tile;
    for (int64_t i0 = 0; i0 < ni; i0 += high)
      for (int64_t j0 = half ? i0 : 0; j0 < nj; j0 += wide) {
        const int64_t i1 = std::min(i0 + high, ni), j1 = std::min(j0 + wide, nj);
        for (int64_t p = 0; p < points; ++p)
          for (int64_t i = i0; i < i1; ++i) {
            const double x = left[p * ni + i];
            const double* const row = right + p * nj;
            for (int64_t j = j0; j < j1; ++j) sums[i * nj + j] += x * row[j];
          }
      }
  }
}

template <Step step> class Worker {
public:
  Worker(const HCall& call, const Hamiltonian& arrays) : call_(call), arrays_(arrays) {}

  // The batch's contributions to H_d and HC_d, one after the other.
  void operator()(const Batch& batch, Numbers& sums) {
    const int64_t n = batch.functions, n_occ = call_.n_occ, points = batch.points;
    const double* const chi = arrays_.wave.data() + batch.wave;
    const int64_t size = n * ((call_.matrices ? n : 0) + (call_.products ? n_occ : 0));
    sums.resize(at(size * call_.n_dir));
    weighted_.resize(at(points * n));
    if (call_.products) make_orbitals(batch, chi);
    for (int64_t d = 0; d < call_.n_dir; ++d) {
      double* const mine = sums.data() + size * d;
      for (int64_t p = 0; p < points; ++p) {
        const double w = weight_of(arrays_, batch.first_point + p, d);
        for (int64_t i = 0; i < n; ++i) weighted_[at(p * n + i)] = w * chi[p * n + i];
      }
      if (call_.matrices) {
        if (arrays_.wave_right) outer<step, false>(points, weighted_.data(), n, arrays_.wave_right.data() + batch.wave, n, mine);
        else outer<step, true>(points, weighted_.data(), n, chi, n, mine);
      }
      if (call_.products) outer<step, false>(points, psi_.data(), n_occ, weighted_.data(), n, mine + (call_.matrices ? n * n : 0));
    }
  }

  void add_to_result(const Batch& batch, const Numbers& sums) const {
    const int64_t n = batch.functions, n_basis = call_.n_basis, n_occ = call_.n_occ;
    const int32_t* const list = arrays_.i_basis.data() + batch.first_function;
    const double* from = sums.data();
    for (int64_t d = 0; d < call_.n_dir; ++d) {
      if (call_.matrices) {
        double* const H = &arrays_.H(0, 0, d);
        for (int64_t i = 0; i < n; ++i)
          for (int64_t j = 0; j < n; ++j) {
            double element = from[i * n + j];
            if (arrays_.wave_right) element = 0.5 * (element + from[j * n + i]);
            else if (step == Step::control_flow && j < i) element = from[j * n + i];
            H[list[j] - 1 + n_basis * (list[i] - 1)] += element;
          }
        from += n * n;
      }
      if (call_.products)
        for (int64_t o = 0; o < n_occ; ++o, from += n)
          for (int64_t i = 0; i < n; ++i) arrays_.HC(list[i] - 1, o, d) += from[i];
    }
  }

private:
  void make_orbitals(const Batch& batch, const double* chi) {
    const int64_t n = batch.functions;
    const int32_t* const list = arrays_.i_basis.data() + batch.first_function;
    psi_.resize(at(batch.points * call_.n_occ));
    for (int64_t p = 0; p < batch.points; ++p)
      for (int64_t o = 0; o < call_.n_occ; ++o) {
        double sum = 0;
        for (int64_t i = 0; i < n; ++i) sum += arrays_.C.data()[list[i] - 1 + call_.n_basis * o] * chi[p * n + i];
        psi_[at(p * call_.n_occ + o)] = sum;
      }
  }

  const HCall& call_;
  const Hamiltonian& arrays_;
  Numbers weighted_, psi_;
};

template <Step step> void all_batches(const HCall& call, const Hamiltonian& arrays, int64_t threads) {
  const int64_t count = call.batches.count();
  const int team = cpu::useful_threads(threads, count, 1e5);
  std::vector<Worker<step>> workers(at(team), Worker<step>(call, arrays));
  const int64_t together = 4 * team;
  std::vector<Numbers> sums(at(together));
  for (int64_t first = 0; first < count; first += together) {
    const int64_t some = std::min(together, count - first);
    cpu::each(team, some, [&](int64_t b, int thread) { workers[at(thread)](call.batches.batch[at(first + b)], sums[at(b)]); });
    for (int64_t b = 0; b < some; ++b) workers[0].add_to_result(call.batches.batch[at(first + b)], sums[at(b)]);
  }
}

}  // namespace

void h_step(Step step, const HCall& call, const Hamiltonian& arrays, int64_t threads) {
  switch (step) {
    case Step::naive: return all_batches<Step::naive>(call, arrays, threads);
    case Step::parallelism: return all_batches<Step::parallelism>(call, arrays, threads);
    case Step::memory: return all_batches<Step::memory>(call, arrays, threads);
    default: return all_batches<Step::control_flow>(call, arrays, threads);
  }
}

}  // namespace suite::dfpt
