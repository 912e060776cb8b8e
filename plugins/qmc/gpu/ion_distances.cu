// SPDX-License-Identifier: BSD-3-Clause
// qmc.ion_distances on a GPU: a thread for each pair, which writes its four numbers in two pieces.
#include "ions.cuh"

namespace suite::qmc {
namespace {

template <class Images>
__global__ void __launch_bounds__(block_threads)
    find_ions(Images images, const double* r, const double* rion, unsigned nion, int64_t count, double2* eivecs) {
  const int64_t pair = static_cast<int64_t>(blockIdx.x) * block_threads + thread();
  if (pair >= count) return;
  const int64_t position = pair / nion;
  double d[3];
  const double distance = images.from_ion(r + 3 * position, rion + 3 * (pair - position * nion), d);
  eivecs[2 * pair] = make_double2(d[0], d[1]);
  eivecs[2 * pair + 1] = make_double2(d[2], distance);
}

class IonDistancesGpu : public OnGpu {
public:
  using OnGpu::OnGpu;

  void prepare(const suite_array* arguments) {
    const IonDistances c(arguments);
    queue_.select();
    cell_.prepare_or_open(queue_, c.cell);
  }

  void execute(const suite_array* arguments) {
    const IonDistances c(arguments);
    queue_.select();
    if (reinterpret_cast<uintptr_t>(c.eivecs.data()) % sizeof(double2) != 0)
      throw Failure(SUITE_INVALID_ARGUMENT, "eivecs lies at an address that is not a multiple of 16 bytes");
    const int64_t count = c.nion() * c.positions();
    by_images(cell_.lattice_or_open(), [&](auto images) {
      SUITE_GPU_LAUNCH(find_ions<decltype(images)>, grid_of((count + block_threads - 1) / block_threads), block_threads, 0, queue_.stream(),
                       images, c.r.data(), c.rion.data(), c.nion(), count, device_data<double2>(c.eivecs));
    });
  }

private:
  Cell cell_;
};

}  // namespace

const suite_kernel_table* ion_distances_table() { return gpu_table<IonDistances, IonDistancesGpu>(); }

}  // namespace suite::qmc
