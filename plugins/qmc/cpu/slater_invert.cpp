// SPDX-License-Identifier: BSD-3-Clause
// qmc.slater_invert: Gauss-Jordan elimination with pivots in panels of columns, so that nearly all of its 2
// n^3 operations are products of matrices (inverse.cpp).
#include "inverse.hpp"
#include "kernels.hpp"

namespace suite::qmc {
namespace {

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {threads_parameter};
  Cpu(const suite_backend*, suite_queue*, const int64_t* p) : threads_(p[0]) {}

  void execute(const suite_array* arguments) {
    const SlaterInvert c(arguments);
    const int64_t n = c.n(), nwalker = c.nwalker();
    const int team = useful_threads(threads_, nwalker, 100 + 0.04 * real(n * n * n));
    scratch_.reserve(team, inversion_scratch(n));
    singular_.assign(static_cast<size_t>(nwalker), 0);
    each(team, nwalker, [&](int64_t w, int thread) {
      double logdet, sign;
      if (!invert(c.phi.data() + n * n * w, n, c.dbar.data() + n * n * w, logdet, sign, scratch_.of(thread)))
        singular_[static_cast<size_t>(w)] = 1;
      if (double* const to = c.logdet.data()) to[w] = logdet;
      if (double* const to = c.sign.data()) to[w] = sign;
    });
    for (int64_t w = 0; w < nwalker; ++w) check_determinant(singular_[static_cast<size_t>(w)] ? 0 : 1, w);
  }

private:
  int64_t threads_;
  Scratch scratch_;
  std::vector<char> singular_;
};

}  // namespace

extern const suite_kernel_table slater_invert_table;
constexpr suite_kernel_table slater_invert_table = kernel_table<SlaterInvert, Cpu>("cpu", "cpu");

}  // namespace suite::qmc
