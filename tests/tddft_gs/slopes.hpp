// SPDX-License-Identifier: BSD-3-Clause
// Forces of a ground state against differences of the total energy.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bench.hpp"

namespace suite::tddft::test {

constexpr double shift = 0.005;  // bohr

inline GroundStateSettings tight(const std::string& functional = "pw92") {
  GroundStateSettings settings;
  settings.functional = functional;
  settings.density_tolerance = 1e-9;
  settings.residual_tolerance = 1e-8;
  settings.max_iterations = 200;
  return settings;
}

inline double energy_of(const System& system, const std::string& functional) {
  const GroundState g = solve_ground_state(system, tight(functional));
  BOOST_TEST(g.converged);
  return g.energies.total();
}

// Fourth-order differences of the energy along one direction of one atom. Their error, shift^4/30 of the fifth derivative (1e-6 at twice this
// shift for hydrogen, whose potential is 0.2 bohr wide), and what the self-consistency leaves of an energy are below the tolerance. A force that
// is the slope of something else, such as of the potential between the grid's points, is off by 1e-3.
inline void agrees(const System& system, const std::vector<std::pair<size_t, size_t>>& atoms_and_axes,
                   const std::string& functional = "pw92", double tolerance = 1e-6) {
  const GroundState g = solve_ground_state(system, tight(functional));
  BOOST_TEST(g.converged);
  for (const auto& [atom, d] : atoms_and_axes) {
    const auto at = [&](double moved) {
      System other = system;
      other.atoms[atom].position[d] += moved;
      return energy_of(other, functional);
    };
    const double force = -(8 * (at(shift) - at(-shift)) - (at(2 * shift) - at(-2 * shift))) / (12 * shift);
    BOOST_TEST(std::abs(force) > 1e-4);  // so that there is something to compare
    close(g.forces[atom][d], force, tolerance, "force on atom " + std::to_string(atom) + " along " + "xyz"[d]);
  }
}

}  // namespace suite::tddft::test
