// SPDX-License-Identifier: BSD-3-Clause
// Dense matrices on small grids: the Hamiltonian written down element by element, its exponential by Taylor
// series, scaling and squaring. Nothing here is shared with the kernels.
#pragma once

#include "support.hpp"

namespace lfd_test {

struct Matrix {
  int64_t n;
  std::vector<Complex> a;  // a(i,j) at [i + n j]
  explicit Matrix(int64_t size) : n(size), a(static_cast<size_t>(size * size)) {}
  Complex& operator()(int64_t i, int64_t j) { return a[i + n * j]; }
  const Complex& operator()(int64_t i, int64_t j) const { return a[i + n * j]; }
};

inline Matrix operator*(const Matrix& x, const Matrix& y) {
  Matrix product(x.n);
  for (int64_t j = 0; j < x.n; ++j)
    for (int64_t k = 0; k < x.n; ++k) {
      const double re = y(k, j).real(), im = y(k, j).imag();
      if (re == 0 && im == 0) continue;
      const auto* from = reinterpret_cast<const double*>(&x(0, k));
      auto* to = reinterpret_cast<double*>(&product(0, j));
      for (int64_t i = 0; i < x.n; ++i) {
        to[2 * i] += from[2 * i] * re - from[2 * i + 1] * im;
        to[2 * i + 1] += from[2 * i] * im + from[2 * i + 1] * re;
      }
    }
  return product;
}

// exp(factor H).
inline Matrix exponential(const Matrix& H, Complex factor) {
  double norm = 0;
  for (int64_t i = 0; i < H.n; ++i) {
    double row = 0;
    for (int64_t j = 0; j < H.n; ++j) row += std::abs(H(i, j));
    norm = std::max(norm, row);
  }
  norm *= std::abs(factor);
  int squarings = 0;
  while (norm > 0.5) norm /= 2, ++squarings;
  Matrix scaled = H, result(H.n);
  for (Complex& x : scaled.a) x *= factor * std::ldexp(1.0, -squarings);
  for (int64_t i = 0; i < H.n; ++i) result(i, i) = 1;
  Matrix term = result;
  for (int order = 1; order <= 18; ++order) {
    term = scaled * term;
    for (Complex& x : term.a) x /= order;
    for (size_t i = 0; i < term.a.size(); ++i) result.a[i] += term.a[i];
  }
  for (int i = 0; i < squarings; ++i) result = result * result;
  return result;
}

// Orbital n of psi replaced by M psi_n.
inline void apply(const Matrix& M, const Grid& g, Orbitals& psi, int64_t n) {
  Orbitals old(static_cast<size_t>(g.points()));
  for (int64_t i = 0; i < g.points(); ++i) old[i] = psi[n + g.norb * i];
  for (int64_t i = 0; i < g.points(); ++i) {
    Complex sum = 0;
    for (int64_t j = 0; j < g.points(); ++j) sum += M(i, j) * old[j];
    psi[n + g.norb * i] = sum;
  }
}

using Vector = std::array<double, 3>;

// Adds the kinetic energy of second-order differences with momentum A on the bonds.
inline void add_kinetic(Matrix& H, const Grid& g, const Vector& A) {
  for (int64_t i = 0; i < g.points(); ++i)
    for (int d = 0; d < 3; ++d) {
      if (g.n[d] == 1) continue;
      const double a = 0.5 / (g.h[d] * g.h[d]);
      const Complex forward = std::exp(Complex(0, A[d] * g.h[d]));
      H(i, i) += 2 * a;
      H(i, g.step(i, d, 1)) -= a * forward;
      H(i, g.step(i, d, -1)) -= a * std::conj(forward);
    }
}

// A nonlocal pseudopotential made for tests.
struct Nonlocal {
  int64_t nsphere, nproj, natom;
  std::vector<int32_t> point;
  Numbers displacement, beta, dnl;

  void set(Call& call) const {
    call.indices("nlpoint", point, {nsphere, natom});
    call.numbers("nldisp", displacement, {3, nsphere, natom});
    call.numbers("beta", beta, {nsphere, nproj, natom});
    call.numbers("dnl", dnl, {nproj, nproj, natom});
  }
  Complex B(int64_t i, int64_t j, int64_t atom, const Vector& A) const {
    const double* r = &displacement[3 * (i + nsphere * atom)];
    return std::exp(Complex(0, -(A[0] * r[0] + A[1] * r[1] + A[2] * r[2]))) * beta[i + nsphere * (j + nproj * atom)];
  }
};

inline void add_nonlocal(Matrix& H, const Grid& g, const Nonlocal& V, const Vector& A, int64_t only_atom = -1) {
  for (int64_t atom = 0; atom < V.natom; ++atom) {
    if (only_atom >= 0 && atom != only_atom) continue;
    for (int64_t i = 0; i < V.nsphere; ++i)
      for (int64_t j = 0; j < V.nsphere; ++j) {
        const int64_t p = V.point[i + V.nsphere * atom], q = V.point[j + V.nsphere * atom];
        if (p == 0 || q == 0) continue;
        for (int64_t a = 0; a < V.nproj; ++a)
          for (int64_t b = 0; b < V.nproj; ++b)
            H(p - 1, q - 1) += V.B(i, a, atom, A) * V.dnl[a + V.nproj * (b + V.nproj * atom)] * std::conj(V.B(j, b, atom, A)) * g.dr();
      }
  }
}

// Projectors exp(-r^2/w) times 1, x, y + z/2 around `centers` (grid points), not orthogonal to each other, on
// all points within `radius`; the last projector has no coefficients and some points are padding.
inline Nonlocal some_nonlocal(const Grid& g, const std::vector<int64_t>& centers, double radius, double strength) {
  std::vector<std::vector<int64_t>> spheres;
  std::vector<std::vector<Vector>> displacements;
  size_t most = 0;
  for (const int64_t center : centers) {
    spheres.emplace_back();
    displacements.emplace_back();
    for (int64_t i = 0; i < g.points(); ++i) {
      Vector r{};
      double r2 = 0;
      for (int d = 0; d < 3; ++d) {
        const double L = static_cast<double>(g.n[d]) * g.h[d];
        r[d] = g.r(d, i) - g.r(d, center) - 0.1 * g.h[d];
        r[d] -= L * std::round(r[d] / L);
        r2 += r[d] * r[d];
      }
      if (r2 > radius * radius) continue;
      spheres.back().push_back(i);
      displacements.back().push_back(r);
    }
    most = std::max(most, spheres.back().size());
  }
  Nonlocal V{static_cast<int64_t>(most) + 3, 4, static_cast<int64_t>(centers.size()), {}, {}, {}, {}};
  V.point.resize(V.nsphere * V.natom);
  V.displacement.resize(3 * V.nsphere * V.natom);
  V.beta.resize(V.nsphere * V.nproj * V.natom, 7.0);  // of padding, which must not matter
  V.dnl.resize(V.nproj * V.nproj * V.natom);
  for (int64_t atom = 0; atom < V.natom; ++atom) {
    for (size_t i = 0; i < spheres[atom].size(); ++i) {
      const Vector& r = displacements[atom][i];
      V.point[i + V.nsphere * atom] = static_cast<int32_t>(spheres[atom][i] + 1);
      for (int d = 0; d < 3; ++d) V.displacement[d + 3 * (i + V.nsphere * atom)] = r[d];
      const double gauss = std::exp(-(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]) / (0.5 * radius * radius));
      const double shapes[] = {1, r[0], r[1] + 0.5 * r[2], r[0] * r[1]};
      for (int64_t j = 0; j < V.nproj; ++j) V.beta[i + V.nsphere * (j + V.nproj * atom)] = shapes[j] * gauss;
    }
    double* D = &V.dnl[V.nproj * V.nproj * atom];
    const auto set = [&](int64_t a, int64_t b, double x) { D[a + V.nproj * b] = D[b + V.nproj * a] = strength * x; };
    set(0, 0, 1.0);
    set(0, 1, 0.3);
    set(1, 1, -0.7);
    set(2, 2, 0.5);
  }
  return V;
}

}  // namespace lfd_test
