// SPDX-License-Identifier: BSD-3-Clause
// qmc.slater_invert by elimination with pivots.
#include "kernels.hpp"

namespace suite::qmc::reference {
namespace {

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}

  void execute(const suite_array* arguments) {
    const SlaterInvert c(arguments);
    for (int64_t w = 0; w < c.nwalker(); ++w) {
      const Determinant determinant = invert_transposed(&c.phi(0, 0, w), c.n(), &c.dbar(0, 0, w));
      check_determinant(determinant.sign, w);
      if (c.logdet) c.logdet(w) = determinant.log;
      if (c.sign) c.sign(w) = determinant.sign;
    }
  }
};

}  // namespace

extern const suite_kernel_table slater_invert_table;
constexpr suite_kernel_table slater_invert_table = kernel_table<SlaterInvert, Reference>("reference", "cpu");

}  // namespace suite::qmc::reference
