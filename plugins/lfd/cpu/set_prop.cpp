// SPDX-License-Identifier: BSD-3-Clause
// lfd.set_prop: cos and sin of -v dt/2 in vectors (phases.hpp).
#include "cell_order.hpp"
#include "kernels.hpp"

namespace suite::lfd {
namespace {

class Cpu : public cpu::WithThreads<> {
public:
  using WithThreads::WithThreads;

  void execute(const suite_array* a) {
    const SetProp c(a);
    check_precision("v", c.v, "u", c.u);
    const int64_t points = field_grid(c.v).points();
    const double factor = -0.5 * c.dt;
    by_precision(c.v.array(), [&](auto type) {
      using T = decltype(type);
      const T* const v = c.v.as<real_of<T>>().data();
      T* const u = pairs(c.u.as<complex_of<T>>().data());
      in_parallel(threads_, points, 4096, [&](int64_t begin, int64_t end) {
        const double none[lanes<T>] = {};
        for (int64_t p = begin; p < end; p += lanes<T>) {
          const size_t there = static_cast<size_t>(std::min<int64_t>(lanes<T>, end - p));
          Vector<T> x{}, re, im;
          std::memcpy(&x, v + p, there * sizeof(T));
          cos_sin(factor, x, none, re, im);
          T phases[2 * lanes<T>];
          interleave(phases, re, im);
          std::memcpy(u + 2 * p, phases, 2 * there * sizeof(T));
        }
      });
    });
  }
};

}  // namespace

extern const suite_kernel_table set_prop_table;
constexpr suite_kernel_table set_prop_table = kernel_table<SetProp, Cpu>("cpu", "cpu");

}  // namespace suite::lfd
