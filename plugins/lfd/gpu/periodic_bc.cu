// SPDX-License-Identifier: BSD-3-Clause
// lfd.periodic_bc on a GPU: each row of a face by one section of lanes.
#include "call.hpp"

namespace suite::lfd {
namespace {

// A row of a face, from the other side of the grid. n: points with ghosts; d: the direction of the faces.
template <class T>
__global__ void __launch_bounds__(row_threads) copy_faces(Number<T>* psi, int d, int nx, int ny, int nz, int norb, int shift) {
  const Lane lane = row_lane(shift);
  const int extent[3] = {nx, ny, nz};
  const int e = d == 0 ? 1 : 0, f = d == 2 ? 1 : 2, across = extent[f] - 2;
  if (lane.row >= int64_t{2} * (extent[e] - 2) * across) return;
  const int upper = static_cast<int>(lane.row % 2), rest = static_cast<int>(lane.row / 2);
  int to[3], from[3];
  SUITE_GPU_UNROLL
  for (int c = 0; c < 3; ++c) {
    const int other = c == e ? 1 + rest / across : 1 + rest % across;
    to[c] = c != d ? other : upper ? extent[d] - 1 : 0;
    from[c] = c != d ? other : upper ? 1 : extent[d] - 2;
  }
  Number<T>* const ghost = psi + ((static_cast<int64_t>(to[0]) * ny + to[1]) * nz + to[2]) * norb;
  const Number<T>* const row = psi + ((static_cast<int64_t>(from[0]) * ny + from[1]) * nz + from[2]) * norb;
  for (int n = lane.first; n < norb; n += lane.width) ghost[n] = row[n];
}

class PeriodicBcGpu : public OnGpu<PeriodicBc> {
public:
  using OnGpu::OnGpu;
  void execute(const suite_array* a) {
    const PeriodicBc c = begin(a);
    const int64_t norb = c.psi.extent(0), n[] = {c.psi.extent(3), c.psi.extent(2), c.psi.extent(1)};
    const int shift = row_shift(norb);
    by_precision(c.psi.array(), [&](auto type) {
      using T = decltype(type);
      for (int d = 0; d < 3; ++d) {
        const int64_t rows = 2 * (d == 0 ? 1 : n[0] - 2) * (d == 1 ? 1 : n[1] - 2) * (d == 2 ? 1 : n[2] - 2);
        if (rows > 0)
          SUITE_GPU_LAUNCH(copy_faces<T>, row_blocks(rows, shift), row_threads, 0, queue_.stream(), device_data<Number<T>>(c.psi), d, n[0],
                           n[1], n[2], norb, shift);
      }
    });
  }
};

}  // namespace

const suite_kernel_table* periodic_bc_table() { return gpu_table<PeriodicBc, PeriodicBcGpu>(); }

}  // namespace suite::lfd
