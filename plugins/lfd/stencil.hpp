// SPDX-License-Identifier: BSD-3-Clause
// The arrays of lfd.hpsi, its checks, and the weights of its stencil, for host and device. Axes are those of the arrays, the fastest
// first.
#pragma once

#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "call.hpp"
#include "functional.hpp"
#include "parameters.hpp"

namespace suite::lfd {

inline constexpr int most_neighbours = 4;

// The parameters of lfd.hpsi, which begin with them: differences, axes, vector_potential.
struct HpsiChoices {
  static constexpr int count = 3;
  explicit HpsiChoices(const int64_t* p) : radius(static_cast<int>(p[0]) + 1), xyz(p[1] != 0), bonds(p[2] != 0) {}
  int radius;
  bool xyz, bonds;
  int direction(int axis) const { return xyz ? axis : 2 - axis; }
};

enum class Boundary { periodic, zeros, ghosts };

// Coefficients of the second and the first derivative at h = 1: c_0, c_1, .. and d_1, ..
struct Differences {
  double c[1 + most_neighbours], d[most_neighbours];
};
inline constexpr Differences differences_of_radius[most_neighbours] = {
    {{-2, 1}, {0.5}},
    {{-5.0 / 2, 4.0 / 3, -1.0 / 12}, {2.0 / 3, -1.0 / 12}},
    {{-49.0 / 18, 3.0 / 2, -3.0 / 20, 1.0 / 90}, {3.0 / 4, -3.0 / 20, 1.0 / 60}},
    {{-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560}, {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280}},
};

// T0, E and O of lfd.hpp along one axis, for A + k = q along it. An axis that does not exist has zeros.
struct AxisStencil {
  Differences of{};
  double h = 1;
  int direction = 0, radius = 0;
  bool exists = false, bonds = false;

  SUITE_HOST_DEVICE double center(double q) const {
    if (!exists) return 0;
    return (bonds ? 0 : 0.5 * q * q) - of.c[0] / (2 * h * h);
  }
  SUITE_HOST_DEVICE double even(int m, double q) const {
    if (!exists) return 0;
    const double t = -of.c[m] / (2 * h * h);
    return bonds ? t * ::cos(m * q * h) : t;
  }
  SUITE_HOST_DEVICE double odd(int m, double q) const {
    if (!exists) return 0;
    return bonds ? -of.c[m] / (2 * h * h) * ::sin(m * q * h) : -q * of.d[m - 1] / h;
  }
};

// The arrays of a call.
struct HpsiArrays {
  int64_t nfast = 0, nslow = 0;
  int64_t n[3] = {1, 1, 1}, low[3] = {0, 0, 0}, m[3] = {1, 1, 1};  // points of the grid, ghosts below it, and all of psi
  Boundary boundary[3] = {};
  AxisStencil axis[3];
  bool complex = false;

  int64_t norb() const { return nfast * nslow; }
  int64_t points() const { return n[0] * n[1] * n[2]; }
  int64_t slice() const { return nfast * m[0] * m[1] * m[2]; }  // elements of one slow index
  // From point to point along an axis, in elements of psi; the first point of the grid.
  int64_t stride(int a) const { return a == 0 ? nfast : a == 1 ? nfast * m[0] : nfast * m[0] * m[1]; }
  int64_t first() const { return low[0] * stride(0) + low[1] * stride(1) + low[2] * stride(2); }
  // As the other kernels have grids, with z fastest: for the points of a nonlocal pseudopotential and their volume.
  Grid grid() const {
    Grid g;
    g.norb = norb();
    for (int a = 0; a < 3; ++a) {
      g.n[2 - a] = n[a];
      g.h[2 - a] = axis[a].h;
    }
    return g;
  }
  // Where point i, numbered as in v from 0, lies in psi.
  int64_t place(int64_t i) const { return first() + i % n[0] * stride(0) + i / n[0] % n[1] * stride(1) + i / (n[0] * n[1]) * stride(2); }
};

// Throws what is wrong with a call. Pointers are to host memory; ghost, boundary and spin may be null.
inline HpsiArrays hpsi_arrays(const Hpsi& c, const HpsiChoices& chosen, const double* h, const int32_t* ghost, const int32_t* boundary,
                              const int32_t* spin) {
  static constexpr const char* names[] = {"x", "y", "z"};
  const auto refuse = [](const std::string& sentence) { throw Failure(SUITE_INVALID_ARGUMENT, sentence); };
  HpsiArrays all;
  detail::check_spacings(h);
  check_precision("psi", c.psi, "v", c.v);
  all.nfast = c.psi.extent(0);
  all.nslow = c.psi.extent(4);
  all.complex = c.psi.is<element::complex>() || c.psi.is<element::single_complex>();
  if (!all.complex && (c.A || c.k)) refuse(std::string(c.A ? "A" : "k") + " is set but psi is real; A and k need complex wavefunctions");
  if (c.k && c.k.extent(1) != all.norb())
    refuse(
        concat("Norb is ", c.k.extent(1), " in k but psi has ", all.norb(), " orbitals (Nfast is ", all.nfast, ", Nslow ", all.nslow, ")"));
  if (c.spin && c.spin.extent(0) != all.norb())
    refuse(concat("Norb is ", c.spin.extent(0), " in spin but psi has ", all.norb(), " orbitals (Nfast is ", all.nfast, ", Nslow ",
                  all.nslow, ")"));
  for (int64_t i = 0; spin && i < all.norb(); ++i)
    if (spin[i] < 1 || spin[i] > c.v.extent(3))
      refuse(concat("spin(", i + 1, ") is ", spin[i], "; v has nspin = ", c.v.extent(3), " potentials, so it must be from 1 to ",
                    c.v.extent(3)));
  for (int a = 0; a < 3; ++a) {
    const int d = chosen.direction(a);
    all.n[a] = c.v.extent(a);
    all.m[a] = c.psi.extent(1 + a);
    const int64_t low = ghost ? ghost[2 * d] : 0, high = ghost ? ghost[2 * d + 1] : 0;
    if (low < 0 || high < 0)
      refuse(concat("ghost of direction ", names[d], " is ", low, " below and ", high, " above the grid; neither may be negative"));
    if (all.m[a] != all.n[a] + low + high)
      refuse(concat("M", a + 1, " is ", all.m[a], " in psi but the grid of v has N", a + 1, " = ", all.n[a],
                    " points and ghost of direction ", names[d], " is ", low, " below and ", high, " above"));
    all.low[a] = low;
    const int32_t edge = boundary ? boundary[d] : 0;
    if (edge < 0 || edge > 2)
      refuse(concat("boundary of direction ", names[d], " is ", edge, "; it must be one of 0 (periodic), 1 (zeros), 2 (ghost points)"));
    all.boundary[a] = static_cast<Boundary>(edge);
    if (edge == 2 && (low < chosen.radius || high < chosen.radius))
      refuse(concat("boundary of direction ", names[d], " is 2, but ghost is ", low, " below and ", high,
                    " above; these differences reach ", chosen.radius, " points"));
    all.axis[a] = {differences_of_radius[chosen.radius - 1], h[d], d, chosen.radius, all.n[a] > 1 || edge != 0, chosen.bonds};
  }
  return all;
}

// A + k of all orbitals: those that differ, and which one each orbital has. Orbitals of one k stand together in most hosts, so that the
// search begins at the last one found.
struct CallMomenta {
  std::vector<Three> different;
  std::vector<int32_t> of_orbital;

  // A, k: three and (3,norb) numbers, or null.
  CallMomenta(int64_t norb, const double* A, const double* k) {
    for (int64_t n = 0; n < norb; ++n) {
      Three q;
      for (int d = 0; d < 3; ++d) q.x[d] = (A ? A[d] : 0) + (k ? k[3 * n + d] : 0);
      size_t i = different.size();
      while (i > 0 && !equal(different[i - 1], q)) --i;
      if (i == 0) {
        different.push_back(q);
        i = different.size();
      }
      of_orbital.push_back(static_cast<int32_t>(i - 1));
    }
  }
  const Three& operator[](int64_t orbital) const { return different[static_cast<size_t>(of_orbital[static_cast<size_t>(orbital)])]; }
  static bool equal(const Three& a, const Three& b) { return a.x[0] == b.x[0] && a.x[1] == b.x[1] && a.x[2] == b.x[2]; }
};

// Where a point of an axis is found: its number in the grid, or beyond it where ghosts are read, or nothing.
struct Neighbour {
  bool there;
  int64_t at;
};
inline Neighbour neighbour_along(const HpsiArrays& all, int a, int64_t i) {
  const int64_t n = all.n[a];
  if ((i >= 0 && i < n) || all.boundary[a] == Boundary::ghosts) return {true, i};
  if (all.boundary[a] == Boundary::zeros) return {false, 0};
  const int64_t around = i < 0 ? i + n : i - n;
  return {true, around >= 0 && around < n ? around : ((i % n) + n) % n};
}

}  // namespace suite::lfd
