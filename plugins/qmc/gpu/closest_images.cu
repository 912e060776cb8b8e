// SPDX-License-Identifier: BSD-3-Clause
// qmc.closest_images on a GPU: a thread for each pair, which writes its four numbers in two pieces.
#include "call.hpp"

namespace suite::qmc {
namespace {

constexpr int image_threads = 256;

// Into the cell of the short basis, then the shortest of the 27 images around.
__device__ __forceinline__ void search_image(const ImageRule& rule, double& x, double& y, double& z) {
  const double(&v)[3][3] = rule.basis;
  SUITE_GPU_UNROLL
  for (int i = 0; i < 3; ++i) {
    const double(&inverse)[3] = rule.inverse[i];
    const double n = ::rint(inverse[0] * x + inverse[1] * y + inverse[2] * z);
    x -= n * v[i][0];
    y -= n * v[i][1];
    z -= n * v[i][2];
  }
  double shortest = 1e300, best[3] = {x, y, z};
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j)
      for (int k = -1; k <= 1; ++k) {
        const double a = x + i * v[0][0] + j * v[1][0] + k * v[2][0], b = y + i * v[0][1] + j * v[1][1] + k * v[2][1],
                     c = z + i * v[0][2] + j * v[1][2] + k * v[2][2];
        const double square = a * a + b * b + c * c;
        if (square < shortest) {
          shortest = square;
          best[0] = a;
          best[1] = b;
          best[2] = c;
        }
      }
  x = best[0];
  y = best[1];
  z = best[2];
}

template <ImageStep step, LatticeKind kind>
__global__ void __launch_bounds__(image_threads)
    find_images(ImageRule rule, const double* rfrom, const double* rto, unsigned nfrom, unsigned nto, int64_t count, double2* eevecs) {
  const int64_t pair = static_cast<int64_t>(blockIdx.x) * image_threads + threadIdx.x;
  if (pair >= count) return;
  const int64_t row = pair / nto, walker = row / nfrom;  // row: of rfrom, over all walkers
  const double *const to = rto + 3 * (walker * nto + (pair - row * nto)), *const from = rfrom + 3 * row;
  double x = to[0] - from[0], y = to[1] - from[1], z = to[2] - from[2];
  if constexpr (step == ImageStep::search) search_image(rule, x, y, z);
  else closest_image<kind>(rule, x, y, z);
  eevecs[2 * pair] = make_double2(x, y);
  eevecs[2 * pair + 1] = make_double2(z, ::sqrt(x * x + y * y + z * z));
}

class ClosestImagesGpu {
public:
  static constexpr suite_parameter parameters[] = {parameter::image_variant};
  ClosestImagesGpu(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : step_(static_cast<ImageStep>(p[0])), queue_(backend, queue) {}

  void prepare(const suite_array* arguments) {
    const ClosestImages c(arguments);
    queue_.select();
    cell_.prepare(queue_, c.cell);
  }

  void execute(const suite_array* arguments) {
    const ClosestImages c(arguments);
    queue_.select();
    if (reinterpret_cast<uintptr_t>(c.eevecs.data()) % sizeof(double2) != 0)
      throw Failure(SUITE_INVALID_ARGUMENT, "eevecs lies at an address that is not a multiple of 16 bytes");
    const auto run = [&](auto kernel) {
      const int64_t count = c.nto() * c.nfrom() * c.nwalker();
      SUITE_GPU_LAUNCH(kernel, grid_of((count + image_threads - 1) / image_threads), image_threads, 0, queue_.stream(),
                       cell_.lattice().images, c.rfrom.data(), c.rto.data(), c.nfrom(), c.nto(), count, device_data<double2>(c.eevecs));
    };
    if (step_ == ImageStep::search) return run(find_images<ImageStep::search, LatticeKind::general>);
    const LatticeKind kind = step_ == ImageStep::relevant ? LatticeKind::general : cell_.lattice().images.kind;
    by_kind(kind, [&](auto k) { run(find_images<ImageStep::best, decltype(k)::value>); });
  }

private:
  ImageStep step_;
  gpu::Queue queue_;
  Cell cell_;
};

}  // namespace

const suite_kernel_table* closest_images_table() { return gpu_table<ClosestImages, ClosestImagesGpu>(); }

}  // namespace suite::qmc
