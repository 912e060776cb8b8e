// SPDX-License-Identifier: BSD-3-Clause
// Polynomial: one Horner loop for u and its derivatives. B-splines: the four coefficients of each interval's
// cubic, found by lane.
#include "u_row.hpp"

namespace suite::qmc {
namespace {

enum class Wanted { value, gradient, laplacian };

struct RadialLanes {
  Vector value{}, first{}, second{};
};

template <Wanted wanted> inline RadialLanes polynomial_lanes(const UTable& u, const double* alpha, Vector r) {
  constexpr bool slope = wanted != Wanted::value, curvature = wanted == Wanted::laplacian;
  const double L = u.term.L, C = u.term.C;
  Vector p{}, p1{}, p2{};  // P, P', P''/2
  for (int64_t l = u.term.nalpha; l-- > 0;) {
    if constexpr (curvature) p2 = p2 * r + p1;
    if constexpr (slope) p1 = p1 * r + p;
    p = p * r + alpha[l];
  }
  const Vector x = r - L, f2 = u.term.C == 3 ? x : fill(1.0), f1 = f2 * x, f = f1 * x;
  RadialLanes s;
  s.value = f * p;
  if constexpr (slope) s.first = C * f1 * p + f * p1;
  if constexpr (curvature) s.second = C * (C - 1) * f2 * p + 2 * C * f1 * p1 + 2.0 * f * p2;
  return s;
}

// The four coefficients of each lane's interval. Up to 16 intervals lie in two registers; a gather takes ten
// times as long.
struct Cubic {
  Vector c0, c1, c2, c3;
};
inline Cubic look_up(const double* table, int64_t stride, Mask index) {
#if defined(__AVX512F__)
  if (stride == 16) {
    const auto pick = [&](int64_t k) -> Vector {
      return _mm512_permutex2var_pd((__m512d)load(table + 16 * k), (__m512i)index, (__m512d)load(table + 16 * k + 8));
    };
    return {pick(0), pick(1), pick(2), pick(3)};
  }
  const auto gather = [&](int64_t k) -> Vector {
    return _mm512_mask_i64gather_pd(_mm512_setzero_pd(), 0xff, (__m512i)index, table + stride * k, 8);
  };
#else
  const auto gather = [&](int64_t k) {
    Vector v{};
    for (int l = 0; l < lanes; ++l) v[l] = table[stride * k + index[l]];
    return v;
  };
#endif
  return {gather(0), gather(1), gather(2), gather(3)};
}

template <Wanted wanted> inline RadialLanes bspline_lanes(const UTable& u, const double* cubic, Vector r) {
  const double inverse_h = static_cast<double>(u.intervals) / u.term.L;
  const Vector t = r * inverse_h;
  Mask i = __builtin_convertvector(t, Mask);
  i = i > u.intervals - 1 ? Mask{} + (u.intervals - 1) : i;  // beyond L: any, it counts nothing
  const Vector x = t - __builtin_convertvector(i, Vector);
  const auto [c0, c1, c2, c3] = look_up(cubic, u.stride, i);
  RadialLanes s;
  s.value = ((c3 * x + c2) * x + c1) * x + c0;
  if constexpr (wanted != Wanted::value) s.first = ((3.0 * c3 * x + 2.0 * c2) * x + c1) * inverse_h;
  if constexpr (wanted == Wanted::laplacian) s.second = (6.0 * c3 * x + 2.0 * c2) * (inverse_h * inverse_h);
  return s;
}

template <Form form, Wanted wanted> inline RadialLanes u_lanes(const UTable& u, const double* coefficients, Vector r) {
  if constexpr (form == Form::bspline) return bspline_lanes<wanted>(u, coefficients, r);
  else return polynomial_lanes<wanted>(u, coefficients, r);
}

template <LatticeKind kind, Form form, int npos>
void values(const URow& row, const Cloud& cloud, int spin, int64_t without, const double (*at)[3], double* value) {
  const Closest<kind> closest(row.rule());
  const UTable& u = row.table();
  const double L = u.term.L, unit = row.frame().unit;
  Vector total[npos]{};
  for (int other = 0; other < 2; ++other) {
    const double* const set = u.set(spin, other);
    const int64_t end = cloud.start[other] + cloud.count[other];
    for (int64_t j = cloud.start[other]; j < end; j += lanes) {
      const Vector x = load(cloud.x + j), y = load(cloud.y + j), z = load(cloud.z + j);
      const Mask valid = valid_lanes(j, end, without);
      for (int q = 0; q < npos; ++q) {
        const Vector r = root(closest.square({at[q][0] - x, at[q][1] - y, at[q][2] - z})) * unit;
        const Vector v = u_lanes<form, Wanted::value>(u, set, r).value;
        total[q] += (valid & (r < L)) ? v : Vector{};
      }
    }
  }
  for (int q = 0; q < npos; ++q) value[q] = sum(total[q]);
}

template <LatticeKind kind, Form form, Wanted wanted>
RowSums sums(const URow& row, const Cloud& cloud, int spin, int64_t without, const double* at) {
  const Closest<kind> closest(row.rule());
  const UTable& u = row.table();
  const double L = u.term.L, unit = row.frame().unit;
  Vector value{}, gx{}, gy{}, gz{}, laplacian{};
  for (int other = 0; other < 2; ++other) {
    const double* const set = u.set(spin, other);
    const int64_t end = cloud.start[other] + cloud.count[other];
    for (int64_t j = cloud.start[other]; j < end; j += lanes) {
      const Three d = closest({at[0] - load(cloud.x + j), at[1] - load(cloud.y + j), at[2] - load(cloud.z + j)});
      const Vector distance = root(square_of(d)) * unit;
      const Mask inside = valid_lanes(j, end, without) & (distance < L);
      const Vector r = inside ? distance : fill(L);
      const RadialLanes f = u_lanes<form, wanted>(u, set, r);
      const Vector slope = inside ? f.first / r : Vector{};
      value += inside ? f.value : Vector{};
      gx += slope * d.x;
      gy += slope * d.y;
      gz += slope * d.z;
      if constexpr (wanted == Wanted::laplacian) laplacian += (inside ? f.second : Vector{}) + 2.0 * slope;
    }
  }
  RowSums s;
  s.value = sum(value);
  s.laplacian = sum(laplacian);
  const double g[3] = {sum(gx), sum(gy), sum(gz)};
  row.frame().out_of(g, s.gradient);
  return s;
}

}  // namespace

URow::URow(const Lattice& lattice, const Frame& frame, const UTable& u) : rule_(&lattice.images), frame_(&frame), u_(&u) {
  by_kind(lattice.images.kind, [&](auto kind) {
    const auto choose = [&](auto form) {
      value_ = values<kind(), form(), 1>;
      two_values_ = values<kind(), form(), 2>;
      gradient_ = sums<kind(), form(), Wanted::gradient>;
      laplacian_ = sums<kind(), form(), Wanted::laplacian>;
    };
    if (u.term.form == Form::bspline) choose(std::integral_constant<Form, Form::bspline>());
    else choose(std::integral_constant<Form, Form::polynomial>());
  });
}

}  // namespace suite::qmc
