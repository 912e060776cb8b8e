// SPDX-License-Identifier: BSD-3-Clause
#include "shells.cuh"

namespace suite::qmc {
namespace {

struct Slater {
  using Call = OrbitalsSlater;
  template <bool derivatives>
  static __device__ __forceinline__ shells::RadialPart radial(const shells::DeviceBasis& basis, const shells::DeviceShell& shell,
                                                              double r2) {
    const double r = ::sqrt(r2), inverse = r > 0 ? 1 / r : 0;
    shells::RadialPart f;
    for (int k = shell.first; k < shell.end; ++k) {
      const int n = basis.power[k];
      double whole = 1, one_less = inverse, two_less = 0;  // r^n, r^(n-1) and, where n > 0, r^(n-2); 0 for 1/r at the ion
      for (int i = 0; i < n; ++i) {
        two_less = one_less;
        one_less = whole;
        whole *= r;
      }
      const double g = basis.exponent[k], e = basis.coefficient[k] * ::exp(-g * r);
      f.R += e * whole;
      if constexpr (derivatives) {
        f.D += e * (n * two_less - g * one_less);
        f.B += e * (g * (g * whole - 2 * (n + shell.l + 1) * one_less) + n * (n + 2 * shell.l + 1) * two_less);
      }
    }
    return f;
  }
};

}  // namespace

const suite_kernel_table* orbitals_slater_table() { return gpu_table<OrbitalsSlater, shells::OrbitalsOnGpu<Slater>>(); }

}  // namespace suite::qmc
