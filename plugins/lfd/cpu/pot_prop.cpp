// SPDX-License-Identifier: BSD-3-Clause
// lfd.pot_prop: each row of orbitals times the phase of its point.
#include "kernels.hpp"
#include "rows.hpp"

namespace suite::lfd {
namespace {

class Cpu : public cpu::WithThreads<> {
public:
  using WithThreads::WithThreads;

  void execute(const suite_array* a) {
    const PotProp c(a);
    const Grid g = orbital_grid(c.psi);
    by_precision(c.psi.array(), [&](auto type) {
      using T = decltype(type);
      T* const psi = pairs(c.psi.as<complex_of<T>>().data());
      const T* const u = pairs(c.u.as<complex_of<T>>().data());
      const int64_t row = 2 * g.norb;
      in_parallel(threads_, g.points(), 65536 / row + 1, [&](int64_t begin, int64_t end) {
        for (int64_t p = begin; p < end; ++p) {
          const T re = u[2 * p];
          const Vector<T> im = alternating(u[2 * p + 1]);
          T* const x = psi + p * row;
          each_vector<T>(
              row, [&](auto vector, int64_t i) __attribute__((always_inline)) {
                using V = decltype(vector);
                const V old = load_as<V>(x + i), turned = re * old + load_as<V>(&im) * exchange_parts(old);
                std::memcpy(x + i, &turned, sizeof turned);
              });
        }
      });
    });
  }
};

}  // namespace

extern const suite_kernel_table pot_prop_table;
constexpr suite_kernel_table pot_prop_table = kernel_table<PotProp, Cpu>("cpu", "cpu");

}  // namespace suite::lfd
