// SPDX-License-Identifier: BSD-3-Clause
// lfd.compute_rho on a GPU: each row of orbitals by one section of lanes, added in double.
#include "call.hpp"

namespace suite::lfd {
namespace {

template <class T>
__global__ void __launch_bounds__(row_threads)
    sum_rows(const Number<T>* psi, const double* f, int64_t points, int norb, int shift, T* rho) {
  const Lane lane = row_lane(shift);
  const bool there = lane.row < points;
  double sum = 0;
  if (there) {
    const Number<T>* const row = psi + lane.row * norb;
    for (int n = lane.first; n < norb; n += lane.width) {
      const double re = row[n].re, im = row[n].im;
      sum += f[n] * (re * re + im * im);
    }
  }
  sum = section_sum(sum, lane.width);
  if (there && lane.first == 0) rho[lane.row] = static_cast<T>(sum);
}

class ComputeRhoGpu : public OnGpu<ComputeRho> {
public:
  using OnGpu::OnGpu;
  void execute(const suite_array* a) {
    const ComputeRho c = begin(a);
    check_precision("psi", c.psi, "rho", c.rho);
    const Grid g = orbital_grid(c.psi);
    const int shift = row_shift(g.norb);
    by_precision(c.psi.array(), [&](auto type) {
      using T = decltype(type);
      SUITE_GPU_LAUNCH(sum_rows<T>, row_blocks(g.points(), shift), row_threads, 0, queue_.stream(), device_data<Number<T>>(c.psi),
                       c.f.data(), g.points(), g.norb, shift, device_data<T>(c.rho));
    });
  }
};

}  // namespace

const suite_kernel_table* compute_rho_table() { return gpu_table<ComputeRho, ComputeRhoGpu>(); }

}  // namespace suite::lfd
