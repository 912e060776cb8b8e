// SPDX-License-Identifier: BSD-3-Clause
// Forces on the ions against differences of the total energy of ions that were moved: no symmetry, nonlocal projectors, k points.
#include "bench.hpp"

#include "forces.hpp"
#include "gth.hpp"
#include "ion_energy.hpp"
#include "pseudopotential_texts.hpp"
#include "slopes.hpp"
#include "tabulated.hpp"

using namespace suite;
using namespace suite::tddft;
using namespace suite::tddft::test;

namespace {

System skew_molecule(Kinetic kinetic) {
  System system = cube(16, 0.68, Boundary::isolated);
  system.grid.points = {16, 18, 20};
  system.atoms = {{"Na", {0.13, -0.21, 1.6}}, {"H", {-0.55, 0.4, -1.85}}};
  system.electrons = 2;
  system.kinetic = kinetic;
  return system;
}

System skew_crystal(Kinetic kinetic) {
  System system = cube(16, 0.68, Boundary::periodic);
  system.grid.points = {16, 18, 16};
  system.atoms = {{"Na", {0.13, -0.21, 1.6}}, {"H", {-1.2, 0.9, -1.85}}};
  system.electrons = 2;
  system.kinetic = kinetic;
  system.k_points = monkhorst_pack(system.grid, {2, 1, 1});
  return system;
}

// The same from a UPF file, filtered for the grid.
void take_from_files(System& system) {
  for (const Atom& atom : system.atoms)
    system.pseudopotentials[atom.element] =
        std::make_shared<Tabulated>(parse_upf("x", upf_text(*built_in(atom.element), 2)), system.grid, system.boundary);
}

}  // namespace

BOOST_AUTO_TEST_CASE(forces_on_a_molecule_are_slopes_of_its_energy) { agrees(skew_molecule(Kinetic::differences), {{0, 0}, {1, 2}}); }

BOOST_AUTO_TEST_CASE(forces_on_a_molecule_are_slopes_of_its_energy_with_plane_waves) {
  agrees(skew_molecule(Kinetic::fourier), {{0, 2}, {1, 1}});
}

BOOST_AUTO_TEST_CASE(forces_with_a_functional_of_the_gradient_are_slopes_of_the_energy) {
  if (without_libxc()) return;
  agrees(skew_molecule(Kinetic::fourier), {{0, 1}, {1, 2}}, "pbe");
  agrees(skew_crystal(Kinetic::differences), {{0, 2}}, "blyp");
}

// A triplet, whose second electron of spin up is where none of spin down is.
BOOST_AUTO_TEST_CASE(forces_on_unpaired_electrons_are_slopes_of_the_energy) {
  if (without_libxc()) return;
  System system = skew_molecule(Kinetic::fourier);
  system.electrons = 3;  // an anion
  system.unpaired = 1;
  system.atoms[1].position = {-0.5, 0.9, -2.4};
  agrees(system, {{0, 2}}, "pw92");
  agrees(system, {{1, 0}}, "pbe");
}

BOOST_AUTO_TEST_CASE(forces_of_pseudopotentials_from_files_are_slopes_of_the_energy) {
  System system = skew_molecule(Kinetic::fourier);
  take_from_files(system);
  agrees(system, {{0, 0}});
}

BOOST_AUTO_TEST_CASE(forces_in_a_crystal_are_slopes_of_its_energy) { agrees(skew_crystal(Kinetic::differences), {{0, 1}, {1, 0}}); }

BOOST_AUTO_TEST_CASE(forces_in_a_crystal_are_slopes_of_its_energy_with_plane_waves) { agrees(skew_crystal(Kinetic::fourier), {{0, 2}}); }

// The same two atoms along x, y and z: the same forces along them. Across, all that is left is that a grid with an even number of points has no
// partner for its first plane.
BOOST_AUTO_TEST_CASE(forces_are_alike_along_x_y_and_z) {
  for (const Boundary boundary : {Boundary::isolated, Boundary::periodic}) {
    double along[3], across[3];
    for (size_t d = 0; d < 3; ++d) {
      System system = cube(16, 0.7, boundary);
      system.electrons = 2;
      for (const char* element : {"Na", "H"}) {
        Vec3 position{};
        position[d] = element[0] == 'N' ? 1.6 : -1.5;
        system.atoms.push_back({element, position});
      }
      const GroundState g = solve_ground_state(system, tight());
      along[d] = g.forces[0][d];
      across[d] = g.forces[0][(d + 1) % 3];
      close(g.forces[0][(d + 2) % 3], across[d], 1e-8, "both directions across");
    }
    BOOST_TEST(std::abs(along[0]) > 1e-3);
    for (size_t d = 1; d < 3; ++d) {
      close(along[d], along[0], 1e-8, "along");
      close(across[d], across[0], 1e-8, "across");
    }
    close(across[0], 0, boundary == Boundary::periodic ? 1e-8 : 1e-3 * std::abs(along[0]), "across");
  }
}

BOOST_AUTO_TEST_CASE(forces_between_ions_are_slopes_of_their_energy) {
  const std::vector<PointCharge> charges = {{1, {0.3, 0, -1}}, {4, {2, 1.1, 0.2}}, {-2, {-1, 2.5, 1}}};
  const Vec3 lengths{5, 6, 4.5};
  const auto check = [&](const std::vector<Vec3>& forces, auto&& energy, const char* what) {
    constexpr double h = 1e-3;
    for (size_t a = 0; a < charges.size(); ++a)
      for (size_t d = 0; d < 3; ++d) {
        const auto at = [&](double moved) {
          auto other = charges;
          other[a].position[d] += moved;
          return energy(other);
        };
        close(forces[a][d], -(8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h), 1e-9, what);
      }
  };
  check(
      ewald_forces(lengths, charges), [&](const auto& c) { return ewald_energy(lengths, c); }, "Ewald");
  check(
      coulomb_forces(charges), [](const auto& c) { return coulomb_energy(c); }, "Coulomb");
}

// One orbital of made-up numbers: the slope of <psi|V_nl|psi> with Bloch vector and vector potential, whose phases move with the atom.
void check_nonlocal_forces(const System& system, double tolerance) {
  const Vec3 k{0.11, -0.07, 0.2}, A{0.3, 0.1, -0.2};
  std::vector<std::complex<double>> psi(system.grid.size());
  for (size_t i = 0; i < psi.size(); ++i)
    psi[i] = std::polar(0.1 + 0.05 * std::sin(0.7 * double(i % 16)), 0.3 * std::cos(0.11 * double(i / 16)));
  const auto energy = [&](double moved, size_t d) {
    System other = system;
    other.atoms[0].position[d] += moved;
    const Nonlocal v = nonlocal_potential(other);
    double sum = 0;
    std::vector<std::complex<double>> c(static_cast<size_t>(v.nproj));
    for (int64_t j = 0; j < v.nproj; ++j)
      for (int64_t s = 0; s < v.nsphere; ++s) {
        double angle = 0;
        for (size_t e = 0; e < 3; ++e) angle += (k[e] + A[e]) * v.nldisp[static_cast<size_t>(3 * s) + e];
        c[static_cast<size_t>(j)] += v.beta[s + v.nsphere * j] * std::polar(1.0, angle) * psi[static_cast<size_t>(v.nlpoint[s] - 1)];
      }
    for (int64_t i = 0; i < v.nproj; ++i)
      for (int64_t j = 0; j < v.nproj; ++j)
        sum += v.dnl[i + v.nproj * j] * std::real(std::conj(c[static_cast<size_t>(i)]) * c[static_cast<size_t>(j)]);
    const double volume = system.grid.point_volume();
    return 1.5 * sum * volume * volume;
  };
  const auto forces = nonlocal_forces(system, nonlocal_potential(system), {1.5}, {k[0], k[1], k[2]}, A, psi.data());
  for (size_t d = 0; d < 3; ++d) {
    const double slope = -(8 * (energy(shift, d) - energy(-shift, d)) - (energy(2 * shift, d) - energy(-2 * shift, d))) / (12 * shift);
    BOOST_TEST(std::abs(slope) > 1e-3);
    close(forces[0][d], slope, tolerance * std::max(1.0, std::abs(slope)), "slope of <V_nl>");
  }
}

BOOST_AUTO_TEST_CASE(nonlocal_forces_keep_the_phases_of_k_and_A) {
  System system = cube(16, 0.65, Boundary::periodic);
  system.atoms = {{"Si", {0.3, -0.2, 4.9}}};
  check_nonlocal_forces(system, 1e-6);
  // Projectors of every l, and tables, whose second derivative jumps within the differences.
  auto all = std::make_shared<Gth>(*built_in("Si"));
  all->channels = {{0, 2, {5.9, -1.2, -1.2, 3.2}}, {1, 1, {2.7}}, {2, 1, {-1.4}}, {3, 1, {0.5}}};
  all->radii = {0.42, 0.48, 0.55, 0.6};
  system.pseudopotentials["Si"] = all;
  check_nonlocal_forces(system, 5e-6);
  take_from_files(system);
  check_nonlocal_forces(system, 5e-6);
}
