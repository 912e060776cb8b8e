// SPDX-License-Identifier: BSD-3-Clause
// The nonlocal pseudopotential on the rows of orbitals at the points of a sphere: psi += B K B^H psi dr, as
// two thin matrix products of a block of orbitals, a few projectors at a time in registers.
//
// For chi(r) = e^{i(A+k).r} psi(r) the phases e^{-i(A+k).(r-R)} of the projectors are the same at all points
// of a sphere, and cancel, except where the sphere reaches across the border of the cell: there r - R differs
// from the grid's by a lattice vector, the point's image. Rows says what phase is left.
#pragma once

#include <algorithm>
#include <complex>
#include <cstdint>
#include <utility>
#include <vector>

#include "../call.hpp"
#include "phases.hpp"

namespace suite::lfd {

struct Sphere {
  std::vector<int32_t> point;           // from 0, in the order of v(Nz,Ny,Nx)
  std::vector<Three> displacement;      // r - R of each point
  std::vector<int32_t> image;           // of each point
  std::vector<Three> shift;             // of each image, from image 0
  std::vector<double> beta;             // [point][nproj]
  std::vector<float> single_beta;       // the same, of calls in single precision
  std::vector<std::complex<double>> K;  // [nproj][nproj], times hx hy hz
  std::vector<double> D;                // [nproj][nproj]

  const double* projectors(double) const { return beta.data(); }
  const float* projectors(float) const { return single_beta.data(); }
};

struct Spheres {
  Spheres() = default;
  // tau: the time of the exponential K; 0 where none is wanted. images: whether points have the image that
  // chi's phase across the border depends on; else all have image 0.
  Spheres(const Grid& grid, const line::Nonlocal& V, double tau, bool images);

  int64_t nproj = 0;
  std::vector<Sphere> atoms;
  bool empty() const { return atoms.empty(); }
};

// e^{iq.(r-R)} of a sphere's points, [point][re,im]; without `whole` e^{iq.shift}, the phase of their images.
template <class T> void sphere_phases(const Sphere& sphere, const Three& q, bool whole, T* to) {
  const int64_t count = std::ssize(sphere.point);
  for (int64_t p = 0; p < count; p += lanes<T>) {
    double angle[lanes<T>] = {};
    const int64_t there = std::min<int64_t>(lanes<T>, count - p);
    for (int64_t l = 0; l < there; ++l) {
      const double* const r = whole ? sphere.displacement[p + l].x : sphere.shift[sphere.image[p + l]].x;
      angle[l] = q.x[0] * r[0] + q.x[1] * r[1] + q.x[2] * r[2];
    }
    Vector<T> cosine, sine;
    cos_sin(0.0, Vector<T>{}, angle, cosine, sine);
    for (int64_t l = 0; l < there; ++l) to[2 * (p + l)] = cosine[l], to[2 * (p + l) + 1] = sine[l];
  }
}

// A Rows has load(p, re, im), which gives the row of a sphere's p-th point with its phase, and add(p, re,
// im), which takes the phase back and adds to the row.

// f(P, first): P projectors from `first`, as few groups of them as the sums of a group fit into registers.
template <class F> [[gnu::always_inline]] inline void each_group(int64_t nproj, F&& f) {
  constexpr int64_t most = vector_bytes == 64 ? 8 : 6;
  for (int64_t first = 0, groups = (nproj + most - 1) / most; groups > 0; --groups) {
    const int64_t size = (nproj - first + groups - 1) / groups;
    switch (size) {
      case 1: f(std::integral_constant<int, 1>{}, first); break;
      case 2: f(std::integral_constant<int, 2>{}, first); break;
      case 3: f(std::integral_constant<int, 3>{}, first); break;
      case 4: f(std::integral_constant<int, 4>{}, first); break;
      case 5: f(std::integral_constant<int, 5>{}, first); break;
      case 6: f(std::integral_constant<int, 6>{}, first); break;
      case 7:
        if constexpr (most > 6) f(std::integral_constant<int, 7>{}, first);
        break;
      default:
        if constexpr (most > 6) f(std::integral_constant<int, 8>{}, first);
    }
    first += size;
  }
}

// c[2 projector], c[2 projector + 1]: sum_p beta_p row_p of P projectors from `first`; so many points at a time that
// a sum does not wait for the one before.
template <class T, int P, class Rows>
[[gnu::always_inline]] inline void project_some(const Sphere& s, int64_t nproj, int64_t first, const Rows& rows, Vector<T>* c) {
  constexpr int points = P >= 4 ? 1 : P >= 2 ? 2 : 4;
  Vector<T> sum[points][2 * P] = {};
  const int64_t count = std::ssize(s.point);
  const T* beta = s.projectors(T()) + first;
  const auto add = [&](int64_t p, Vector<T> * to) __attribute__((always_inline)) {
    Vector<T> re, im;
    rows.load(p, re, im);
    for (int q = 0; q < P; ++q) {
      to[2 * q] += beta[q] * re;
      to[2 * q + 1] += beta[q] * im;
    }
    beta += nproj;
  };
  int64_t p = 0;
  for (; p + points <= count; p += points)
    for (int u = 0; u < points; ++u) add(p + u, sum[u]);
  for (; p < count; ++p) add(p, sum[0]);
  for (int q = 0; q < 2 * P; ++q) {
    c[q] = sum[0][q];
    for (int u = 1; u < points; ++u) c[q] += sum[u][q];
  }
}

template <class T, class Rows> void project(const Sphere& s, int64_t nproj, const Rows& rows, Vector<T>* c) {
  each_group(nproj, [&](auto P, int64_t first) { project_some<T, P()>(s, nproj, first, rows, c + 2 * first); });
}

// f(p, re, im) of sum_q beta_pq c_q over P projectors from `first`, for all points.
template <class T, int P, class F>
[[gnu::always_inline]] inline void each_combination(const Sphere& s, int64_t nproj, int64_t first, const Vector<T>* c, F&& f) {
  Vector<T> own[2 * P];
  for (int q = 0; q < 2 * P; ++q) own[q] = c[2 * first + q];
  const int64_t count = std::ssize(s.point);
  const T* beta = s.projectors(T()) + first;
  for (int64_t p = 0; p < count; ++p, beta += nproj) {
    Vector<T> re = beta[0] * own[0], im = beta[0] * own[1];
    for (int q = 1; q < P; ++q) {
      re += beta[q] * own[2 * q];
      im += beta[q] * own[2 * q + 1];
    }
    f(p, re, im);
  }
}

// rows += B K c factor. workspace: 2 nproj vectors.
template <class T, class Rows>
void add_projectors(const Sphere& s, int64_t nproj, const Rows& rows, double factor, const Vector<T>* c, Vector<T>* workspace) {
  for (int64_t i = 0; i < nproj; ++i) {
    Vector<T> re{}, im{};
    for (int64_t j = 0; j < nproj; ++j) {
      const std::complex<double> k = factor * s.K[i * nproj + j];
      const T x = static_cast<T>(k.real()), y = static_cast<T>(k.imag());
      re += x * c[2 * j] - y * c[2 * j + 1];
      im += x * c[2 * j + 1] + y * c[2 * j];
    }
    workspace[2 * i] = re;
    workspace[2 * i + 1] = im;
  }
  each_group(nproj, [&](auto P, int64_t first) {
    each_combination<T, P()>(
        s, nproj, first, workspace, [&](int64_t p, Vector<T> re, Vector<T> im) __attribute__((always_inline)) { rows.add(p, re, im); });
  });
}

// workspace, here and below: 4 nproj vectors.
template <class T, class Rows>
void propagate_sphere(const Sphere& s, int64_t nproj, const Rows& rows, double factor, Vector<T>* workspace) {
  project<T>(s, nproj, rows, workspace);
  add_projectors<T>(s, nproj, rows, factor, workspace, workspace + 2 * nproj);
}

// The energy <V_nl> of each orbital of a block, sum D_ij Re c_i* c_j.
template <class T, class Rows>
Vector<T> energy_of_sphere(const Sphere& s, int64_t nproj, const Rows& rows, double volume, Vector<T>* workspace) {
  Vector<T>* const c = workspace;
  project<T>(s, nproj, rows, c);
  Vector<T> sum{};
  for (int64_t i = 0; i < nproj; ++i)
    for (int64_t j = 0; j < nproj; ++j)
      sum += static_cast<T>(volume * volume * s.D[i * nproj + j]) * (c[2 * i] * c[2 * j] + c[2 * i + 1] * c[2 * j + 1]);
  return sum;
}

// Adds V_nl's part of the current of each orbital to j[3], -2 Im sum D_ij c_i* m_j with m = <B|(r - R)|psi>. With the
// sum over i and j taken before the one over points, sum_p (r - R)_p Im w_p* psi_p of w = -2 sum_j beta_j (D c)_j, one
// more sweep gives all directions, for little more than <V_nl>.
template <class T, class Rows>
void add_current_of_sphere(const Sphere& s, int64_t nproj, const Rows& rows, double volume, Vector<T>* workspace, Vector<T>* j) {
  Vector<T>*const c = workspace, *const d = c + 2 * nproj;
  project<T>(s, nproj, rows, c);
  for (int64_t q = 0; q < nproj; ++q) {
    d[2 * q] = d[2 * q + 1] = Vector<T>{};
    for (int64_t i = 0; i < nproj; ++i) {
      const T factor = static_cast<T>(-2 * volume * volume * s.D[i * nproj + q]);
      d[2 * q] += factor * c[2 * i];
      d[2 * q + 1] += factor * c[2 * i + 1];
    }
  }
  each_group(nproj, [&](auto P, int64_t first) {
    Vector<T> x{}, y{}, z{};
    each_combination<T, P()>(
        s, nproj, first, d, [&](int64_t p, Vector<T> w_re, Vector<T> w_im) __attribute__((always_inline)) {
          Vector<T> re, im;
          rows.load(p, re, im);
          const Vector<T> flow = w_re * im - w_im * re;
          const double* const r = s.displacement[p].x;
          x += static_cast<T>(r[0]) * flow;
          y += static_cast<T>(r[1]) * flow;
          z += static_cast<T>(r[2]) * flow;
        });
    j[0] += x, j[1] += y, j[2] += z;
  });
}

}  // namespace suite::lfd
