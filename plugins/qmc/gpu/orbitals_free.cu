// SPDX-License-Identifier: BSD-3-Clause
// qmc.orbitals_free on a GPU: a warp has a position and writes its orbitals one after the other; powers of
// three exponentials in shared memory.
#include "call.hpp"

namespace suite::qmc {
namespace {

struct FreeOrbitals {
  double *phi, *dphi, *d2phi;  // the last two may be null
};

__global__ void __launch_bounds__(block_threads) write_waves(Reciprocal cell, Powers powers, const Wave* waves, int norb, const double* r,
                                                             int64_t count, int at_a_time, FreeOrbitals out) {
  SUITE_GPU_DYNAMIC_SHARED(Complex, tables);
  const int64_t first = static_cast<int64_t>(blockIdx.x) * at_a_time;
  const int some = static_cast<int>(count - first < at_a_time ? count - first : at_a_time);
  fill_tables(cell, powers, r + 3 * first, some, tables, thread(), block_threads);
  __syncthreads();
  for (int m = warp_number(); m < some; m += warps_of_block()) {
    const int64_t position = first + m;
    double* const phi = out.phi + position * norb;
    double* const gradient = out.dphi ? out.dphi + 3 * position * norb : nullptr;
    double* const laplacian = out.d2phi ? out.d2phi + position * norb : nullptr;
    for (int a = gpu::lane(); a < norb; a += warpSize) {
      if (a == 0) {
        phi[0] = 1;
        for (int d = 0; d < 3 && gradient; ++d) gradient[d * norb] = 0;
        if (laplacian) laplacian[0] = 0;
        continue;
      }
      const Wave wave = waves[(a - 1) / 2];
      const Complex e = wave_at(powers, tables + m * powers.width, wave);
      const double value = a % 2 ? e.re : e.im, slope = a % 2 ? -e.im : e.re;
      phi[a] = value;
      if (!gradient && !laplacian) continue;
      double k[3];
      wave_vector(cell, wave, k);
      for (int d = 0; d < 3 && gradient; ++d) gradient[d * norb + a] = slope * k[d];
      if (laplacian) laplacian[a] = -(k[0] * k[0] + k[1] * k[1] + k[2] * k[2]) * value;
    }
  }
}

class OrbitalsFreeGpu : public OnGpu {
public:
  using OnGpu::OnGpu;

  void prepare(const suite_array* arguments) {
    const OrbitalsFree c(arguments);
    queue_.select();
    cell_.prepare(queue_, c.cell);
    const std::vector<int32_t> n = on_host<int32_t>(queue_, c.kvec);
    check_orbitals(c.norb(), c.nkvec(), n.data());
    waves_.set(queue_, n);
  }

  void execute(const suite_array* arguments) {
    const OrbitalsFree c(arguments);
    queue_.select();
    constexpr int64_t table_bytes = 16 * 1024;
    const Powers& powers = waves_.powers();
    const int64_t of_one = powers.width * static_cast<int64_t>(sizeof(Complex));
    const int64_t count = c.positions();
    const int64_t at_a_time = std::clamp<int64_t>(table_bytes / of_one, 1, 2 * most_warps);
    SUITE_GPU_LAUNCH(write_waves, grid_of((count + at_a_time - 1) / at_a_time), block_threads, static_cast<size_t>(at_a_time * of_one),
                     queue_.stream(), cell_.reciprocal(), powers, waves_.data(), c.norb(), c.r.data(), count, at_a_time,
                     FreeOrbitals{c.phi.data(), c.dphi.data(), c.d2phi.data()});
  }

private:
  Cell cell_;
  WaveList waves_{queue_, "the list of kvec"};
};

}  // namespace

const suite_kernel_table* orbitals_free_table() { return gpu_table<OrbitalsFree, OrbitalsFreeGpu>(); }

}  // namespace suite::qmc
