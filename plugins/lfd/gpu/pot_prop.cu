// SPDX-License-Identifier: BSD-3-Clause
// lfd.pot_prop on a GPU: each row of orbitals by one section of lanes.
#include "call.hpp"

namespace suite::lfd {
namespace {

template <class T>
__global__ void __launch_bounds__(row_threads) turn_rows(Number<T>* psi, const Number<T>* u, int64_t points, int norb, int shift) {
  const Lane lane = row_lane(shift);
  if (lane.row >= points) return;
  const Number<T> phase = u[lane.row];
  Number<T>* const row = psi + lane.row * norb;
  for (int n = lane.first; n < norb; n += lane.width) row[n] = row[n] * phase;
}

class PotPropGpu : public OnGpu<PotProp> {
public:
  using OnGpu::OnGpu;
  void execute(const suite_array* a) {
    const PotProp c = begin(a);
    const Grid g = orbital_grid(c.psi);
    const int shift = row_shift(g.norb);
    by_precision(c.psi.array(), [&](auto type) {
      using T = decltype(type);
      SUITE_GPU_LAUNCH(turn_rows<T>, row_blocks(g.points(), shift), row_threads, 0, queue_.stream(), device_data<Number<T>>(c.psi),
                       device_data<Number<T>>(c.u), g.points(), g.norb, shift);
    });
  }
};

}  // namespace

const suite_kernel_table* pot_prop_table() { return gpu_table<PotProp, PotPropGpu>(); }

}  // namespace suite::lfd
