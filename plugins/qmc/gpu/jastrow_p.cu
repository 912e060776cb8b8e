// SPDX-License-Identifier: BSD-3-Clause
// qmc.jastrow_p on a GPU by rho_G: a block has some positions of a walker, a warp one of them, its lanes the
// G. With b = sum of a(i,j) e^{iG.r_j} over the others, value = sum Re(e conj b), e = e^{iG.r_i}.
#include "jastrow_p.hpp"
#include "structure_factor.hpp"

namespace suite::qmc {
namespace {

constexpr int positions_of_block = 2 * most_warps;

// Shared memory: the tables of the positions, and that of where the moving electron is.
template <bool shared_tables>
__global__ void __launch_bounds__(block_threads) sum_by_rho(Reciprocal cell, DeviceP p, Positions at, const Complex* rhok, LocalOut out) {
  SUITE_GPU_DYNAMIC_SHARED(Complex, tables);
  const int groups = (at.npos + positions_of_block - 1) / positions_of_block, width = p.powers.width;
  const int64_t walker = blockIdx.x / groups;
  const int first = static_cast<int>(blockIdx.x % groups) * positions_of_block;
  const int some = at.npos - first < positions_of_block ? at.npos - first : positions_of_block;
  const double* const old = at.rnew ? at.of_walker(walker) + 3 * at.which : nullptr;
  const Complex* const rho = rhok + walker * 2 * p.count;
  if constexpr (shared_tables) {
    fill_tables(cell, p.powers, at.position(first, walker), some, tables, thread(), block_threads);
    if (old) fill_tables(cell, p.powers, old, 1, tables + some * width, thread(), block_threads);
  }
  __syncthreads();
  for (int m = warp_number(); m < some; m += warps_of_block()) {
    const double* const x = at.position(first + m, walker);
    const int spin = at.electron(first + m) >= at.nup;
    Local sum{};
    for (int g = gpu::lane(); g < p.count; g += warpSize) {
      const Wave w = p.waves[g];
      Complex e, was;
      if constexpr (shared_tables) {
        e = wave_at(p.powers, tables + m * width, w);
        was = old ? wave_at(p.powers, tables + some * width, w) : e;
      } else {
        e = wave_directly(cell, w, x);
        was = old ? wave_directly(cell, w, old) : e;
      }
      double G[3];
      wave_vector(cell, w, G);
      add_wave(G, e * conjugate(others_of(p, w, g, spin, rho, was)), sum);
    }
    warp_sums(sum);
    if (gpu::lane() == 0) out.put(walker * at.npos + first + m, sum);
  }
}

// Derivatives by a: a block has a position; terms of some G at a time in shared memory, a thread for each a.
__global__ void __launch_bounds__(block_threads) sum_by_star(Reciprocal cell, DeviceP p, Positions at, const Complex* rhok, LocalOut out) {
  __shared__ Complex terms[block_threads][2];
  __shared__ double vectors[block_threads][3];
  __shared__ int stars[block_threads];
  SUITE_GPU_DYNAMIC_SHARED(Local, sums);
  const int64_t position = blockIdx.x, walker = position / at.npos;
  const int m = static_cast<int>(position - walker * at.npos), i = at.electron(m), spin = i >= at.nup;
  for (int q = thread(); q < p.numbers(); q += block_threads) sums[q] = Local{};
  for (int g0 = 0; g0 < p.count; g0 += block_threads) {
    const int g = g0 + thread(), some = p.count - g0 < block_threads ? p.count - g0 : block_threads;
    if (g < p.count) {
      const Wave w = p.waves[g];
      const Complex e = wave_directly(cell, w, at.position(m, walker)), was = wave_directly(cell, w, at.of_walker(walker) + 3 * i);
      for (int s = 0; s < 2; ++s) {
        Complex b = rhok[(walker * 2 + s) * p.count + g];
        if (s == spin) b = b - was;
        terms[thread()][s] = e * conjugate(b);
      }
      wave_vector(cell, w, vectors[thread()]);
      stars[thread()] = w.star;
    }
    __syncthreads();
    for (int q = thread(); q < p.numbers(); q += block_threads) {
      Local sum = sums[q];
      for (int k = 0; k < some; ++k)
        for (int s = 0; s < 2; ++s)
          if (stars[k] == q % p.nstar && set_of_pair(p.nset, spin, s) == q / p.nstar) add_wave(vectors[k], terms[k][s], sum);
      sums[q] = sum;
    }
    __syncthreads();
  }
  for (int q = thread(); q < p.numbers(); q += block_threads) out.put(position * p.numbers() + q, sums[q]);
}

class JastrowPGpu {
public:
  static constexpr suite_parameter parameters[] = {parameter::jastrow_p_variant};
  JastrowPGpu(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : step_(static_cast<SumStep>(p[0])),
        queue_(backend, queue),
        list_(queue_),
        rhok_(queue_, "the structure factors"),
        tables_(queue_, "the tables of all electrons") {}

  void prepare(const suite_array* arguments) {
    const JastrowP c(arguments);
    queue_.select();
    cell_.prepare(queue_, c.cell);
    nele_ = on_host<int32_t>(queue_, c.nele);
    list_.prepare(queue_, c);
  }

  void execute(const suite_array* arguments) {
    const JastrowP c(arguments);
    queue_.select();
    check_addresses<JastrowP>(arguments);
    const Positions at = positions_of(c, nele_);
    const DeviceP p = list_.device(c.a.data());
    const LocalOut out{c.value.data(), c.gradient.data(), c.laplacian.data()};
    const bool derivatives = c.dvalue || c.dgradient || c.dlaplacian;
    if (step_ < SumStep::structure_factor)
      sum_waves_of_pairs(queue_, step_ == SumStep::split_loops, cell_.reciprocal(), p, at, tables_, out);
    if (step_ < SumStep::structure_factor && !derivatives) return;
    const Complex* const rhok = structure_factor(c.rhok, p, at);
    if (step_ >= SumStep::structure_factor) sum(p, at, rhok, out);
    if (derivatives)
      SUITE_GPU_LAUNCH(sum_by_star, grid_of(at.npos * at.nwalker), block_threads, static_cast<size_t>(p.nstar) * p.nset * sizeof(Local),
                       queue_.stream(), cell_.reciprocal(), p, at, rhok,
                       LocalOut{c.dvalue.data(), c.dgradient.data(), c.dlaplacian.data()});
  }

private:
  const Complex* structure_factor(const suite_array& given, const DeviceP& p, const Positions& at) {
    if (given.data) return device_data<const Complex>(given);
    Complex* const rhok = rhok_.at_least(2 * p.count * at.nwalker);
    sum_waves(queue_, cell_.reciprocal(), p.powers, p.waves, p.count, at.rele, at.netot, at.nwalker, spins(at.nup, at.netot), rhok);
    return rhok;
  }

  void sum(const DeviceP& p, const Positions& at, const Complex* rhok, const LocalOut& out) {
    const int64_t groups = (at.npos + positions_of_block - 1) / positions_of_block;
    const bool tables = step_ == SumStep::best;
    const int64_t numbers = tables ? (positions_of_block + 1) * p.powers.width : 0;
    const auto kernel = tables ? sum_by_rho<true> : sum_by_rho<false>;
    SUITE_GPU_LAUNCH(kernel, grid_of(groups * at.nwalker), block_threads, shared_numbers(queue_, 2 * numbers), queue_.stream(),
                     cell_.reciprocal(), p, at, rhok, out);
  }

  SumStep step_;
  gpu::Queue queue_;
  Cell cell_;
  PList list_;
  std::vector<int32_t> nele_;
  gpu::Buffer<Complex> rhok_, tables_;
};

}  // namespace

const suite_kernel_table* jastrow_p_table() { return gpu_table<JastrowP, JastrowPGpu>(); }

}  // namespace suite::qmc
