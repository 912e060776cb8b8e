// SPDX-License-Identifier: BSD-3-Clause
#include "inverse.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "product.hpp"

namespace suite::qmc {

Window Window::in(double* memory, int64_t n, int64_t kmax) {
  const int64_t ld = padded(n);
  double* const binv = memory + 2 * ld * kmax;
  return {memory, memory + ld * kmax, binv, reinterpret_cast<int32_t*>(binv + padded(kmax * kmax)),
          n,      ld,                 kmax, 0};
}

double dot(const double* a, const double* b, int64_t n) {
  Vector s[4]{};
  int64_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes)
    for (int q = 0; q < 4; ++q) s[q] += load(a + i + q * lanes) * load(b + i + q * lanes);
  for (; i + lanes <= n; i += lanes) s[0] += load(a + i) * load(b + i);
  if (i < n) s[1] += load_first(a + i, n - i) * load_first(b + i, n - i);
  return sum((s[0] + s[1]) + (s[2] + s[3]));
}

void copy_padded(double* to, const double* from, int64_t n, int64_t ld) {
  std::copy_n(from, n, to);
  std::fill(to + n, to + ld, 0.0);
}

namespace {

// t(m) = v(:,m).x, four columns at a time; x and the columns are padded.
void project_one(const double* v, int64_t ld, int64_t k, const double* x, double* t) {
  int64_t m = 0;
  for (; m + 4 <= k; m += 4) {
    Vector s[4]{};
    for (int64_t r = 0; r < ld; r += lanes) {
      const Vector y = load(x + r);
      for (int q = 0; q < 4; ++q) s[q] += load(v + (m + q) * ld + r) * y;
    }
    for (int q = 0; q < 4; ++q) t[m + q] = sum(s[q]);
  }
  for (; m < k; ++m) t[m] = dot(v + m * ld, x, ld);
}

// x -= sum_l c(l) u(:,l), four columns at a time.
void subtract_columns(double* x, const double* u, int64_t ld, const double* c, int64_t k) {
  int64_t l = 0;
  for (; l + 4 <= k; l += 4)
    for (int64_t r = 0; r < ld; r += lanes) {
      Vector y = load(x + r);
      for (int q = 0; q < 4; ++q) y -= load(u + (l + q) * ld + r) * c[l + q];
      store(x + r, y);
    }
  for (; l < k; ++l)
    for (int64_t r = 0; r < ld; r += lanes) store(x + r, load(x + r) - load(u + l * ld + r) * c[l]);
}

// c(l) = sum_m t(m) Binv(m,l) and its transpose.
void times_binv(const Window& w, const double* t, double* c) {
  for (int64_t l = 0; l < w.count; ++l) c[l] = dot(w.binv + l * w.kmax, t, w.count);
}
void binv_times(const Window& w, const double* b, double* x) {
  std::fill_n(x, w.count, 0.0);
  for (int64_t l = 0; l < w.count; ++l)
    for (int64_t m = 0; m < w.count; ++m) x[m] += w.binv[m + l * w.kmax] * b[l];
}

}  // namespace

void current_column(const Window& w, const double* dbar, int64_t j, double* column, double* scratch) {
  const int32_t* const last = w.electron + w.count;
  const int32_t* const at = std::find(static_cast<const int32_t*>(w.electron), last, j);
  copy_padded(column, dbar + j * w.n, w.n, w.ld);
  if (w.count == 0) return;
  double *const t = scratch, *const c = scratch + padded(w.kmax);
  project_one(w.phi, w.ld, w.count, column, t);
  if (at != last) t[at - w.electron] -= 1;
  times_binv(w, t, c);
  subtract_columns(column, w.dbar, w.ld, c, w.count);
}

double add_move(Window& w, const double* dbar, int64_t j, const double* phi, double* scratch) {
  const int64_t k = w.count, step = padded(w.kmax);
  double *const b = scratch, *const c = b + step, *const right = c + step, *const left = right + step;
  double* const u = w.dbar + k * w.ld;
  copy_padded(u, dbar + j * w.n, w.n, w.ld);
  project_one(w.dbar, w.ld, k, phi, b);
  project_one(w.phi, w.ld, k, u, c);
  binv_times(w, b, right);
  times_binv(w, c, left);
  const double schur = dot(u, phi, w.ld) - dot(c, right, k);
  if (schur == 0 || !std::isfinite(schur)) return schur;
  std::copy_n(phi, w.ld, w.phi + k * w.ld);
  const double factor = 1 / schur;
  for (int64_t l = 0; l < k; ++l) {
    for (int64_t m = 0; m < k; ++m) w.binv[m + l * w.kmax] += right[m] * (left[l] * factor);
    w.binv[k + l * w.kmax] = -left[l] * factor;
  }
  for (int64_t m = 0; m < k; ++m) w.binv[m + k * w.kmax] = -right[m] * factor;
  w.binv[k + k * w.kmax] = factor;
  w.electron[k] = static_cast<int32_t>(j);
  ++w.count;
  return schur;
}

void flush(Window& w, double* dbar, double* scratch) {
  constexpr int columns = product_columns;
  const int64_t k = w.count, n = w.n, ld = w.ld;
  if (k == 0) return;
  double *const c = scratch, *const t = c + columns * ld, *const x = t + columns * padded(w.kmax);
  for (int64_t j = 0; j < n; j += columns) {
    const int64_t some = std::min<int64_t>(columns, n - j);
    for (int64_t q = 0; q < some; ++q) copy_padded(c + q * ld, dbar + (j + q) * n, n, ld);
    std::fill(c + some * ld, c + columns * ld, 0.0);
    project(w.phi, ld, k, c, ld, t, ld);
    for (int64_t m = 0; m < k; ++m)
      if (w.electron[m] >= j && w.electron[m] < j + some) t[m * columns + w.electron[m] - j] -= 1;
    // x(l,:) = -sum_m Binv(m,l) t(m,:)
    for (int64_t l = 0; l < k; ++l) {
      Vector s[columns / lanes]{};
      for (int64_t m = 0; m < k; ++m)
        for (int q = 0; q < columns / lanes; ++q)
          s[q] -= load(t + m * columns + q * lanes) * w.binv[m + l * w.kmax];
      for (int q = 0; q < columns / lanes; ++q) store(x + l * columns + q * lanes, s[q]);
    }
    add_product(c, ld, w.dbar, ld, x, k, ld);
    for (int64_t q = 0; q < some; ++q) std::copy_n(c + q * ld, n, dbar + (j + q) * n);
  }
  w.count = 0;
}

double sherman_morrison(double* dbar, int64_t n, int64_t j, const double* phi, double* scratch) {
  double* const row = scratch;
  std::copy_n(dbar + j * n, n, row);
  const double ratio = dot(row, phi, n);
  if (ratio == 0 || !std::isfinite(ratio)) return ratio;
  for (int64_t i = 0; i < n; ++i) {
    double* const column = dbar + i * n;
    const double f = i == j ? 1 - 1 / ratio : dot(column, phi, n) / ratio;
    for (int64_t a = 0; a < n; ++a) column[a] -= f * row[a];
  }
  return ratio;
}

namespace {
constexpr int64_t panel = 16;

// Rows of D^T in columns: A(j,a) = D(a,j), padded by unit... rows and columns of zeros.
void transpose_in(const double* D, int64_t n, double* A, int64_t ld) {
  for (int64_t first = 0; first < n; first += 8)
    for (int64_t a = 0; a < n; ++a)
      for (int64_t j = first; j < std::min(first + 8, n); ++j) A[j + a * ld] = D[a + j * n];
}

// Gauss-Jordan elimination inside columns c0..c1-1 of A, with row exchanges; what is left of the panel is the
// matrix that the other columns are multiplied with. False where no pivot is left.
bool eliminate(double* A, int64_t n, int64_t ld, int64_t c0, int64_t c1, int64_t* exchanged, double& logdet,
               double& sign) {
  for (int64_t c = c0; c < c1; ++c) {
    double* const own = A + c * ld;
    int64_t p = c;
    for (int64_t r = c + 1; r < n; ++r)
      if (std::abs(own[r]) > std::abs(own[p])) p = r;
    exchanged[c] = p;
    const double pivot = own[p];
    if (pivot == 0 || !std::isfinite(pivot)) return false;
    logdet += std::log(std::abs(pivot));
    if ((pivot < 0) != (p != c)) sign = -sign;
    if (p != c)
      for (int64_t q = c0; q < c1; ++q) std::swap(A[c + q * ld], A[p + q * ld]);
    const double f = 1 / pivot;
    own[c] = 0;
    for (int64_t q = c0; q < c1; ++q) {
      if (q == c) continue;
      double* const other = A + q * ld;
      const double t = other[c] * f;
      for (int64_t r = 0; r < ld; r += lanes) store(other + r, load(other + r) - load(own + r) * t);
      other[c] = t;
    }
    for (int64_t r = 0; r < ld; r += lanes) store(own + r, load(own + r) * -f);
    own[c] = f;
  }
  return true;
}
}  // namespace

int64_t inversion_scratch(int64_t n) {
  constexpr int64_t columns = product_columns;
  const int64_t wide = (n + columns - 1) / columns * columns;
  return padded(n) * wide + panel * columns + padded(n);
}

bool invert(const double* D, int64_t n, double* dbar, double& logdet, double& sign, double* scratch) {
  constexpr int64_t columns = product_columns;
  const int64_t ld = padded(n), wide = (n + columns - 1) / columns * columns;
  double *const A = scratch, *const x = A + ld * wide;
  auto* const exchanged = reinterpret_cast<int64_t*>(x + panel * columns);
  std::fill_n(A, ld * wide, 0.0);
  transpose_in(D, n, A, ld);
  logdet = 0;
  sign = 1;
  for (int64_t c0 = 0; c0 < n; c0 += panel) {
    const int64_t c1 = std::min(c0 + panel, n);
    if (!eliminate(A, n, ld, c0, c1, exchanged, logdet, sign)) return false;
    const auto one_group = [&](int64_t first) {
      for (int64_t j = first; j < first + columns; ++j) {
        double* const column = A + j * ld;
        for (int64_t c = c0; c < c1; ++c) std::swap(column[c], column[exchanged[c]]);
        for (int64_t c = c0; c < c1; ++c) x[(c - c0) * columns + j - first] = std::exchange(column[c], 0.0);
      }
      add_product(A + first * ld, ld, A + c0 * ld, ld, x, c1 - c0, ld);
    };
    // The panel is two groups of columns, which stay.
    for (int64_t first = 0; first < wide; first += columns)
      if (first < c0 || first >= c1) one_group(first);
  }
  // The exchanges of rows are exchanges of the inverse's columns, the last one first.
  for (int64_t c = n; c-- > 0;)
    if (exchanged[c] != c) std::swap_ranges(A + c * ld, A + c * ld + n, A + exchanged[c] * ld);
  for (int64_t j = 0; j < n; ++j) std::copy_n(A + j * ld, n, dbar + j * n);
  return true;
}

}  // namespace suite::qmc
