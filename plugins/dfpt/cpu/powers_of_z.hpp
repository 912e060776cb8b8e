// SPDX-License-Identifier: BSD-3-Clause
// Sums over spherical harmonics of unit vectors, in powers of z instead of Q_lm (harmonics.hpp):
//   sum_lm c_lm Y_lm = sum_m [C_m P_m(z) + S_m P_-m(z)],  P_m(z) = sum_k p_(|m|+k)m z^k
// so that a coefficient takes one multiply-add and no Y_lm is needed at all. p lies where c does.
#pragma once

#include <array>
#include <type_traits>
#include <utility>

#include "../harmonics.hpp"
#include "kernels.hpp"

namespace suite::dfpt {

// Of z^k in Q_lm: powers_of_Q[l][m][k].
inline constexpr auto powers_of_Q = [] {
  constexpr int n = largest_l + 1;
  std::array<std::array<std::array<double, n>, n>, n> all{};
  for (int m = 0; m < n; ++m)
    for (int l = m; l < n; ++l)
      for (int k = 0; k <= l - m; ++k) {
        auto& power = all[l][m][k];
        if (l == m) power = harmonics::N(m);
        if (k > 0) power = harmonics::a(l, m) * all[l - 1][m][k - 1];
        if (l > m + 1) power -= harmonics::b(l, m) * all[l - 2][m][k];
      }
  return all;
}();

// A vector of p is a sum of a few vectors of c, each times weights: those of c_(l+2j)m for all m of one l lie
// side by side, as the p_lm do to which they contribute.
template <int l_max> struct PowerTerms {
  static constexpr int vectors = (components(l_max) + lanes - 1) / lanes, most = 1 + (l_max + 1) * (l_max / 2);
  struct Term {
    int from, count;  // of c
    double weights[lanes];
  };
  Term terms[vectors][most] = {};
  int counts[vectors] = {};

  constexpr PowerTerms() {
    for (int v = 0; v < vectors; ++v) {
      add(v, 0, 0, l_max);
      for (int l = 0; l <= l_max; ++l)
        for (int j = 1; l + 2 * j <= l_max; ++j) add(v, j, l, l);
    }
  }
  // c_(l+2j)m in p_lm for l from first to last, of which a vector may have none.
  constexpr void add(int v, int j, int first, int last) {
    const int shift = (first + 2 * j) * (first + 2 * j + 1) - first * (first + 1);
    Term term{lanes * v + shift, 0, {}};
    for (int l = first; l <= last; ++l)
      for (int m = -l; m <= l; ++m) {
        const int i = l * l + l + m - lanes * v, order = m < 0 ? -m : m;
        if (i < 0 || i >= lanes) continue;
        term.weights[i] = powers_of_Q[l + 2 * j][order][l - order];
        term.count = i + 1;
      }
    if (term.count > 0) terms[v][counts[v]++] = term;
  }
};

// p of c, components(l_max) each; of p whole vectors are written.
template <int l_max> inline void to_powers(const double* c, double* p) {
  static constexpr PowerTerms<l_max> all;
  const auto vector = [&]<size_t v, size_t... t>(std::integral_constant<size_t, v>, std::index_sequence<t...>) {
    Vector sum{};
    ((sum += load(all.terms[v][t].weights) * load_first(c + all.terms[v][t].from, all.terms[v][t].count)), ...);
    store(p + lanes * v, sum);
  };
  [&]<size_t... v>(std::index_sequence<v...>) {
    (vector(std::integral_constant<size_t, v>(), std::make_index_sequence<at(all.counts[v])>()), ...);
  }(std::make_index_sequence<at(PowerTerms<l_max>::vectors)>());
}

// Sums of some p over the components, at unit vectors; c and s are C_m and S_m. All of it is to be inlined.
template <int l_max, int some, int m = 0>
inline void add_orders(const double (*p)[components(l_max)], const Vector& x, const Vector& y, const Vector& z, const Vector& c,
                       const Vector& s, Vector (&sums)[some]) {
  // P_m or P_-m by Horner's rule.
  const auto along_z = [&](int order, Vector(&P)[some]) {
#pragma GCC unroll 12
    for (int i = 0; i < some; ++i) P[i] = fill(p[i][l_max * l_max + l_max + order]);
#pragma GCC unroll 9
    for (int l = l_max - 1; l >= m; --l)
#pragma GCC unroll 12
      for (int i = 0; i < some; ++i) P[i] = P[i] * z + p[i][l * l + l + order];
  };
  if constexpr (m == 0) {
    along_z(0, sums);
    if constexpr (l_max > 0) add_orders<l_max, some, 1>(p, x, y, z, x, y, sums);
  } else {
    Vector P[some];
    along_z(m, P);
#pragma GCC unroll 12
    for (int i = 0; i < some; ++i) sums[i] += P[i] * c;
    along_z(-m, P);
#pragma GCC unroll 12
    for (int i = 0; i < some; ++i) sums[i] += P[i] * s;
    if constexpr (m < l_max) add_orders<l_max, some, m + 1>(p, x, y, z, c * x - s * y, s * x + c * y, sums);
  }
}

}  // namespace suite::dfpt
