// SPDX-License-Identifier: BSD-3-Clause
// qmc.slater_invert by elimination with pivots.
#include "kernels.hpp"

namespace suite::qmc::reference {
namespace {

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}

  void execute(const suite_array* arguments) {
    using K = SlaterInvert;
    const View<const double, 3> phi(arguments[K::phi]);
    const View<double, 3> dbar(arguments[K::dbar]);
    const View<double, 1> logdet(arguments[K::logdet]), sign(arguments[K::sign]);
    for (int64_t w = 0; w < phi.extent(2); ++w) {
      const Determinant determinant = invert_transposed(&phi(0, 0, w), phi.extent(0), &dbar(0, 0, w));
      check_determinant(determinant.sign, w);
      if (logdet) logdet(w) = determinant.log;
      if (sign) sign(w) = determinant.sign;
    }
  }
};

}  // namespace

extern const suite_kernel_table slater_invert_table;
constexpr suite_kernel_table slater_invert_table = kernel_table<SlaterInvert, Reference>("reference", "cpu");

}  // namespace suite::qmc::reference
