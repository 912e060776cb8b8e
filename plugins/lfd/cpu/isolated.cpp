// SPDX-License-Identifier: BSD-3-Clause
#include "isolated.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace suite::lfd {

template <class T> void IsolatedField<T>::set(const Grid& grid) {
  if (set_ && std::equal(grid.n, grid.n + 3, grid_.n) && std::equal(grid.h, grid.h + 3, grid_.h)) return;
  set_ = false;
  grid_ = grid;
  waves_.set(grid.n, true);
  planes_.at_least(grid.n[0] * plane());
  rows_.assign(static_cast<size_t>(grid.n[1] + 1), {});
  for (int64_t row = 0; row < waves_.waves(1); ++row) rows_[waves_.number(1, row)].push_back(row);
  set_interaction();
  set_ = true;
}

template <class T> void IsolatedField<T>::set_interaction() {
  const int64_t nx = grid_.n[0], numbers = grid_.n[1] + 1, numbers_z = grid_.n[2] + 1;
  const std::vector<double> g = coulomb_factors(Laplacian::isolated, grid_.n, grid_.h);  // [m of x][of y][of z]
  std::vector<double> cosine;  // [d][m], with the weight of m
  for (int64_t d = 0; d < nx; ++d)
    for (int64_t m = 0; m <= nx; ++m) {
      const double weight = (m == 0 || m == nx ? 0.5 : 1.0) / static_cast<double>(nx);
      cosine.push_back(weight * std::cos(std::numbers::pi * static_cast<double>(m * d % (2 * nx)) / static_cast<double>(nx)));
    }
  const int64_t all = numbers * numbers_z;
  std::vector<double> G(static_cast<size_t>(nx * all));  // [d][of y][of z]
  for (int64_t d = 0; d < nx; ++d)
    for (int64_t m = 0; m <= nx; ++m)
      for (int64_t i = 0; i < all; ++i) G[d * all + i] += cosine[d * (nx + 1) + m] * g[m * all + i];
  T* to = reinterpret_cast<T*>(interaction_.at_least(numbers * chunks() * nx));
  for (int64_t y = 0; y < numbers; ++y)
    for (int64_t chunk = 0; chunk < chunks(); ++chunk)
      for (int64_t d = 0; d < nx; ++d)
        for (int64_t c = chunk * lanes<T>; c < (chunk + 1) * lanes<T>; ++c)
          *to++ = c < waves_.waves(2) ? static_cast<T>(G[d * all + y * numbers_z + waves_.number(2, c)]) : T(0);
}

// out_i = sum_j G_{i-j} in_j of some rows at a time, G from 1 - N on.
template <class T> template <int rows> void IsolatedField<T>::interact(const V* G, const V* in, V* out) const {
  const int64_t n = grid_.n[0];
  const auto some = [&]<int I>(std::integral_constant<int, I>, int64_t i) {
    V sum[I][rows] = {};
    for (int64_t j = 0; j < n; ++j) {
      const V* const g = G + n - 1 + i - j;
      for (int a = 0; a < I; ++a)
        for (int r = 0; r < rows; ++r) sum[a][r] += g[a] * in[j * rows + r];
    }
    for (int a = 0; a < I; ++a)
      for (int r = 0; r < rows; ++r) out[(i + a) * rows + r] = sum[a][r];
  };
  int64_t i = 0;
  for (; i + 4 <= n; i += 4) some(std::integral_constant<int, 4>{}, i);
  for (; i < n; ++i) some(std::integral_constant<int, 1>{}, i);
}

// Some chunks from `first` on of the rows with that number, in place.
template <class T> void IsolatedField<T>::interact(int64_t number, int64_t first, V* workspace) {
  const std::vector<int64_t>& rows = rows_[number];
  const int64_t n = grid_.n[0], count = std::ssize(rows), size = n * count, some = std::min(together, chunks() - first);
  V *const in = workspace, *const out = in + 2 * together * n, *const G = out + 2 * n;
  const auto row = [&](int64_t i, int64_t r) { return planes_.data() + i * plane() + rows[r] * waves_.waves(2) + first * lanes<T>; };
  const auto width = [&](int64_t chunk) { return std::min<int64_t>(lanes<T>, waves_.waves(2) - (first + chunk) * lanes<T>); };
  const auto each = [&](auto&& f) {
    for (int64_t i = 0; i < n; ++i)
      for (int64_t r = 0; r < count; ++r)
        for (int64_t chunk = 0; chunk < some; ++chunk) f(row(i, r) + chunk * lanes<T>, width(chunk), in[chunk * size + i * count + r]);
  };
  each([](const T* from, int64_t there, V& x) {
    if (there == lanes<T>) return x = load(from), void();
    x = V{};
    for (int64_t l = 0; l < there; ++l) x[l] = from[l];
  });
  for (int64_t chunk = 0; chunk < some; ++chunk) {
    const V* const half = interaction_.data() + (number * chunks() + first + chunk) * n;
    for (int64_t d = 0; d < n; ++d) G[n - 1 + d] = G[n - 1 - d] = half[d];
    if (count == 2) interact<2>(G, in + chunk * size, out);
    else interact<1>(G, in + chunk * size, out);
    std::copy_n(out, size, in + chunk * size);
  }
  each([](T* to, int64_t there, const V& x) {
    if (there == lanes<T>) return store(to, x);
    for (int64_t l = 0; l < there; ++l) to[l] = x[l];
  });
}

template <class T> void IsolatedField<T>::solve(const Team& team, T* v, const T* rho) {
  waves_.forward_planes(team, rho, planes_.data(), plane());
  V* const workspace = workspace_.data() + team.rank() * workspace_size();
  team.share(std::ssize(rows_), [&](int64_t number) {
    for (int64_t first = 0; first < chunks(); first += together) interact(number, first, workspace);
  });
  waves_.backward_planes(team, planes_.data(), v, plane());
}

template class IsolatedField<float>;
template class IsolatedField<double>;

}  // namespace suite::lfd
