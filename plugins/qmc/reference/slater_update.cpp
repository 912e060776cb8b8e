// SPDX-License-Identifier: BSD-3-Clause
// qmc.slater_update. At once: Sherman and Morrison, Ann. Math. Stat. 21, 124 (1950). With a window: moves
// wait, and B^-1 is computed again for each, until dbar takes them all.
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
void flush(const SlaterUpdate& c, const Window& window, int64_t w) {
  const int64_t n = window.n, kmax = window.kmax, count = window.count();
  const std::vector<double> B = overlaps(window);
  for (int64_t i = 0; i < n && count > 0; ++i) {
    std::vector<double> d(static_cast<size_t>(count));
    for (int64_t l = 0; l < count; ++l) {
      d[l] = window.electron[1 + l] == i + 1 ? -1 : 0;
      for (int64_t a = 0; a < n; ++a) d[l] += c.dbar(a, i, w) * window.phi[a + n * l];
    }
    solve(B, d);
    for (int64_t m = 0; m < count; ++m)
      for (int64_t a = 0; a < n; ++a) c.dbar(a, i, w) -= d[m] * window.columns[a + n * m];
  }
  std::fill_n(&c.delayed_phi(0, 0, w), n * kmax, 0.0);
  std::fill_n(&c.delayed_dbar(0, 0, w), n * kmax, 0.0);
  std::fill_n(&c.delayed_binv(0, 0, w), kmax * kmax, 0.0);
  std::fill_n(&c.delayed_electron(0, w), kmax + 1, 0);
}

// Electron i, from 0, joins with its new column.
void join(const SlaterUpdate& c, const Window& window, int64_t w, int64_t i, const double* phi) {
  const int64_t n = window.n, count = window.count() + 1;
  std::copy_n(phi, n, &c.delayed_phi(0, count - 1, w));
  std::copy_n(&c.dbar(0, i, w), n, &c.delayed_dbar(0, count - 1, w));
  c.delayed_electron(0, w) = static_cast<int32_t>(count);
  c.delayed_electron(count, w) = static_cast<int32_t>(i + 1);
  // invert_transposed takes B(l,m) at l + count m and gives the inverse's (m,l) there.
  const std::vector<double> B = overlaps(window);
  std::vector<double> inverse(B.size());
  invert_transposed(B.data(), count, inverse.data());
  for (int64_t l = 0; l < count; ++l)
    for (int64_t m = 0; m < count; ++m) c.delayed_binv(l, m, w) = inverse[m + count * l];
}

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}

  void execute(const suite_array* arguments) {
    const SlaterUpdate c(arguments);
    const bool delayed = check_slater_update(c);
    check_all(c, delayed);
    for (int64_t w = 0; w < c.nwalker(); ++w) {
      const Window window = window_of(delayed, c, w);
      if (!c.ie) {
        flush(c, window, w);
        continue;
      }
      for (int64_t m = 0; m < c.nupdate(); ++m) {
        const int32_t ie = c.ie(m, w);
        double ratio = 1;
        if (ie > 0)
          ratio = delayed ? move(c, window, w, ie - 1, m) : sherman_morrison(&c.dbar(0, 0, w), c.n(), ie - 1, &c.phi(0, m, w), w, m);
        if (c.ratio) c.ratio(m, w) = ratio;
      }
    }
  }

private:
  // Before any walker changes.
  static void check_all(const SlaterUpdate& c, bool delayed) {
    for (int64_t w = 0; w < c.nwalker(); ++w) {
      window_of(delayed, c, w);
      for (int64_t m = 0; c.ie && m < c.nupdate(); ++m)
        check_electron("ie(" + text_of(m + 1) + "," + text_of(w + 1) + ")", c.ie(m, w), c.n(), true);
    }
  }
  static double move(const SlaterUpdate& c, const Window& window, int64_t w, int64_t i, int64_t m) {
    const std::vector<double> column = window.column(&c.dbar(0, 0, w), i);
    double ratio = 0;
    for (int64_t a = 0; a < window.n; ++a) ratio += column[a] * c.phi(a, m, w);
    check_ratio(ratio, w, m);
    const int32_t* const first = window.electron + 1;
    if (std::find(first, first + window.count(), i + 1) != first + window.count()) flush(c, window, w);
    join(c, window, w, i, &c.phi(0, m, w));
    if (window.count() == window.kmax) flush(c, window, w);
    return ratio;
  }
};

}  // namespace

extern const suite_kernel_table slater_update_table;
constexpr suite_kernel_table slater_update_table = kernel_table<SlaterUpdate, Reference>("reference", "cpu");

}  // namespace suite::qmc::reference
