// SPDX-License-Identifier: BSD-3-Clause
// Closest images of many electrons at a time. Positions are kept in the frame in which the lattice's rule
// (images.hpp) is shortest: for sc and bcc the cube's axes in units of its edge, for fcc in units of half the
// edge, else Cartesian; a row of pairs then has no product with a matrix.
#pragma once

#include "../lattice.hpp"
#include "kernels.hpp"

namespace suite::qmc {

struct Frame {
  double to[3][3], from[3][3];  // frame = to r, r = from frame
  double unit = 1;              // length of the frame's unit
  explicit Frame(const ImageRule& rule) {
    const bool cubic = rule.kind != LatticeKind::general;
    const double size = rule.kind == LatticeKind::face_centred ? rule.edge / 2 : rule.edge;
    const double inverse = rule.kind == LatticeKind::face_centred ? 2 * rule.inverse_edge : rule.inverse_edge;
    if (cubic) unit = size;
    for (int i = 0; i < 3; ++i)
      for (int d = 0; d < 3; ++d) {
        to[i][d] = cubic ? rule.axes[i][d] * inverse : i == d;
        from[d][i] = cubic ? rule.axes[i][d] * size : i == d;
      }
  }
  void into(const double* r, double* f) const { times(to, r, f); }
  void out_of(const double* f, double* r) const { times(from, f, r); }

private:
  static void times(const double (&m)[3][3], const double* x, double* y) {
    for (int i = 0; i < 3; ++i) y[i] = m[i][0] * x[0] + m[i][1] * x[1] + m[i][2] * x[2];
  }
};

struct Three {
  Vector x, y, z;
};
inline Vector square_of(const Three& v) { return v.x * v.x + v.y * v.y + v.z * v.z; }

// The rules of images.hpp for the lanes of vectors, in the frame's units.
template <LatticeKind kind> struct Closest;

template <> struct Closest<LatticeKind::simple_cubic> {
  explicit Closest(const ImageRule&) {}
  Three operator()(Three v) const { return {v.x - nearest(v.x), v.y - nearest(v.y), v.z - nearest(v.z)}; }
  Vector square(Three v) const { return square_of((*this)(v)); }
};

template <> struct Closest<LatticeKind::body_centred> {
  explicit Closest(const ImageRule&) {}
  Three operator()(Three v) const {
    const Three p = corner(v), q = centre(v);
    const Mask m = square_of(p) <= square_of(q);
    return {m ? p.x : q.x, m ? p.y : q.y, m ? p.z : q.z};
  }
  Vector square(Three v) const { return smaller(square_of(corner(v)), square_of(centre(v))); }

private:
  static Three corner(Three v) { return {v.x - nearest(v.x), v.y - nearest(v.y), v.z - nearest(v.z)}; }
  static Three centre(Three v) { return corner({v.x - 0.5, v.y - 0.5, v.z - 0.5}); }
};

template <> struct Closest<LatticeKind::face_centred> {
  explicit Closest(const ImageRule&) {}
  Three operator()(Three v) const {
    const Three n{nearest(v.x), nearest(v.y), nearest(v.z)};
    Three e{v.x - n.x, v.y - n.y, v.z - n.z};
    const Vector ax = magnitude(e.x), ay = magnitude(e.y), az = magnitude(e.z);
    const Mask odd = is_odd(n), x = (ax >= ay) & (ax >= az), y = ~x & (ay >= az);
    const Vector one = fill(1.0);
    e.x = (odd & x) ? e.x - with_sign(one, e.x) : e.x;
    e.y = (odd & y) ? e.y - with_sign(one, e.y) : e.y;
    e.z = (odd & ~x & ~y) ? e.z - with_sign(one, e.z) : e.z;
    return e;
  }
  // (1 - |e|)^2 = e^2 + 1 - 2 |e| of the component that moves.
  Vector square(Three v) const {
    const Three n{nearest(v.x), nearest(v.y), nearest(v.z)};
    const Three e{v.x - n.x, v.y - n.y, v.z - n.z};
    const Vector largest = larger(larger(magnitude(e.x), magnitude(e.y)), magnitude(e.z));
    return square_of(e) + (is_odd(n) ? 1.0 - 2.0 * largest : Vector{});
  }

private:
  static Mask is_odd(const Three& n) {
    const Vector half = (n.x + n.y + n.z) * 0.5;
    return nearest(half) != half;
  }
};

template <> struct Closest<LatticeKind::general> {
  explicit Closest(const ImageRule& rule) : rule_(rule) {}
  Three operator()(Three v) const {
    const double(&inverse)[3][3] = rule_.inverse;
    Vector n[3];
    for (int i = 0; i < 3; ++i) n[i] = nearest(inverse[i][0] * v.x + inverse[i][1] * v.y + inverse[i][2] * v.z);
    for (int i = 0; i < 3; ++i) subtract(v, n[i], rule_.basis[i]);
    for (bool moved = true; moved;) {
      Mask outside{};
      for (int i = 0; i < 7; ++i) {
        const double(&b)[3] = rule_.bound[i];
        const Vector t = (v.x * b[0] + v.y * b[1] + v.z * b[2]) * rule_.inverse_square[i];
        const Mask beyond = magnitude(t) > 0.5 + 1e-13;
        subtract(v, beyond ? nearest(t) : Vector{}, b);
        outside |= beyond;
      }
      moved = any(outside);
    }
    return v;
  }
  Vector square(Three v) const { return square_of((*this)(v)); }

private:
  static void subtract(Three& v, Vector n, const double (&b)[3]) {
    v.x -= n * b[0];
    v.y -= n * b[1];
    v.z -= n * b[2];
  }
  const ImageRule& rule_;
};

// f(std::integral_constant<LatticeKind, kind>).
template <class F> void by_kind(LatticeKind kind, F&& f) {
  using enum LatticeKind;
  switch (kind) {
    case simple_cubic: return f(std::integral_constant<LatticeKind, simple_cubic>());
    case face_centred: return f(std::integral_constant<LatticeKind, face_centred>());
    case body_centred: return f(std::integral_constant<LatticeKind, body_centred>());
    case general: return f(std::integral_constant<LatticeKind, general>());
  }
}

// The electrons of a walker in the frame, each spin from a new vector on; what lies behind a spin's last
// electron is at the origin and left out by a mask.
struct Cloud {
  double *x, *y, *z;
  int64_t start[2], count[2];

  static int64_t padded_count(const Electrons& e) { return padded(e.count(0)) + padded(e.count(1)); }
  static int64_t size(const Electrons& e) { return 3 * padded_count(e); }
  static Cloud in(double* memory, const Electrons& e) {
    const int64_t n = padded_count(e);
    return {memory, memory + n, memory + 2 * n, {0, padded(e.count(0))}, {e.count(0), e.count(1)}};
  }
  int64_t place(int64_t electron) const { return electron < count[0] ? electron : start[1] + electron - count[0]; }
  void set(int64_t electron, const double* f) const {
    const int64_t p = place(electron);
    x[p] = f[0];
    y[p] = f[1];
    z[p] = f[2];
  }
  void get(int64_t electron, double* f) const {
    const int64_t p = place(electron);
    f[0] = x[p];
    f[1] = y[p];
    f[2] = z[p];
  }
  void fill_from(const Frame& frame, const double* rele) const {
    for (int spin = 0; spin < 2; ++spin) {
      const double* const r = rele + 3 * (spin ? count[0] : 0);
      double *const px = x + start[spin], *const py = y + start[spin], *const pz = z + start[spin];
      double m[9];  // no element of the cloud
      for (int i = 0; i < 9; ++i) m[i] = frame.to[i / 3][i % 3];
      for (int64_t i = 0; i < count[spin]; i += lanes) {
        Vector a, b, c;
        load_three(r + 3 * i, count[spin] - i, a, b, c);
        store(px + i, m[0] * a + m[1] * b + m[2] * c);
        store(py + i, m[3] * a + m[4] * b + m[5] * c);
        store(pz + i, m[6] * a + m[7] * b + m[8] * c);
      }
    }
  }
};

// Lanes from `at` on that are inside a spin's `end` and not `without`.
inline Mask valid_lanes(int64_t at, int64_t end, int64_t without) {
  const Mask place = lane_numbers() + at;
  return (place < end) & (place != without);
}

}  // namespace suite::qmc
