// SPDX-License-Identifier: BSD-3-Clause
// What every implementation checks before it computes, with the same sentences, and the sizes it reads off
// the arguments. Pointers are to host memory: an implementation on a device fetches the few numbers of h and
// the index lists first.
#pragma once

#include <cmath>
#include <complex>
#include <cstdio>
#include <string>
#include <vector>

#include "lfd.hpp"
#include "spectrum.hpp"

namespace suite::lfd {

struct Grid {
  int64_t norb = 0;
  int64_t n[3] = {1, 1, 1};  // Nx, Ny, Nz
  double h[3] = {1, 1, 1};
  int64_t points() const { return n[0] * n[1] * n[2]; }
  double volume_element() const { return h[0] * h[1] * h[2]; }
};

// Elements in the precision T of a call: c.psi.as<complex_of<T>>(), c.vloc.as<real_of<T>>().
template <class T> using complex_of = element::Element<std::complex<T>, type_of<std::complex<T>>>;
template <class T> using real_of = element::Element<T, type_of<T>>;

namespace detail {

inline std::string value(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.7g", x);
  return text;
}

inline void check_extents(const int64_t* n) {
  static constexpr const char* names[] = {"Nx", "Ny", "Nz"};
  for (int d = 0; d < 3; ++d)
    if (n[d] != 1 && n[d] % 2 != 0)
      throw Failure(SUITE_INVALID_ARGUMENT, concat(names[d], " is ", n[d], "; it must be even, or 1 for a direction that does not exist"));
}

inline void check_spacings(const double* h) {
  static constexpr const char* names[] = {"x", "y", "z"};
  for (int d = 0; d < 3; ++d)
    if (!(h[d] > 0) || !std::isfinite(h[d]))
      throw Failure(SUITE_INVALID_ARGUMENT,
                    std::string("h of direction ") + names[d] + " is " + value(h[d]) + " bohr; a grid spacing must be positive");
}

}  // namespace detail

// psi(Norb,Nz,Ny,Nx). Without h (pot_prop, periodic_bc) the spacings stay 1.
template <bool changes> Grid orbital_grid(const Argument<any_complex, 4, changes>& psi, const double* h = nullptr) {
  Grid g;
  g.norb = psi.extent(0);
  for (int d = 0; d < 3; ++d) g.n[d] = psi.extent(3 - d);
  detail::check_extents(g.n);
  if (h) {
    detail::check_spacings(h);
    for (int d = 0; d < 3; ++d) g.h[d] = h[d];
  }
  return g;
}

// v(Nz,Ny,Nx), and vH(Nz,Ny,Nx,2).
template <int rank, bool changes> Grid field_grid(const Argument<any_real, rank, changes>& v, const double* h = nullptr) {
  Grid g;
  for (int d = 0; d < 3; ++d) g.n[d] = v.extent(2 - d);
  detail::check_extents(g.n);
  if (h) {
    detail::check_spacings(h);
    for (int d = 0; d < 3; ++d) g.h[d] = h[d];
  }
  return g;
}

// psi and the fields of one call have one precision.
template <class First, class Second>
void check_precision(const char* first_name, const First& first, const char* second_name, const Second& second) {
  const bool single = is_single(first.array());
  if (single == is_single(second.array())) return;
  const auto word = [](bool is_single) { return is_single ? "single" : "double"; };
  throw Failure(SUITE_INVALID_ARGUMENT, std::string(first_name) + " is in " + word(single) + " and " + second_name + " in " +
                                            word(!single) +
                                            " precision; wavefunctions and fields of one call must have the same precision");
}

// Whether there is a nonlocal pseudopotential: all four of its arrays are set, or none.
inline bool has_nonlocal(const line::Nonlocal& V) {
  const bool is_there[] = {bool(V.nlpoint), bool(V.nldisp), bool(V.beta), bool(V.dnl)};
  const char *set = nullptr, *unset = nullptr;
  for (int i = 0; i < 4; ++i) (is_there[i] ? set : unset) = rows<line::Nonlocal>[i].name;
  if (set && unset)
    throw Failure(SUITE_INVALID_ARGUMENT, std::string(set) + " is set but " + unset +
                                              " is not; a nonlocal pseudopotential needs all of nlpoint, nldisp, "
                                              "beta and dnl");
  return set != nullptr;
}

// Every point of a sphere lies on the grid and occurs once; padding (0) stands at the end.
inline void check_spheres(const int32_t* nlpoint, int64_t nsphere, int64_t natom, int64_t points) {
  std::vector<int32_t> last_atom(static_cast<size_t>(points), -1);
  for (int64_t atom = 0; atom < natom; ++atom) {
    bool ended = false;
    for (int64_t i = 0; i < nsphere; ++i) {
      const int64_t p = nlpoint[i + nsphere * atom];
      const auto element = [&] { return concat("nlpoint(", i + 1, ",", atom + 1, ") is ", p); };
      if (p < 0 || p > points)
        throw Failure(SUITE_INVALID_ARGUMENT, concat(element(), "; it must be from 1 to ", points, ", or 0 as padding"));
      if (p == 0) {
        ended = true;
        continue;
      }
      if (ended) throw Failure(SUITE_INVALID_ARGUMENT, element() + " after padding; padding must come last");
      if (last_atom[p - 1] == atom)
        throw Failure(SUITE_INVALID_ARGUMENT, element() + ", which this atom already has; each point must occur once");
      last_atom[p - 1] = static_cast<int32_t>(atom);
    }
  }
}

struct FieldConstants {
  double kappa = 0, gamma = 0;
  int64_t steps = 1;
};

// kappa, gamma and field_steps with what stands for unset ones, inside the field's stability.
inline FieldConstants field_constants(const Grid& grid, const line::WaveEquation& wave) {
  FieldConstants c;
  c.gamma = wave.gamma;
  if (!(c.gamma >= 0 && c.gamma < 2))
    throw Failure(SUITE_INVALID_ARGUMENT, "gamma is " + detail::value(c.gamma) + "; it must be at least 0 and less than 2");
  const double lambda = largest_eigenvalue(grid.n, grid.h);
  const double limit = lambda > 0 ? (4 - 2 * c.gamma) / lambda : HUGE_VAL;
  c.kappa = wave.kappa.is_set() ? wave.kappa : lambda > 0 ? 0.9 * limit : 0.0;
  if (!(c.kappa >= 0 && c.kappa < limit))
    throw Failure(SUITE_INVALID_ARGUMENT,
                  "kappa is " + detail::value(c.kappa) + " bohr^2; with these spacings and gamma = " + detail::value(c.gamma) +
                      " the field is stable from 0 to below " + detail::value(limit) + "; use " + detail::value(0.9 * limit));
  c.steps = wave.field_steps;
  if (c.steps < 0) throw Failure(SUITE_INVALID_ARGUMENT, concat("field_steps is ", c.steps, "; it must be 0 or more"));
  return c;
}

// A vector of three, such as A, or zeros where it is unset.
struct Three {
  double x[3] = {0, 0, 0};
};
inline Three three_or_zero(const Argument<real, 1, false>& array) {
  Three v;
  for (int d = 0; array && d < 3; ++d) v.x[d] = array(d);
  return v;
}

}  // namespace suite::lfd
