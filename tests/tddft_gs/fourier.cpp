// SPDX-License-Identifier: BSD-3-Clause
// kinetic: fourier in the ground state: free electrons of any k in closed form, and the helium ion, where the pseudopotential
// is all that the grid gets wrong.
#include "bench.hpp"

#include <algorithm>
#include <numbers>

using namespace suite;
using namespace suite::tddft;
using namespace suite::tddft::test;

namespace {

// Of one electron in the potential of the helium ion, `by` grid spacings away from a point in every direction.
double helium_ion(Kinetic kinetic, double by) {
  constexpr double h = 0.2;
  System system = isolated_atom("He", 30, h, 1);
  system.kinetic = kinetic;
  system.atoms[0].position = {by * h, by * h, by * h};
  system.occupations = {1};
  return solve_ground_state(system, independent()).energies.total();
}

}  // namespace

BOOST_AUTO_TEST_CASE(free_electrons_have_the_energies_of_their_waves) {
  for (const Vec3& k : {Vec3{}, Vec3{0.11, -0.07, 0.19}}) {
    System system;
    system.grid = {{8, 6, 10}, {0.8, 1.05, 0.65}};
    system.boundary = Boundary::periodic;
    system.kinetic = Kinetic::fourier;
    system.k_points = {KPoint{k, 1, false}};
    system.occupations = {2, 2, 2, 2, 2};
    system.electrons = 10;
    const GroundState state = solve_ground_state(system, independent());
    std::vector<double> levels;
    for (int x = -3; x <= 3; ++x)
      for (int y = -2; y <= 2; ++y)
        for (int z = -4; z <= 4; ++z) {
          const int m[] = {x, y, z};
          double energy = 0;
          for (int d = 0; d < 3; ++d) {
            const double q = 2 * std::numbers::pi * m[d] / system.grid.length(d) + k[d];
            energy += q * q / 2;
          }
          levels.push_back(energy);
        }
    std::sort(levels.begin(), levels.end());
    for (size_t n = 0; n < 5; ++n) close(state.eigenvalues_Ha[n], levels[n], 1e-9, "level " + std::to_string(n));
  }
}

// The exact energy of this pseudopotential is -1.99822 Ha. The test of the ion between points tells the error from the egg box:
// with differences it is 54 to 57 mHa.
BOOST_AUTO_TEST_CASE(the_helium_ion_is_exact_to_two_millihartree) {
  constexpr double exact = -1.99822;
  for (const double by : {0.0, 0.5})
    close(helium_ion(Kinetic::fourier, by), exact, 2e-3, "plane waves, ion " + std::to_string(by) + " spacings from a point");
  close(helium_ion(Kinetic::differences, 0), exact - 0.057, 2e-3, "differences");
}
