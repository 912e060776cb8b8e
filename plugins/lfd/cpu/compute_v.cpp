// SPDX-License-Identifier: BSD-3-Clause
// lfd.compute_v: v = vloc + vH + vxc + E.r.
#include "kernels.hpp"

namespace suite::lfd {
namespace {

class Cpu : public cpu::WithThreads<> {
public:
  using WithThreads::WithThreads;

  void execute(const suite_array* a) {
    const ComputeV c(a);
    const Grid g = field_grid(c.vloc, c.h.data());
    const Three E = three_or_zero(c.E);
    const auto along = [&](int d, int64_t i) { return E.x[d] * static_cast<double>(i - g.n[d] / 2) * g.h[d]; };
    by_precision(c.vloc.array(), [&](auto type) {
      using T = decltype(type);
      const T *const vloc = c.vloc.as<real_of<T>>().data(), *const vH = c.vH.as<real_of<T>>().data(),
                     *const vxc = c.vxc.as<real_of<T>>().data();
      T* const v = c.v.as<real_of<T>>().data();
      const int64_t nz = g.n[2];
      in_parallel(threads_, g.n[0] * g.n[1], 16384 / nz + 1, [&](int64_t begin, int64_t end) {
        for (int64_t line = begin; line < end; ++line) {
          const double start = along(0, line / g.n[1]) + along(1, line % g.n[1]);
          const int64_t p = line * nz;
          for (int64_t k = 0; k < nz; ++k) {
            const double local = static_cast<double>(vloc[p + k]) + static_cast<double>(vH[p + k]);
            v[p + k] = static_cast<T>(local + (vxc ? static_cast<double>(vxc[p + k]) : 0) + (start + along(2, k)));
          }
        }
      });
    });
  }
};

}  // namespace

extern const suite_kernel_table compute_v_table;
constexpr suite_kernel_table compute_v_table = kernel_table<ComputeV, Cpu>("cpu", "cpu");

}  // namespace suite::lfd
