// SPDX-License-Identifier: BSD-3-Clause
// qmc.slater_ratio: D(new)/D = sum_a dbar(a,i) phi_a(new), with the column of dbar as the moves that wait
// make it.
#include "slater.hpp"

namespace suite::qmc::reference {

Local slater_sum(const std::vector<Local>& phi, const double* column) {
  Local sum;
  for (size_t a = 0; a < phi.size(); ++a) {
    sum.value += column[a] * phi[a].value;
    sum.laplacian += column[a] * phi[a].laplacian;
    for (int d = 0; d < 3; ++d) sum.gradient.x[d] += column[a] * phi[a].gradient.x[d];
  }
  return sum;
}

// With M the inverse matrix of which dbar has the rows as columns, E the unit vectors of the electrons that
// wait, and V their new columns, M' = M - (M V - E) B^-1 E^T M.
std::vector<double> Window::column(const double* dbar, int64_t i) const {
  std::vector<double> result(dbar + n * i, dbar + n * (i + 1));
  for (int64_t l = 0; l < count(); ++l) {
    double t = electron[1 + l] == i + 1 ? -1 : 0;
    for (int64_t b = 0; b < n; ++b) t += dbar[b + n * i] * phi[b + n * l];
    for (int64_t m = 0; m < count(); ++m)
      for (int64_t a = 0; a < n; ++a) result[a] -= t * binv[l + kmax * m] * columns[a + n * m];
  }
  return result;
}

namespace {

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}

  void execute(const suite_array* arguments) {
    const SlaterRatio c(arguments);
    const SlaterMove move = check_slater_ratio(c);
    const bool delayed = has_delayed(c);
    for (int64_t w = 0; w < c.nwalker(); ++w) {
      const Window window = window_of(delayed, c, w);
      for (int64_t m = 0; m < c.npos(); ++m) {
        const std::vector<double> column = window.column(&c.dbar(0, 0, w), move.one ? move.which : m);
        std::vector<Local> orbitals(static_cast<size_t>(c.n()));
        for (int64_t a = 0; a < c.n(); ++a) {
          orbitals[a].value = c.phi(a, m, w);
          if (c.d2phi) orbitals[a].laplacian = c.d2phi(a, m, w);
          for (int d = 0; d < 3 && c.dphi; ++d) orbitals[a].gradient.x[d] = c.dphi(a, d, m, w);
        }
        const Local sum = slater_sum(orbitals, column.data());
        c.ratio(m, w) = sum.value;
        if (c.laplacian) c.laplacian(m, w) = sum.laplacian / sum.value;
        for (int d = 0; d < 3 && c.drift; ++d) c.drift(d, m, w) = sum.gradient.x[d] / sum.value;
      }
    }
  }
};

}  // namespace

extern const suite_kernel_table slater_ratio_table;
constexpr suite_kernel_table slater_ratio_table = kernel_table<SlaterRatio, Reference>("reference", "cpu");

}  // namespace suite::qmc::reference
