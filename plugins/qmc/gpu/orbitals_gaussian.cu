// SPDX-License-Identifier: BSD-3-Clause
#include "shells.cuh"

namespace suite::qmc {
namespace {

struct Gaussian {
  using Call = OrbitalsGaussian;
  template <bool derivatives>
  static __device__ __forceinline__ shells::RadialPart radial(const shells::DeviceBasis& basis, const shells::DeviceShell& shell,
                                                              double r2) {
    shells::RadialPart f;
    for (int k = shell.first; k < shell.end; ++k) {
      const double g = basis.exponent[k], e = basis.coefficient[k] * ::exp(-g * r2);
      f.R += e;
      if constexpr (derivatives) {
        f.D -= 2 * g * e;
        f.B += 4 * g * g * e;
      }
    }
    f.B = f.B * r2 + (2 * shell.l + 3) * f.D;
    return f;
  }
};

}  // namespace

const suite_kernel_table* orbitals_gaussian_table() { return gpu_table<OrbitalsGaussian, shells::OrbitalsOnGpu<Gaussian>>(); }

}  // namespace suite::qmc
