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
    using K = SetProp;
    check_precision("v", a[K::v], "u", a[K::u]);
    const int64_t points = field_grid(a[K::v]).points();
    const double factor = -0.5 * *numbers<double>(a[K::dt]);
    by_precision(a[K::v], [&](auto type) {
      using T = decltype(type);
      const T* const v = numbers<T>(a[K::v]);
      T* const u = results<T>(a[K::u]);
      in_parallel(threads_, points, 4096, [&](int64_t begin, int64_t end) {
        const double none[lanes<T>] = {};
        for (int64_t p = begin; p < end; p += lanes<T>) {
          const size_t there = static_cast<size_t>(std::min<int64_t>(lanes<T>, end - p));
          Vector<T> x{}, c, s;
          std::memcpy(&x, v + p, there * sizeof(T));
          cos_sin(factor, x, none, c, s);
          T pairs[2 * lanes<T>];
          interleave(pairs, c, s);
          std::memcpy(u + 2 * p, pairs, 2 * there * sizeof(T));
        }
      });
    });
  }
};

}  // namespace

extern const suite_kernel_table set_prop_table;
constexpr suite_kernel_table set_prop_table = kernel_table<SetProp, Cpu>("cpu", "cpu");

}  // namespace suite::lfd
