// SPDX-License-Identifier: BSD-3-Clause
// qmc.slater_update. At once: Sherman and Morrison, Ann. Math. Stat. 21, 124 (1950). With a window: moves
// wait, and B^-1 is made anew for each, until dbar takes them all.
#include <algorithm>

#include "slater.hpp"

namespace suite::qmc::reference {

double sherman_morrison(double* dbar, int64_t n, int64_t i, const double* phi, int64_t walker, int64_t move) {
  const auto times_phi = [&](int64_t j) {
    double sum = 0;
    for (int64_t a = 0; a < n; ++a) sum += dbar[a + n * j] * phi[a];
    return sum;
  };
  const double ratio = times_phi(i);
  check_ratio(ratio, walker, move);
  for (int64_t j = 0; j < n; ++j) {
    if (j == i) continue;
    const double factor = times_phi(j) / ratio;
    for (int64_t a = 0; a < n; ++a) dbar[a + n * j] -= factor * dbar[a + n * i];
  }
  for (int64_t a = 0; a < n; ++a) dbar[a + n * i] /= ratio;
  return ratio;
}

namespace {

// B(l,m) = sum_a columns(a,l) phi(a,m) at l + count m.
std::vector<double> overlaps(const Window& window) {
  const int64_t n = window.n, count = window.count();
  std::vector<double> B(static_cast<size_t>(count * count));
  for (int64_t l = 0; l < count; ++l)
    for (int64_t m = 0; m < count; ++m)
      for (int64_t a = 0; a < n; ++a) B[l + count * m] += window.columns[a + n * l] * window.phi[a + n * m];
  return B;
}

// dbar takes the moves that wait; the window is empty, all of it 0. Each column is dbar_i - sum_m d_m
// columns_m with sum_m d_m B(m,l) = t_l, solved with pivots: an inverse of B multiplied with t has lost more
// digits.
void flush(double* dbar, const Window& window) {
  const int64_t n = window.n, kmax = window.kmax, count = window.count();
  const std::vector<double> B = overlaps(window);
  for (int64_t i = 0; i < n && count > 0; ++i) {
    std::vector<double> d(static_cast<size_t>(count));
    for (int64_t l = 0; l < count; ++l) {
      d[l] = window.electron[1 + l] == i + 1 ? -1 : 0;
      for (int64_t a = 0; a < n; ++a) d[l] += dbar[a + n * i] * window.phi[a + n * l];
    }
    solve(B, d);
    for (int64_t m = 0; m < count; ++m)
      for (int64_t a = 0; a < n; ++a) dbar[a + n * i] -= d[m] * window.columns[a + n * m];
  }
  std::fill_n(window.phi, n * kmax, 0.0);
  std::fill_n(window.columns, n * kmax, 0.0);
  std::fill_n(window.binv, kmax * kmax, 0.0);
  std::fill_n(window.electron, kmax + 1, 0);
}

// Electron i, from 0, joins with its new column.
void join(const double* dbar, const Window& window, int64_t i, const double* phi) {
  const int64_t n = window.n, kmax = window.kmax, count = window.count() + 1;
  std::copy_n(phi, n, window.phi + n * (count - 1));
  std::copy_n(dbar + n * i, n, window.columns + n * (count - 1));
  window.electron[0] = static_cast<int32_t>(count);
  window.electron[count] = static_cast<int32_t>(i + 1);
  // invert_transposed takes B(l,m) at l + count m and gives the inverse's (m,l) there.
  const std::vector<double> B = overlaps(window);
  std::vector<double> inverse(B.size());
  invert_transposed(B.data(), count, inverse.data());
  for (int64_t l = 0; l < count; ++l)
    for (int64_t m = 0; m < count; ++m) window.binv[l + kmax * m] = inverse[m + count * l];
}

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}

  void execute(const suite_array* arguments) {
    using K = SlaterUpdate;
    const View<double, 3> dbar(arguments[K::dbar]);
    const View<const int32_t, 2> ie(arguments[K::ie]);
    const View<const double, 3> phi(arguments[K::phi]);
    const View<double, 2> ratios(arguments[K::ratio]);
    const int64_t n = dbar.extent(0);
    const bool delayed = check_slater_update(arguments);
    for (int64_t w = 0; w < dbar.extent(2); ++w) {
      double* const matrix = &dbar(0, 0, w);
      const Window window = window_of(delayed, arguments + K::delayed_phi, n, w);
      if (!ie) {
        flush(matrix, window);
        continue;
      }
      for (int64_t m = 0; m < ie.extent(0); ++m) {
        check_electron("ie(" + text_of(m + 1) + "," + text_of(w + 1) + ")", ie(m, w), n, true);
        double ratio = 1;
        if (ie(m, w) > 0)
          ratio = delayed ? move(matrix, window, ie(m, w) - 1, &phi(0, m, w), w, m)
                          : sherman_morrison(matrix, n, ie(m, w) - 1, &phi(0, m, w), w, m);
        if (ratios) ratios(m, w) = ratio;
      }
    }
  }

private:
  static double move(double* dbar, const Window& window, int64_t i, const double* phi, int64_t walker,
                     int64_t m) {
    const std::vector<double> column = window.column(dbar, i);
    double ratio = 0;
    for (int64_t a = 0; a < window.n; ++a) ratio += column[a] * phi[a];
    check_ratio(ratio, walker, m);
    const int32_t* const first = window.electron + 1;
    if (std::find(first, first + window.count(), i + 1) != first + window.count()) flush(dbar, window);
    join(dbar, window, i, phi);
    if (window.count() == window.kmax) flush(dbar, window);
    return ratio;
  }
};

}  // namespace

extern const suite_kernel_table slater_update_table;
constexpr suite_kernel_table slater_update_table = kernel_table<SlaterUpdate, Reference>("reference", "cpu");

}  // namespace suite::qmc::reference
