// SPDX-License-Identifier: BSD-3-Clause
// Free atoms, confined functions and numeric orbitals against published numbers.
#include <cmath>
#include <map>
#include <string>

#include <boost/test/unit_test.hpp>

#include <suite/plugin.hpp>

#include <dfpt/orbitals.hpp>

#include "molecules.hpp"

using namespace suite::all_electron;
using namespace dfpt_app_test;

namespace {

constexpr double eV = 27.2113845;
const Confinement tight{4 * bohr_per_angstrom, 2 * bohr_per_angstrom};

LogGrid grid_for(int Z) { return solver_grid(Z, 1350); }

}  // namespace

// Spherical, spin-unpolarised atoms of NIST's Atomic Reference Data for Electronic Structure Calculations
// (LDA, Vosko, Wilk and Nusair), to their last digit.
BOOST_AUTO_TEST_CASE(free_atoms_are_those_of_nist) {
  const std::map<int, std::pair<double, std::vector<double>>> published{
      {1, {-0.445671, {-0.233471}}},
      {2, {-2.834836, {-0.570425}}},
      {3, {-7.335195, {}}},
      {4, {-14.447209, {}}},
      {5, {-24.344198, {}}},
      {6, {-37.425749, {-9.947718, -0.500866, -0.199186}}},
      {7, {-54.025016, {-14.011501, -0.676151, -0.266297}}},
      {8, {-74.473077, {-18.758245, -0.871362, -0.338381}}},
      {9, {-99.099648, {}}},
      {10, {-128.233481, {-30.305855, -1.322809, -0.498034}}},
      {11, {-161.440060, {}}},
      {12, {-199.139406, {}}},
      {13, {-241.315573, {}}},
      {14, {-288.198397, {-65.184426, -5.075056, -3.514938, -0.398139, -0.153293}}},
      {15, {-339.946219, {}}},
      {16, {-396.716081, {}}},
      {17, {-458.664179, {}}},
      {18, {-525.946195, {-113.800134, -10.794172, -8.443439, -0.883384, -0.382330}}},
      {19, {-598.200590, {}}},
      {20, {-675.742283, {}}},
      {21, {-758.679275, {}}},
      {22, {-847.277216, {}}},
      {23, {-941.678904, {}}},
      {24, {-1042.030238, {}}},
      {25, {-1148.449372, {}}},
      {26, {-1261.093056, {}}},
      {27, {-1380.091264, {}}},
      {28, {-1505.580197, {}}},
      {29, {-1637.785861, {}}},
      {30, {-1776.573850, {}}},
      {31, {-1921.846456, {}}},
      {32, {-2073.807332, {}}},
      {33, {-2232.534978, {}}},
      {34, {-2398.111440, {}}},
      {35, {-2570.620700, {}}},
      {36, {-2750.147940, {-509.982989}}}};
  for (const auto& [Z, row] : published) {
    const SphericalAtom atom = solve_atom(grid_for(Z), Z, ground_state_shells(Z), Xc::vwn5, std::nullopt);
    const std::string what = std::string(element_symbol(Z)) + ": ";
    check_below(what + "energy", std::abs(atom.energy - row.first), 1.5e-6);
    for (size_t i = 0; i < row.second.size(); ++i)
      check_below(what + "eigenvalue " + std::to_string(i), std::abs(atom.states[i].energy - row.second[i]), 1.5e-6);
  }
}

// An independent solver's numbers (finite differences of eighth order, whose error is 5e-8 of the energy).
BOOST_AUTO_TEST_CASE(other_functionals_have_their_own_atoms) {
  const std::map<int, std::pair<double, double>> known{{1, {-0.4456666, -0.4458935}},    {2, {-2.8344548, -2.8342892}},
                                                       {6, {-37.424371, -37.424261}},    {7, {-54.023165, -54.022502}},
                                                       {10, {-128.229911, -128.227278}}, {14, {-288.193723, -288.191967}}};
  for (const auto& [Z, energies] : known) {
    const auto energy = [Z = Z](Xc xc) { return solve_atom(grid_for(Z), Z, ground_state_shells(Z), xc, std::nullopt).energy; };
    const double allowed = 1e-7 + 5e-8 * std::abs(energies.first);
    check_below(std::string(element_symbol(Z)) + " pw92", std::abs(energy(Xc::pw92) - energies.first), allowed);
    check_below(std::string(element_symbol(Z)) + " pz81", std::abs(energy(Xc::pz81) - energies.second), allowed);
  }
}

// Every shell's virial: T = -E without confinement, and int n = Z.
BOOST_AUTO_TEST_CASE(densities_hold_all_electrons) {
  for (const int Z : {1, 3, 9, 15}) {
    const LogGrid grid = grid_for(Z);
    const SphericalAtom atom = solve_atom(grid, Z, ground_state_shells(Z), Xc::pw92, std::nullopt);
    std::vector<double> shell(grid.size());
    for (size_t i = 0; i < grid.size(); ++i) shell[i] = 4 * std::acos(-1.0) * grid.r[i] * grid.r[i] * atom.density[i];
    check_below("electrons of Z = " + std::to_string(Z), std::abs(integrate(grid, shell) - Z), 1e-10 * Z);
    // Neutral from outside, and the electrons' potential at the nucleus is the integral of n/r.
    check_below("potential far away", std::abs(atom.hartree.back() * grid.r.back() - Z), 1e-8 * Z);
    for (size_t i = 0; i < grid.size(); ++i) shell[i] /= grid.r[i];
    check_below("potential at the nucleus", std::abs(integrate(grid, shell) / atom.hartree_at_nucleus - 1), 1e-8);
  }
}

// Energies that FHI-aims prints for hydrogen-like functions in the confinement "4.0 2.0 1.0" (published
// outputs, 4 digits after the point), and of the confined carbon atom.
BOOST_AUTO_TEST_CASE(confined_levels_are_the_published_ones) {
  struct Row {
    int n, l;
    double z, energy_eV;
  };
  const LogGrid grid = grid_for(1);
  std::vector<double> v(grid.size());
  for (const Row& row : {Row{2, 0, 1.2, -4.5995}, Row{2, 0, 1.4, -6.5336}, Row{2, 1, 1.7, -9.8152}, Row{2, 1, 1.8, -11.0118},
                         Row{1, 0, .85, -9.8292}, Row{2, 0, 2.1, -14.9965}}) {
    v = confining_potential(grid, tight);
    for (size_t i = 0; i < grid.size(); ++i) v[i] -= row.z / grid.r[i];
    const RadialState state = solve_radial(grid, v, grid.first_from(tight.end()), row.n, row.l);
    check_below("level of z = " + std::to_string(row.z), std::abs(state.energy * eV - row.energy_eV), 0.5e-4);
  }
  const SphericalAtom carbon = solve_atom(grid_for(6), 6, ground_state_shells(6), Xc::pw92, tight);
  const double published[] = {-9.946836, -0.500303, -0.198612};
  for (size_t i = 0; i < 3; ++i)
    check_below("confined carbon, level " + std::to_string(i), std::abs(carbon.states[i].energy - published[i]), 1e-6);
}

// Without confinement the levels are -z^2/(2 n^2), any n and l.
BOOST_AUTO_TEST_CASE(hydrogenic_levels_are_exact) {
  const LogGrid grid = solver_grid(1, 1450);
  std::vector<double> v(grid.size());
  for (const double z : {0.65, 1.0, 17.6})
    for (int n = 1; n <= 5; ++n)
      for (int l = 0; l < n; ++l) {
        for (size_t i = 0; i < grid.size(); ++i) v[i] = -z / grid.r[i];
        const RadialState state = solve_radial(grid, v, grid.size(), n, l);
        check_below("n = " + std::to_string(n) + ", l = " + std::to_string(l), std::abs(state.energy / (-z * z / (2 * n * n)) - 1), 2e-9);
      }
}

BOOST_AUTO_TEST_CASE(hydrogen_2p_is_cut_where_published) {
  const SpeciesDefinition& species = numeric_species(1);
  const LogGrid grid = grid_for(1);
  const SphericalAtom free = solve_atom(grid, 1, species.shells, Xc::pz81, species.tight.confinement);
  const auto orbitals = numeric_orbitals(grid, species, Level::tight, 1, free, Xc::pz81);
  BOOST_REQUIRE(orbitals.size() == 3u);
  BOOST_TEST(orbitals[2].origin == "hydro 2p 3.5");
  check_below("energy of 2p 3.5", std::abs(orbitals[2].energy * eV + 41.6672), 1e-4);
  check_below("onset of 2p 3.5 in angstrom", std::abs(orbitals[2].onset / bohr_per_angstrom - 2.72), 0.015);
}

// Orthonormal, and the kinetic function is -1/2 lap of the orbital: with d2u/dx2 by differences,
// -u''/2 + l(l+1)/(2 r^2) u.
BOOST_AUTO_TEST_CASE(numeric_orbitals_are_orthonormal_with_their_kinetic_energy) {
  for (const int Z : {1, 8, 14}) {
    const SpeciesDefinition& species = numeric_species(Z);
    const LogGrid grid = grid_for(Z);
    const SphericalAtom free = solve_atom(grid, Z, species.shells, Xc::pw92, species.tight.confinement);
    const auto orbitals = numeric_orbitals(grid, species, Level::tight, 2, free, Xc::pw92);
    const std::map<int, size_t> counts{{1, 7}, {8, 11}, {14, 13}};
    BOOST_TEST(orbitals.size() == counts.at(Z));
    for (const Orbital& a : orbitals)
      for (const Orbital& b : orbitals) {
        if (a.l != b.l) continue;
        const std::string what = std::string(element_symbol(Z)) + " " + a.origin + ", " + b.origin + ": ";
        check_below(what + "overlap", std::abs(integrate(grid, a.u, b.u) - (&a == &b)), 1e-12);
        // T is symmetric only if `kinetic` belongs to u.
        const double there = integrate(grid, a.u, b.kinetic), back = integrate(grid, b.u, a.kinetic);
        check_below(what + "kinetic energy", std::abs(there - back), 1e-6 * std::max(1.0, std::abs(there)));
      }
    for (const Orbital& orbital : orbitals) {
      // int u'^2/2 dr + l(l+1)/2 int u^2/r^2, u' = du/dx / r by differences of eighth order.
      constexpr double c[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
      std::vector<double> density(grid.size(), 0.0);
      for (size_t i = 4; i + 4 < grid.size(); ++i) {
        double slope = 0;
        for (size_t k = 1; k <= 4; ++k) slope += c[k - 1] * (orbital.u[i + k] - orbital.u[i - k]);
        slope /= grid.step();
        density[i] = (slope * slope + orbital.l * (orbital.l + 1) * orbital.u[i] * orbital.u[i]) / (2 * grid.r[i] * grid.r[i]);
      }
      const double kinetic = integrate(grid, orbital.u, orbital.kinetic);
      check_below(std::string(element_symbol(Z)) + " " + orbital.origin + ": kinetic energy",
                  std::abs(integrate(grid, density) / kinetic - 1), 1e-5);
    }
  }
}

BOOST_AUTO_TEST_CASE(elements_and_tiers_that_are_not_there_are_refused) {
  const auto said = [](auto&& call) -> std::string {
    try {
      call();
    } catch (const suite::Failure& failure) { return failure.what(); }
    return "nothing";
  };
  BOOST_TEST(said([] { numeric_species(10); }).find("no numeric basis for Ne") != std::string::npos);
  BOOST_TEST(said([] { tier_functions(numeric_species(8), Level::tight, 4); }).find("got 4") != std::string::npos);
  BOOST_TEST(said([] { ground_state_shells(37); }).find("37") != std::string::npos);
}
