// SPDX-License-Identifier: BSD-3-Clause
// One row of the u term: the sum over all electrons but one of u(|r_j - r|), and its derivatives by r.
// Polynomial: one Horner loop for u and both derivatives. B-splines: the four coefficients of each interval's
// cubic, found by lane.
#pragma once

#include "../call.hpp"
#include "frame.hpp"

namespace suite::qmc {

// What depends on the coefficients only.
struct UTable {
  UTerm term;
  std::vector<double> alpha;  // (nalpha,nset) as given
  std::vector<double> cubic;  // B-splines: (interval,4,set), in powers of the place inside an interval
  int64_t intervals = 0;

  UTable() = default;
  UTable(const UTerm& t, const double* coefficients) : term(t) {
    alpha.assign(coefficients, coefficients + t.nalpha * t.nset);
    if (t.form != Form::bspline) return;
    intervals = t.nalpha - 3;
    cubic.resize(static_cast<size_t>(intervals * 4 * t.nset));
    for (int set = 0; set < t.nset; ++set)
      for (int64_t i = 0; i < intervals; ++i) {
        const double *const c = &alpha[set * t.nalpha + i];
        double* const to = &cubic[set * 4 * intervals + i];
        to[0] = (c[0] + 4 * c[1] + c[2]) / 6;
        to[intervals] = (c[2] - c[0]) / 2;
        to[2 * intervals] = (c[0] - 2 * c[1] + c[2]) / 2;
        to[3 * intervals] = (c[3] - c[0] + 3 * (c[1] - c[2])) / 6;
      }
  }
  const double* set(int spin_i, int spin_j) const {
    const int s = set_of_pair(term.nset, spin_i, spin_j);
    return term.form == Form::bspline ? &cubic[s * 4 * intervals] : &alpha[s * term.nalpha];
  }
};

struct RadialLanes {
  Vector value, first, second;  // without derivatives: value only
};

template <bool derivatives>
inline RadialLanes polynomial_lanes(const UTable& u, const double* alpha, Vector r) {
  const int64_t n = u.term.nalpha;
  const double L = u.term.L;
  Vector p{}, p1{}, p2{};
  for (int64_t l = n; l-- > 0;) {
    if constexpr (derivatives) {
      p2 = p2 * r + p1;
      p1 = p1 * r + p;
    }
    p = p * r + alpha[l];
  }
  const Vector x = r - L, f2 = u.term.C == 3 ? x : fill(1.0), f1 = f2 * x, f = f1 * x;
  if constexpr (!derivatives) return {f * p, p1, p2};
  const double C = u.term.C;
  return {f * p, C * f1 * p + f * p1, C * (C - 1) * f2 * p + 2 * C * f1 * p1 + 2.0 * f * p2};
}

// table[index] by lane.
inline Vector look_up(const double* table, Mask index) {
#if defined(__AVX512F__)
  return _mm512_mask_i64gather_pd(_mm512_setzero_pd(), 0xff, (__m512i)index, table, 8);
#else
  Vector v{};
  for (int l = 0; l < lanes; ++l) v[l] = table[index[l]];
  return v;
#endif
}

template <bool derivatives>
inline RadialLanes bspline_lanes(const UTable& u, const double* cubic, Vector r) {
  const double inverse_h = static_cast<double>(u.intervals) / u.term.L;
  const Vector t = r * inverse_h;
  Mask i = __builtin_convertvector(t, Mask);
  i = i > u.intervals - 1 ? Mask{} + (u.intervals - 1) : i;  // beyond L: any, it counts nothing
  const Vector x = t - __builtin_convertvector(i, Vector);
  const Vector c0 = look_up(cubic, i), c1 = look_up(cubic + u.intervals, i),
               c2 = look_up(cubic + 2 * u.intervals, i), c3 = look_up(cubic + 3 * u.intervals, i);
  const Vector value = ((c3 * x + c2) * x + c1) * x + c0;
  if constexpr (!derivatives) return {value, x, x};
  return {value, ((3.0 * c3 * x + 2.0 * c2) * x + c1) * inverse_h,
          (6.0 * c3 * x + 2.0 * c2) * (inverse_h * inverse_h)};
}

template <Form form, bool derivatives>
inline RadialLanes u_lanes(const UTable& u, const double* coefficients, Vector r) {
  if constexpr (form == Form::bspline)
    return bspline_lanes<derivatives>(u, coefficients, r);
  else
    return polynomial_lanes<derivatives>(u, coefficients, r);
}

// Sum of u over all electrons but the one at place `without`, for one or two positions in the frame.
template <LatticeKind kind, Form form, int npos>
inline void u_values(const ImageRule& rule, double unit, const UTable& u, const Cloud& cloud, int spin,
                     int64_t without, const double (*at)[3], double* value) {
  const Closest<kind> closest(rule);
  const double L = u.term.L;
  Vector total[npos]{};
  for (int other = 0; other < 2; ++other) {
    const double* const set = u.set(spin, other);
    const int64_t end = cloud.start[other] + cloud.count[other];
    for (int64_t j = cloud.start[other]; j < end; j += lanes) {
      const Vector x = load(cloud.x + j), y = load(cloud.y + j), z = load(cloud.z + j);
      const Mask valid = valid_lanes(j, end, without);
      for (int q = 0; q < npos; ++q) {
        const Vector r = root(closest.square({at[q][0] - x, at[q][1] - y, at[q][2] - z})) * unit;
        const Vector v = u_lanes<form, false>(u, set, r).value;
        total[q] += (valid & (r < L)) ? v : Vector{};
      }
    }
  }
  for (int q = 0; q < npos; ++q) value[q] = sum(total[q]);
}

// Value, gradient (in the frame's axes, of Cartesian length) and Laplacian.
struct RowSums {
  double value, gradient[3], laplacian;
};
template <LatticeKind kind, Form form>
inline RowSums u_row(const ImageRule& rule, const Frame& frame, const UTable& u, const Cloud& cloud, int spin,
                     int64_t without, const double* at) {
  const Closest<kind> closest(rule);
  const double L = u.term.L, unit = frame.unit;
  Vector value{}, gx{}, gy{}, gz{}, laplacian{};
  for (int other = 0; other < 2; ++other) {
    const double* const set = u.set(spin, other);
    const int64_t end = cloud.start[other] + cloud.count[other];
    for (int64_t j = cloud.start[other]; j < end; j += lanes) {
      const Three d = closest({at[0] - load(cloud.x + j), at[1] - load(cloud.y + j), at[2] - load(cloud.z + j)});
      const Vector r = root(square_of(d)) * unit;
      const Mask inside = valid_lanes(j, end, without) & (r < L);
      const RadialLanes f = u_lanes<form, true>(u, set, r);
      const Vector slope = inside ? f.first / r : Vector{};
      value += inside ? f.value : Vector{};
      gx += slope * d.x;
      gy += slope * d.y;
      gz += slope * d.z;
      laplacian += (inside ? f.second : Vector{}) + 2.0 * slope;
    }
  }
  RowSums s{sum(value), {}, sum(laplacian)};
  const double g[3] = {sum(gx), sum(gy), sum(gz)};
  frame.out_of(g, s.gradient);
  return s;
}

}  // namespace suite::qmc
