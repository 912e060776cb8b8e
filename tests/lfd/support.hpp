// SPDX-License-Identifier: BSD-3-Clause
// Grids and orbitals for the tests of lfd.
#pragma once

#include "../common/call.hpp"

namespace lfd_test {

using namespace suite::test;
using Orbitals = Complexes;

// A grid, with the order of psi(Norb,Nz,Ny,Nx) and v(Nz,Ny,Nx).
struct Grid {
  int64_t n[3] = {1, 1, 1};
  double h[3] = {1, 1, 1};
  int64_t norb = 1;
  int64_t points() const { return n[0] * n[1] * n[2]; }
  double dr() const { return h[0] * h[1] * h[2]; }
  int64_t index(int64_t x, int64_t y, int64_t z) const { return z + n[2] * (y + n[1] * x); }
  int64_t at(int d, int64_t i) const { return d == 2 ? i % n[2] : d == 1 ? i / n[2] % n[1] : i / (n[2] * n[1]); }
  double r(int d, int64_t i) const { return static_cast<double>(at(d, i) - n[d] / 2) * h[d]; }
  int64_t step(int64_t i, int d, int64_t by) const {
    int64_t p[] = {at(0, i), at(1, i), at(2, i)};
    p[d] = (p[d] + by + n[d]) % n[d];
    return index(p[0], p[1], p[2]);
  }
  std::vector<int64_t> psi_extents() const { return {norb, n[2], n[1], n[0]}; }
  std::vector<int64_t> extents() const { return {n[2], n[1], n[0]}; }
  std::vector<int64_t> two_extents() const { return {n[2], n[1], n[0], 2}; }
  Numbers spacings() const { return {h[0], h[1], h[2]}; }
};

inline Orbitals random_orbitals(const Grid& g, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  Orbitals psi(static_cast<size_t>(g.norb * g.points()));
  for (Complex& x : psi) x = {normal(engine), normal(engine)};
  const double size = 1 / std::sqrt(2 * static_cast<double>(g.points()) * g.dr());
  for (Complex& x : psi) x *= size;
  return psi;
}

// <psi_m|psi_n>.
inline Complex overlap(const Grid& g, const Orbitals& psi, int64_t m, int64_t n) {
  Complex sum = 0;
  for (int64_t i = 0; i < g.points(); ++i) sum += std::conj(psi[m + g.norb * i]) * psi[n + g.norb * i];
  return sum * g.dr();
}

inline void orthonormalise(const Grid& g, Orbitals& psi) {
  for (int64_t n = 0; n < g.norb; ++n) {
    for (int pass = 0; pass < 2; ++pass)
      for (int64_t m = 0; m < n; ++m) {
        const Complex s = overlap(g, psi, m, n);
        for (int64_t i = 0; i < g.points(); ++i) psi[n + g.norb * i] -= s * psi[m + g.norb * i];
      }
    const double norm = std::sqrt(overlap(g, psi, n, n).real());
    for (int64_t i = 0; i < g.points(); ++i) psi[n + g.norb * i] /= norm;
  }
}

}  // namespace lfd_test
