// SPDX-License-Identifier: BSD-3-Clause
// qmc.slater_ratio: sums over the orbitals with the column of dbar as it is with the moves that wait.
#include "windows.hpp"

namespace suite::qmc {
namespace {

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {threads_parameter};
  Cpu(const suite_backend*, suite_queue*, const int64_t* p) : threads_(p[0]) {}

  void execute(const suite_array* arguments) {
    const SlaterRatio c(arguments);
    const SlaterMove move = check_slater_ratio(c);
    const int64_t n = c.n(), npos = c.npos(), nwalker = c.nwalker();
    const Windows windows(c, has_delayed(c));
    const int team = useful_threads(threads_, nwalker * npos, 20 + 0.2 * real(n));
    const int64_t column_size = padded(n);
    scratch_.reserve(team, column_size + inverse_scratch(n, windows.kmax()) + windows.electrons_size());
    share(team, nwalker * npos, [&](int64_t begin, int64_t end, int thread) {
      double *const column = scratch_.of(thread), *const work = column + column_size;
      int64_t has_w = -1, has_j = -1;
      for (int64_t item = begin; item < end; ++item) {
        const int64_t w = item / npos, j = move.one ? move.which : item % npos;
        if (w != has_w || j != has_j) {
          const double* const dbar = c.dbar.data() + n * n * w;
          double* const electrons = work + inverse_scratch(n, windows.kmax());
          current_column(windows.of(w, electrons), dbar, j, column, work);
          has_w = w;
          has_j = j;
        }
        const double ratio = dot(column, c.phi.data() + n * item, n);
        c.ratio.data()[item] = ratio;
        if (double* const drift = c.drift.data())
          for (int64_t d = 0; d < 3; ++d) drift[3 * item + d] = dot(column, c.dphi.data() + n * (3 * item + d), n) / ratio;
        if (double* const laplacian = c.laplacian.data()) laplacian[item] = dot(column, c.d2phi.data() + n * item, n) / ratio;
      }
    });
  }

private:
  int64_t threads_;
  Scratch scratch_;
};

}  // namespace

extern const suite_kernel_table slater_ratio_table;
constexpr suite_kernel_table slater_ratio_table = kernel_table<SlaterRatio, Cpu>("cpu", "cpu");

}  // namespace suite::qmc
