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
  return {memory, memory + ld * kmax, binv, reinterpret_cast<int32_t*>(binv + padded(kmax * kmax)), n, ld, kmax, 0};
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

namespace {

void copy_padded(double* to, const double* from, int64_t n, int64_t ld) {
  std::copy_n(from, n, to);
  std::fill(to + n, to + ld, 0.0);
}

// f(r, count) for the vectors of n numbers, the last one with what is left.
template <class F> inline void each_vector(int64_t n, F&& f) {
  int64_t r = 0;
  for (; r + lanes <= n; r += lanes) f(r, int64_t{lanes});
  if (r < n) f(r, n - r);
}

// t(m) = v(:,m).x, four columns at a time.
void project_one(const double* v, int64_t ld, int64_t n, int64_t k, const double* x, double* t) {
  int64_t m = 0;
  for (; m + 4 <= k; m += 4) {
    Vector s[4]{};
    each_vector(n, [&](int64_t r, int64_t some) {
      const Vector y = load_first(x + r, some);
      for (int q = 0; q < 4; ++q) s[q] += load_first(v + (m + q) * ld + r, some) * y;
    });
    for (int q = 0; q < 4; ++q) t[m + q] = sum(s[q]);
  }
  for (; m < k; ++m) t[m] = dot(v + m * ld, x, n);
}

// x -= sum_l c(l) u(:,l), four columns at a time.
void subtract_columns(double* x, const double* u, int64_t ld, int64_t n, const double* c, int64_t k) {
  int64_t l = 0;
  for (; l + 4 <= k; l += 4)
    each_vector(n, [&](int64_t r, int64_t some) {
      Vector y = load_first(x + r, some);
      for (int q = 0; q < 4; ++q) y -= load_first(u + (l + q) * ld + r, some) * c[l + q];
      store_first(x + r, y, some);
    });
  for (; l < k; ++l)
    for (int64_t r = 0; r < n; ++r) x[r] -= u[l * ld + r] * c[l];
}

// c(l) = sum_m t(m) Binv(m,l) and its transpose.
void times_binv(const Window& w, const double* t, double* c) { project_one(w.binv, w.kmax, w.count, w.count, t, c); }
void binv_times(const Window& w, const double* b, double* x) {
  const int64_t k = w.count;
  each_vector(k, [&](int64_t m, int64_t some) {
    Vector s{};
    for (int64_t l = 0; l < k; ++l) s += load_first(w.binv + m + l * w.kmax, some) * b[l];
    store_first(x + m, s, some);
  });
}

}  // namespace

void current_column(const Window& w, const double* dbar, int64_t j, double* column, double* scratch) {
  std::copy_n(dbar + j * w.n, w.n, column);
  if (w.count == 0) return;
  double *const t = scratch, *const c = scratch + padded(w.kmax), *const shifted = c + padded(w.kmax);
  project_one(w.phi, w.ld, w.n, w.count, column, t);
  std::copy_n(t, w.count, shifted);
  for (int64_t l = 0; l < w.count; ++l)
    if (w.electron[l] == j) shifted[l] -= 1;
  times_binv(w, shifted, c);
  subtract_columns(column, w.dbar, w.ld, w.n, c, w.count);
}

double add_move(Window& w, const double* dbar, int64_t j, const double* phi, const double* projected, double* scratch) {
  const int64_t k = w.count, step = padded(w.kmax);
  // The first numbers of scratch may be `projected`.
  double *const b = scratch + step, *const own = b + step, *const right = own + step, *const left = right + step;
  double* const u = w.dbar + k * w.ld;
  std::copy_n(dbar + j * w.n, w.n, u);
  project_one(w.dbar, w.ld, w.n, k, phi, b);
  const double* const c = projected ? projected : own;
  if (!projected) project_one(w.phi, w.ld, w.n, k, u, own);
  binv_times(w, b, right);
  times_binv(w, c, left);
  const double schur = dot(u, phi, w.n) - dot(c, right, k);
  if (schur == 0 || !std::isfinite(schur)) return schur;
  std::copy_n(phi, w.n, w.phi + k * w.ld);
  const double factor = 1 / schur;
  for (int64_t l = 0; l < k; ++l) {
    const double f = left[l] * factor;
    double* const column = w.binv + l * w.kmax;
    each_vector(
        k, [&](int64_t m, int64_t some) { store_first(column + m, load_first(column + m, some) + load_first(right + m, some) * f, some); });
    w.binv[k + l * w.kmax] = -left[l] * factor;
  }
  for (int64_t m = 0; m < k; ++m) w.binv[m + k * w.kmax] = -right[m] * factor;
  w.binv[k + k * w.kmax] = factor;
  w.electron[k] = static_cast<int32_t>(j);
  ++w.count;
  return schur;
}

namespace {
// x(l,0..7) += sign sum_m a(m,l) t(m,0..7), l and m < k, four rows at a time.
void add_transposed(const double* a, int64_t lda, int64_t k, double sign, const double* t, double* x) {
  constexpr int columns = product_columns, vectors = columns / lanes, together = 4;
  for (int64_t l = 0; l < k; l += together) {
    const double* column[together];
    for (int64_t q = 0; q < together; ++q) column[q] = a + std::min(l + q, k - 1) * lda;
    Vector s[together][vectors]{};
    for (int64_t m = 0; m < k; ++m)
      for (int v = 0; v < vectors; ++v) {
        const Vector y = load(t + m * columns + v * lanes);
        for (int q = 0; q < together; ++q) s[q][v] += y * column[q][m];
      }
    for (int64_t q = 0; q < std::min<int64_t>(together, k - l); ++q)
      for (int v = 0; v < vectors; ++v) {
        double* const to = x + (l + q) * columns + v * lanes;
        store(to, load(to) + s[q][v] * sign);
      }
  }
}

// eight(q) of c are columns first .. of x(n,count), padded; those behind the last one are 0.
void copy_eight(double* c, int64_t ld, const double* x, int64_t ldx, int64_t n, int64_t first, int64_t count) {
  const int64_t some = std::min<int64_t>(product_columns, count - first);
  for (int64_t q = 0; q < some; ++q) copy_padded(c + q * ld, x + (first + q) * ldx, n, ld);
  std::fill(c + some * ld, c + product_columns * ld, 0.0);
}
}  // namespace

// Binv, grown by bordering, is the inverse by an elimination without pivots: after small ratios it has lost
// digits, four of them in the worst windows, and columns c = t Binv would lose them too. One step of
// refinement with B built again, c += (t - c B) Binv, has them back: as accurate as an LU decomposition of B
// with pivots (docs/theory/qmc.md).
void flush(Window& w, double* dbar, double* scratch) {
  constexpr int columns = product_columns;
  const int64_t k = w.count, n = w.n, ld = padded(n), ldb = flush_stride(w.kmax);
  if (k == 0) return;
  double *const B = scratch, *const c = B + ldb * ldb, *const t = c + columns * ld, *const x = t + columns * padded(w.kmax);
  // The products want padded columns.
  double *v = w.phi, *u = w.dbar;
  if (w.ld != ld) {
    v = x + columns * padded(w.kmax);
    u = v + ld * w.kmax;
    for (int64_t m = 0; m < k; ++m) {
      copy_padded(v + m * ld, w.phi + m * w.ld, n, ld);
      copy_padded(u + m * ld, w.dbar + m * w.ld, n, ld);
    }
  } else {
    for (int64_t m = 0; m < k; ++m) {
      std::fill(v + m * ld + n, v + (m + 1) * ld, 0.0);
      std::fill(u + m * ld + n, u + (m + 1) * ld, 0.0);
    }
  }
  for (int64_t l = 0; l < k; l += columns) {
    copy_eight(c, ld, u, ld, n, l, k);
    project(v, ld, k, c, ld, t, ld);
    for (int64_t m = 0; m < k; ++m) std::copy_n(t + m * columns, columns, B + m * ldb + l);
  }
  for (int64_t j = 0; j < n; j += columns) {
    // On borders of vectors: the products read these eight columns k/3 times.
    const int64_t some = std::min<int64_t>(columns, n - j);
    copy_eight(c, ld, dbar, n, n, j, n);
    project(v, ld, k, c, ld, t, ld);
    for (int64_t m = 0; m < k; ++m)
      if (w.electron[m] >= j && w.electron[m] < j + some) t[m * columns + w.electron[m] - j] -= 1;
    std::fill_n(x, columns * k, 0.0);
    add_transposed(w.binv, w.kmax, k, -1, t, x);
    add_transposed(B, ldb, k, 1, x, t);
    add_transposed(w.binv, w.kmax, k, -1, t, x);
    add_product(c, ld, u, ld, x, k, ld);
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

// A(j,a) = D(a,j), padded by zeros.
void transpose_in(const double* D, int64_t n, double* A, int64_t ld) {
  for (int64_t first = 0; first < n; first += 8)
    for (int64_t a = 0; a < n; ++a)
      for (int64_t j = first; j < std::min(first + 8, n); ++j) A[j + a * ld] = D[a + j * n];
}

// Gauss-Jordan elimination inside columns c0..c1-1 of A, with row exchanges; what is left of the panel is the
// matrix that the other columns are multiplied with. False where no pivot is left.
bool eliminate(double* A, int64_t n, int64_t ld, int64_t c0, int64_t c1, int64_t* exchanged, double& logdet, double& sign) {
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
