// SPDX-License-Identifier: BSD-3-Clause
// moment/r^(l+1) Y_lm = moment S_lm(u)/r with u = (point - nucleus)/r^2, so that no power of r is needed.
#include "points.hpp"
#include "sum_up_best.hpp"

namespace suite::dfpt {

[[gnu::noinline]] Mask is_near(const double* x, const double* y, const double* z, const double* nucleus,
                               double radius) {
  const Vector dx = load(x) - nucleus[0], dy = load(y) - nucleus[1], dz = load(z) - nucleus[2];
  return cpu::root(dx * dx + dy * dy + dz * dz) < fill(radius);
}

namespace {

template <int l_max, int many, bool partly>
void far_field(const SortedPoints& points, const Cell& leaf, const double* nucleus, double radius,
               const double* moments, int64_t next, double* potential, int64_t stride) {
  constexpr int n = components(l_max);
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
    Vector S[n];
    solid_harmonics<l_max>(x * over, y * over, z * over, S);
    const Vector root = cpu::root(over);
    for (int q = 0; q < many; ++q) {
      const double* const m = moments + next * q;
      Vector sum{};
#pragma GCC unroll 81
      for (int lm = 0; lm < n; ++lm) sum += S[lm] * m[lm];
      double* const to = potential + stride * q + (p - leaf.begin);
      store(to, load(to) + sum * root);
    }
  }
}

}  // namespace

void add_far_field(const SumUpCall& call, const SumUpArrays& arrays, const SortedPoints& points,
                   const Cell& leaf, int64_t atom, Side side, double* potential, int64_t stride) {
  const double* const nucleus = arrays.atom_coords + 3 * atom;
  const int64_t next = call.n_lm * arrays.n_tables;
  with_l_max(call.l_max, [&](auto l) {
    constexpr int l_max = decltype(l)::value;
    for (int64_t d = 0; d < call.n_dir;) {
      const double* const moments = arrays.moments + call.n_lm * (arrays.atom_table[atom] - 1) + next * d;
      double* const to = potential + stride * d;
      const double radius = arrays.radius_of(atom);
      const bool three = d + 3 <= call.n_dir;
      if (side == Side::both)
        three ? far_field<l_max, 3, true>(points, leaf, nucleus, radius, moments, next, to, stride)
              : far_field<l_max, 1, true>(points, leaf, nucleus, radius, moments, next, to, stride);
      else
        three ? far_field<l_max, 3, false>(points, leaf, nucleus, radius, moments, next, to, stride)
              : far_field<l_max, 1, false>(points, leaf, nucleus, radius, moments, next, to, stride);
      d += three ? 3 : 1;
    }
  });
}

}  // namespace suite::dfpt
