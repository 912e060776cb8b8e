// SPDX-License-Identifier: BSD-3-Clause
#include "far_sums.hpp"
#include "points.hpp"
#include "sum_up_best.hpp"

namespace suite::dfpt {
namespace {

template <int l_max, int many>
[[gnu::flatten]] void far_field(const SortedPoints& points, const Cell& leaf, const double* nucleus, const double* moments,
                                double* potential, int64_t stride) {
  for (int64_t p = leaf.begin; p < leaf.end; p += lanes) {
    Vector values[many];
    far_values<l_max>(load(&points.x[at(p)]), load(&points.y[at(p)]), load(&points.z[at(p)]), nucleus, moments, values);
    for (int q = 0; q < many; ++q) {
      double* const to = potential + stride * q + (p - leaf.begin);
      store(to, load(to) + values[q]);
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

void scale_moments(const SumUpCall& call, const SumUp& arrays, Numbers& scaled) {
  const int64_t n = call.n_lm;
  scaled.resize(at(n * arrays.n_tables() * call.n_dir));
  double* to = scaled.data();
  for (int64_t table = 0; table < arrays.n_tables(); ++table)
    for (int64_t d = 0; d < call.n_dir; ++d)
      for (int64_t lm = 0; lm < n; ++lm) *to++ = arrays.moments(lm, table, d) * scales[at(lm)];
}

void add_far_field(const SumUpCall& call, const SumUp& arrays, int64_t n_dir, const Numbers& scaled_moments, const SortedPoints& points,
                   const Cell& leaf, int64_t atom, double* potential, int64_t stride) {
  const double* const nucleus = &arrays.atom_coords(0, atom);
  with_l_max(call.l_max, [&](auto l) {
    constexpr int l_max = decltype(l)::value;
    for (int64_t d = 0; d < n_dir;) {
      const double* const moments = &scaled_moments[at(call.n_lm * (call.n_dir * (arrays.atom_table(atom) - 1) + d))];
      const int many = d + 3 <= n_dir ? 3 : 1;
      (many == 3 ? far_field<l_max, 3> : far_field<l_max, 1>)(points, leaf, nucleus, moments, potential + stride * d, stride);
      d += many;
    }
  });
}

}  // namespace suite::dfpt
