// SPDX-License-Identifier: BSD-3-Clause
// What the tests of the ground state share.
#pragma once

#include <cmath>
#include <span>
#include <string>

#include <boost/test/unit_test.hpp>

#include <suite/plugin.hpp>

#include "base/xc/xc.hpp"
#include "ground_state.hpp"

namespace suite::tddft::test {

inline void close(double value, double expected, double tolerance, const std::string& what) {
  const bool good = std::abs(value - expected) <= tolerance;  // false for NaN
  BOOST_TEST(good, what << ": " << value << " instead of " << expected << ", off by " << value - expected << ", tolerance " << tolerance);
}

inline auto says(const std::string& part) {
  return [part](const Failure& failure) {
    const bool same = std::string(failure.what()).find(part) != std::string::npos;
    if (!same) BOOST_TEST_MESSAGE("says: " << failure.what());
    return same;
  };
}

// `points` points of spacing h in every direction.
inline System cube(int points, double h, Boundary boundary) {
  System system;
  system.grid = {{points, points, points}, {h, h, h}};
  system.boundary = boundary;
  return system;
}

inline System isolated_atom(const std::string& element, int points, double h, double electrons) {
  System system = cube(points, h, Boundary::isolated);
  system.atoms = {{element, {}}};
  system.electrons = electrons;
  return system;
}

// The conventional cell of eight atoms; 10.263 bohr is silicon's.
inline System silicon8(int points, const std::array<int, 3>& divisions, double a = 10.263) {
  System system = cube(points, a / points, Boundary::periodic);
  for (const Vec3& r : {Vec3{0, 0, 0}, Vec3{0, .5, .5}, Vec3{.5, 0, .5}, Vec3{.5, .5, 0}})
    for (double shift : {0.0, 0.25}) system.atoms.push_back({"Si", {a * (r[0] + shift), a * (r[1] + shift), a * (r[2] + shift)}});
  system.electrons = 32;
  system.k_points = monkhorst_pack(system.grid, divisions);
  return system;
}

// The polynomial in h^2 through all values, at h = 0.
inline double extrapolated(std::span<const double> h, std::span<const double> value) {
  double sum = 0;
  for (size_t i = 0; i < h.size(); ++i) {
    double weight = 1;
    for (size_t j = 0; j < h.size(); ++j)
      if (j != i) weight *= h[j] * h[j] / (h[j] * h[j] - h[i] * h[i]);
    sum += weight * value[i];
  }
  return sum;
}

// Two atoms on the z axis of a periodic cube.
inline System periodic_dimer(const std::string& element, double distance, double electrons, double length, int points) {
  System system = cube(points, length / points, Boundary::periodic);
  system.atoms = {{element, {0, 0, -distance / 2}}, {element, {0, 0, distance / 2}}};
  system.electrons = electrons;
  return system;
}

// Functionals of the gradient and of two spins are libxc's.
inline bool without_libxc() {
  if (!app::have_libxc()) BOOST_TEST_MESSAGE("skipped: built without libxc");
  return !app::have_libxc();
}

inline GroundStateSettings independent() {
  GroundStateSettings settings;
  settings.functional = "none";
  return settings;
}

}  // namespace suite::tddft::test
