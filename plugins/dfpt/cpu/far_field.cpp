// SPDX-License-Identifier: BSD-3-Clause
// moment/r^(l+1) Y_lm = moment S_lm(u)/r with u = (point - nucleus)/r^2, so that no power of r is needed. The
// harmonics' factors are multiplied into the moments beforehand.
#include <array>

#include "points.hpp"
#include "sum_up_best.hpp"

namespace suite::dfpt {

[[gnu::noinline]] Mask is_near(const double* x, const double* y, const double* z, const double* nucleus,
                               double radius) {
  const Vector dx = load(x) - nucleus[0], dy = load(y) - nucleus[1], dz = load(z) - nucleus[2];
  return cpu::root(dx * dx + dy * dy + dz * dz) < fill(radius);
}

namespace {

// harmonics::b_monic(l, m).
constexpr auto falls = [] {
  std::array<std::array<double, largest_l + 1>, largest_l + 1> all{};
  for (int l = 2; l <= largest_l; ++l)
    for (int m = 0; m <= l - 2; ++m) all[at(l)][at(m)] = harmonics::b_monic(l, m);
  return all;
}();

// sum_m [C_m sum_l Q_lm moment_lm + S_m sum_l Q_lm moment_l-m] (harmonics.hpp) in this order, which spares a
// product for each component; moments: [direction][component]. c and s are C_m and S_m.
template <int l_max, int many, int m = 0>
inline void add_orders(const double* moments, const Vector& x, const Vector& y, const Vector& z,
                       const Vector& r2, const Vector& c, const Vector& s, Vector (&sums)[many]) {
  constexpr int n = components(l_max);
  Vector C[many], S[many], Q = fill(1.0), below{};
#pragma GCC unroll 9
  for (int l = m; l <= l_max; ++l) {
    if (l > m) {
      const Vector up = l == m + 1 ? z * Q : z * Q - r2 * falls[at(l)][m] * below;
      below = Q;
      Q = up;
    }
#pragma GCC unroll 3
    for (int q = 0; q < many; ++q) {
      const double *const with_c = moments + n * q + l * l + l + m, *const with_s = with_c - 2 * m;
      C[q] = l == m ? fill(*with_c) : C[q] + Q * *with_c;
      if constexpr (m > 0) S[q] = l == m ? fill(*with_s) : S[q] + Q * *with_s;
    }
  }
#pragma GCC unroll 3
  for (int q = 0; q < many; ++q)
    if constexpr (m == 0)
      sums[q] = C[q];
    else
      sums[q] += C[q] * c + S[q] * s;
  if constexpr (m < l_max) {
    if constexpr (m == 0)
      add_orders<l_max, many, 1>(moments, x, y, z, r2, x, y, sums);
    else
      add_orders<l_max, many, m + 1>(moments, x, y, z, r2, c * x - s * y, s * x + c * y, sums);
  }
}

template <int l_max, int many, bool partly>
[[gnu::flatten]] void far_field(const SortedPoints& points, const Cell& leaf, const double* nucleus,
                                double radius, const double* moments, double* potential, int64_t stride) {
  for (int64_t p = leaf.begin; p < leaf.end; p += lanes) {
    const Vector x = load(&points.x[at(p)]) - nucleus[0], y = load(&points.y[at(p)]) - nucleus[1],
                 z = load(&points.z[at(p)]) - nucleus[2];
    const Vector r2 = x * x + y * y + z * z;
    Mask far{};
    Vector over = 1.0 / r2;
    if constexpr (partly) {
      far = ~is_near(&points.x[at(p)], &points.y[at(p)], &points.z[at(p)], nucleus, radius);
      if (!cpu::any(far)) continue;
      over = far ? over : Vector{};
    }
    Vector sums[many];
    add_orders<l_max>(moments, x * over, y * over, z * over, over, Vector{}, Vector{}, sums);
    const Vector root = cpu::root(over);
    for (int q = 0; q < many; ++q) {
      double* const to = potential + stride * q + (p - leaf.begin);
      store(to, load(to) + sums[q] * root);
    }
  }
}

}  // namespace

// Of all components; by the compiler, since its roots take long.
constexpr auto scales = [] {
  std::array<double, components(largest_l)> all{};
  for (int l = 0; l <= largest_l; ++l)
    for (int m = -l; m <= l; ++m) all[at(l * l + l + m)] = harmonics::scale(l, m < 0 ? -m : m);
  return all;
}();

void scale_moments(const SumUpCall& call, const SumUpArrays& arrays, Numbers& scaled) {
  const int64_t n = call.n_lm;
  scaled.resize(at(n * arrays.n_tables * call.n_dir));
  double* to = scaled.data();
  for (int64_t table = 0; table < arrays.n_tables; ++table)
    for (int64_t d = 0; d < call.n_dir; ++d)
      for (int64_t lm = 0; lm < n; ++lm)
        *to++ = arrays.moments[n * (table + arrays.n_tables * d) + lm] * scales[at(lm)];
}

void add_far_field(const SumUpCall& call, const SumUpArrays& arrays, const Numbers& scaled_moments,
                   const SortedPoints& points, const Cell& leaf, int64_t atom, Side side, double* potential,
                   int64_t stride) {
  const double* const nucleus = arrays.atom_coords + 3 * atom;
  with_l_max(call.l_max, [&](auto l) {
    constexpr int l_max = decltype(l)::value;
    for (int64_t d = 0; d < call.n_dir;) {
      const double* const moments =
          &scaled_moments[at(call.n_lm * (call.n_dir * (arrays.atom_table[atom] - 1) + d))];
      double* const to = potential + stride * d;
      const double radius = arrays.radius_of(atom);
      const bool three = d + 3 <= call.n_dir;
      if (side == Side::both)
        three ? far_field<l_max, 3, true>(points, leaf, nucleus, radius, moments, to, stride)
              : far_field<l_max, 1, true>(points, leaf, nucleus, radius, moments, to, stride);
      else
        three ? far_field<l_max, 3, false>(points, leaf, nucleus, radius, moments, to, stride)
              : far_field<l_max, 1, false>(points, leaf, nucleus, radius, moments, to, stride);
      d += three ? 3 : 1;
    }
  });
}

}  // namespace suite::dfpt
