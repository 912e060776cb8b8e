// SPDX-License-Identifier: BSD-3-Clause
// qmc.structure_factor on a GPU, and its sums for the kernels that need them.
#include "call.hpp"
#include "structure_factor.hpp"

namespace suite::qmc {
namespace {

constexpr size_t table_bytes = 16 * 1024;

__global__ void __launch_bounds__(block_threads)
    sum_phases(Reciprocal cell, Powers powers, const Wave* waves, int count, const double* rele, int netot, Groups groups, int tiles,
               int at_a_time, Complex* sums) {
  SUITE_GPU_DYNAMIC_SHARED(Complex, tables);
  const unsigned block = blockIdx.x;
  const int g = static_cast<int>(block % tiles) * block_threads + thread();
  const int group = static_cast<int>(block / tiles) % groups.count;
  const int64_t walker = block / tiles / groups.count;
  const double* const r = rele + 3 * (walker * netot + groups.first[group]);
  const bool there = g < count;
  const Wave wave = waves[there ? g : 0];
  Complex sum{0, 0};
  for (int j0 = 0; j0 < groups.size[group]; j0 += at_a_time) {
    const int some = groups.size[group] - j0 < at_a_time ? groups.size[group] - j0 : at_a_time;
    fill_tables(cell, powers, r + 3 * j0, some, tables, thread(), block_threads);
    __syncthreads();
    for (int j = 0; j < some; ++j) {
      const Complex e = wave_at(powers, tables + j * powers.width, wave);
      sum = sum + (groups.charge ? groups.charge[groups.first[group] + j0 + j] * e : e);
    }
    __syncthreads();
  }
  if (there) sums[(walker * groups.count + group) * count + g] = sum;
}

// rho += q (e^{iG.rnew} - e^{iG.rele}) of the electron that moved.
__global__ void __launch_bounds__(block_threads)
    move_electron(Reciprocal cell, Powers powers, const Wave* waves, int count, Positions p, int channels, int channel,
                  const double* charge, const int* accept, Complex* rhok) {
  SUITE_GPU_DYNAMIC_SHARED(Complex, tables);
  const int64_t walker = blockIdx.x;
  if (accept && accept[walker] == 0) return;
  fill_tables(cell, powers, p.position(0, walker), 1, tables, thread(), block_threads);
  fill_tables(cell, powers, p.of_walker(walker) + 3 * p.which, 1, tables + powers.width, thread(), block_threads);
  __syncthreads();
  Complex* const rho = rhok + (walker * channels + channel) * count;
  const double q = charge ? charge[p.which] : 1;
  for (int g = thread(); g < count; g += block_threads)
    rho[g] = rho[g] + q * (wave_at(powers, tables, waves[g]) - wave_at(powers, tables + powers.width, waves[g]));
}

class StructureFactorGpu : public OnGpu {
public:
  using OnGpu::OnGpu;

  void prepare(const suite_array* arguments) {
    const StructureFactor c(arguments);
    queue_.select();
    cell_.prepare(queue_, c.cell);
    nele_ = on_host<int32_t>(queue_, c.nele);
    const std::vector<int32_t> n = on_host<int32_t>(queue_, c.gvec);
    check_vectors("gvec", n.data(), c.ngvec());
    waves_.set(queue_, n);
  }

  void execute(const suite_array* arguments) {
    const StructureFactor c(arguments);
    queue_.select();
    check_addresses<StructureFactor>(arguments);
    const Electrons electrons = electrons_of(c.rele, nele_.data());
    const Moved moved = check_structure_factor(c);
    const Positions p = positions_of(c, moved, electrons.nup);
    Complex* const rhok = device_data<Complex>(c.rhok);
    const bool by_spin = c.nchannel() == 2;
    const double* const charge = c.charge.data();
    if (!moved.one) {
      Groups groups = by_spin ? spins(p.nup, p.netot) : Groups{1, {0, 0}, {p.netot, 0}, nullptr};
      groups.charge = charge;
      sum_waves(queue_, cell_.reciprocal(), waves_.powers(), waves_.data(), waves_.count(), p.rele, p.netot, p.nwalker, groups, rhok);
      return;
    }
    SUITE_GPU_LAUNCH(move_electron, grid_of(p.nwalker), block_threads, 2 * static_cast<size_t>(waves_.powers().width) * sizeof(Complex),
                     queue_.stream(), cell_.reciprocal(), waves_.powers(), waves_.data(), waves_.count(), p, by_spin ? 2 : 1,
                     by_spin ? electrons.spin(moved.which) : 0, charge, c.accept.data(), rhok);
  }

private:
  Cell cell_;
  WaveList waves_{queue_, "the list of gvec"};
  std::vector<int32_t> nele_;
};

}  // namespace

void sum_waves(const gpu::Queue& queue, const Reciprocal& cell, const Powers& powers, const Wave* waves, int count, const double* rele,
               int netot, int64_t nwalker, const Groups& groups, Complex* sums) {
  if (count == 0) return;
  const size_t of_one = static_cast<size_t>(powers.width) * sizeof(Complex);
  const int at_a_time = static_cast<int>(std::clamp<size_t>(table_bytes / of_one, 1, 32));
  const int tiles = (count + block_threads - 1) / block_threads;
  SUITE_GPU_LAUNCH(sum_phases, grid_of(nwalker * groups.count * tiles), block_threads, static_cast<size_t>(at_a_time) * of_one,
                   queue.stream(), cell, powers, waves, count, rele, netot, groups, tiles, at_a_time, sums);
}

const suite_kernel_table* structure_factor_table() { return gpu_table<StructureFactor, StructureFactorGpu>(); }

}  // namespace suite::qmc
