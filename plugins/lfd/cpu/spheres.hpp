// SPDX-License-Identifier: BSD-3-Clause
// The nonlocal pseudopotential on the rows of orbitals at the points of a sphere: psi += B K B^H psi dr, as
// two thin matrix products of a block of orbitals, a few projectors at a time in registers.
//
// For chi(r) = e^{i(A+k).r} psi(r) the phases e^{-i(A+k).(r-R)} of the projectors are the same at all points
// of a sphere, and cancel, except where the sphere reaches across the border of the cell: there r - R differs
// from the grid's by a lattice vector, the point's image. Rows says what phase is left.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "../call.hpp"
#include "lanes.hpp"

namespace suite::lfd {

struct Sphere {
  std::vector<int32_t> point;           // from 0, in the order of v(Nz,Ny,Nx)
  std::vector<Three> displacement;      // r - R of each point
  std::vector<int32_t> image;           // of each point
  std::vector<Three> shift;             // of each image, from image 0
  std::vector<double> beta;             // [point][nproj]
  std::vector<std::complex<double>> K;  // [nproj][nproj], times hx hy hz
  std::vector<double> D;                // [nproj][nproj]
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

// A Rows has load(p, re, im), which gives the row of a sphere's p-th point with its phase, and add(p, re,
// im), which takes the phase back and adds to the row.

// c[2 projector], c[2 projector + 1]: sum_p weight_p beta_p row_p of the projectors from `first`.
template <class T, int P, class Rows, class Weight>
[[gnu::always_inline]] inline void project_some(const Sphere& s, int64_t nproj, int64_t first, const Rows& rows, Weight&& weight,
                                                Vector<T>* c) {
  Vector<T> sum[2 * P] = {};
  const int64_t count = static_cast<int64_t>(s.point.size());
  for (int64_t p = 0; p < count; ++p) {
    Vector<T> re, im;
    rows.load(p, re, im);
    const double* const beta = s.beta.data() + p * nproj + first;
    for (int q = 0; q < P; ++q) {
      const T b = static_cast<T>(weight(p) * beta[q]);
      sum[2 * q] += b * re;
      sum[2 * q + 1] += b * im;
    }
  }
  for (int q = 0; q < 2 * P; ++q) c[q] = sum[q];
}

template <class T, class Rows, class Weight> void project(const Sphere& s, int64_t nproj, const Rows& rows, Weight&& weight, Vector<T>* c) {
  int64_t q = 0;
  for (; q + 8 <= nproj; q += 8) project_some<T, 8>(s, nproj, q, rows, weight, c + 2 * q);
  for (; q + 4 <= nproj; q += 4) project_some<T, 4>(s, nproj, q, rows, weight, c + 2 * q);
  for (; q + 2 <= nproj; q += 2) project_some<T, 2>(s, nproj, q, rows, weight, c + 2 * q);
  for (; q < nproj; ++q) project_some<T, 1>(s, nproj, q, rows, weight, c + 2 * q);
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
  const int64_t count = static_cast<int64_t>(s.point.size());
  for (int64_t p = 0; p < count; ++p) {
    Vector<T> re{}, im{};
    for (int64_t q = 0; q < nproj; ++q) {
      const T b = static_cast<T>(s.beta[p * nproj + q]);
      re += b * workspace[2 * q];
      im += b * workspace[2 * q + 1];
    }
    rows.add(p, re, im);
  }
}

// workspace, here and below: 4 nproj vectors.
template <class T, class Rows>
void propagate_sphere(const Sphere& s, int64_t nproj, const Rows& rows, double factor, Vector<T>* workspace) {
  project<T>(
      s, nproj, rows, [](int64_t) { return 1.0; }, workspace);
  add_projectors<T>(s, nproj, rows, factor, workspace, workspace + 2 * nproj);
}

// What V_nl gives of each orbital of a block: its energy <V_nl>, sum D_ij Re c_i* c_j, with axis < 0, or its
// part of the current along an axis, -2 Im sum D_ij c_i* m_j, m = <B|(r - R)|psi>.
template <class T, class Rows>
Vector<T> expectation(const Sphere& s, int64_t nproj, const Rows& rows, double volume, int axis, Vector<T>* workspace) {
  Vector<T>*const c = workspace, *const m = axis < 0 ? c : c + 2 * nproj;
  project<T>(
      s, nproj, rows, [](int64_t) { return 1.0; }, c);
  if (axis >= 0)
    project<T>(
        s, nproj, rows, [&](int64_t p) { return s.displacement[p].x[axis]; }, m);
  Vector<T> sum{};
  for (int64_t i = 0; i < nproj; ++i)
    for (int64_t j = 0; j < nproj; ++j) {
      const T d = static_cast<T>((axis < 0 ? 1 : -2) * volume * volume * s.D[i * nproj + j]);
      sum += axis < 0 ? d * (c[2 * i] * m[2 * j] + c[2 * i + 1] * m[2 * j + 1]) : d * (c[2 * i] * m[2 * j + 1] - c[2 * i + 1] * m[2 * j]);
    }
  return sum;
}

}  // namespace suite::lfd
