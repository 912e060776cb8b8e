// SPDX-License-Identifier: BSD-3-Clause
// Crystals: the cell and its points, and energies and polarizabilities that depend neither on how potentials are split nor on which cell
// describes the crystal.
#include <cmath>
#include <numbers>
#include <ostream>
#include <string>

#include <Eigen/Dense>
#include <dfpt/crystal_states.hpp>

#include "molecules.hpp"

using namespace suite;
using namespace suite::all_electron;
using namespace dfpt_app_test;
using suite::app::have_libxc;

namespace {

struct World {
  app::Communicator world;
  app::Progress progress{false};
  std::ostream out{nullptr};
  std::vector<app::Row> kernels;
  app::Outcome outcome;
  app::Context context{world, progress, out, {}, "cpu", "", kernels, outcome};
};

struct Outcome {
  double volume = 0, energy = 0;
  Tensor polarizability{};
};

Outcome compute(const Molecule& atoms, const Lattice& lattice, const std::array<int, 3>& k, const Settings& s, double ewald_radius) {
  World world;
  const Setup setup = prepare(atoms, s.choices, lattice, ewald_radius);
  all_electron::Kernels kernels(world.context);
  GridMatrices grid(setup, batch_units(setup, world.context), kernels, {1e9}, needs_gradients(s.choices.xc));
  Electrostatics electrostatics(setup, grid, world.world, kernels);
  const Bloch bloch(setup, lattice, k_grid(k, {false, false, false}));
  CrystalSolver solver(setup, s, bloch, grid, electrostatics);
  Outcome out;
  out.volume = grid.integral(std::vector<double>(grid.n_points(), 1.0));
  CrystalState state;
  const size_t columns = columns_of(s.choices.xc);
  DensityMixer mixer(s.scf, grid, solver.start(), columns);
  BOOST_TEST(solver.solve(mixer, state, {}));
  refuse_metal(bloch, state);
  out.energy = state.energies.total;
  Response r;
  DensityMixer of_response(s.response, grid, std::vector<double>(grid.n_points() * s.directions.size() * columns, 0.0), columns);
  BOOST_TEST(solver.respond(of_response, state, r, {}));
  out.polarizability = r.polarizability();
  return out;
}

Settings settings() {
  Settings s;
  s.choices.gaussian_file = SUITE_SOURCE_DIR "/inputs/data/basis/sto-3g.nw";
  s.choices.l_hartree = 4;
  // Coarse: what these tests compare does not depend on the grid.
  s.choices.radial_multiplier = 1;
  s.choices.angular_points = 50;
  s.directions = {0, 1, 2};
  return s;
}

const Molecule molecule{{{1, {-1, 0, 0}}, {1, {1, 0, 0}}}, 0};
const std::array<Place, 3> box{Place{4.5, 0, 0}, Place{0.3, 6, 0}, Place{0, 0.4, 5.5}};

}  // namespace

BOOST_AUTO_TEST_CASE(crystals_do_not_depend_on_the_splitting) {
  const Outcome one = compute(molecule, Lattice(box), {2, 1, 1}, settings(), 1.4),
                other = compute(molecule, Lattice(box), {2, 1, 1}, settings(), 1.7);
  // 1 is no density: at the edges of the atoms' shares it is as large as elsewhere.
  check_below("volume", std::abs(one.volume - Lattice(box).volume()), 0.03 * Lattice(box).volume());
  check_below("energy", std::abs(one.energy - other.energy), 1e-9);
  check_below("polarizability", std::abs(one.polarizability[0][0] - other.polarizability[0][0]), 1e-9 * one.polarizability[0][0]);
}

// Copies of a slab without a dipole, far apart, do not feel each other; across it, the crystal's polarizability is that in its mean field,
// alpha (1 + 4 pi/V n n^T alpha)^-1 in the slab's. Nothing here has a right angle.
BOOST_AUTO_TEST_CASE(a_slab_is_a_crystal_of_slabs_far_apart) {
  const Molecule tilted{{{1, {-1, 0.2, -0.5}}, {1, {1, 0.1, 0.3}}}, 0};
  const Place first{4.5, 0.2, 0.4}, second{0.3, 6, -0.6};
  const Lattice slab = Lattice::slab(first, second);
  Settings s = settings();
  // The charge that the grid's error leaves has another potential in a crystal; with it the differences vanish.
  s.choices.radial_multiplier = 2;
  s.choices.angular_points = 302;
  const Outcome alone = compute(tilted, slab, {2, 1, 1}, s, 1.4), other = compute(tilted, slab, {2, 1, 1}, s, 1.7),
                stacked = compute(tilted, slab.stacked(26), {2, 1, 1}, s, 1.4);
  check_below("energy, other splitting", std::abs(alone.energy - other.energy), 1e-9);
  check_below("energy", std::abs(alone.energy - stacked.energy), 1e-7);
  const Place& n = slab.vectors()[2];
  Eigen::Matrix3d crystal, normal, found, split;
  for (Eigen::Index i = 0; i < 3; ++i)
    for (Eigen::Index j = 0; j < 3; ++j) {
      const auto I = static_cast<size_t>(i), J = static_cast<size_t>(j);
      crystal(i, j) = stacked.polarizability[I][J], found(i, j) = alone.polarizability[I][J], split(i, j) = other.polarizability[I][J];
      normal(i, j) = n[I] * n[J];
    }
  const double factor = 4 * std::numbers::pi / (26 * slab.volume());
  const Eigen::Matrix3d expected = (Eigen::Matrix3d::Identity() + factor * crystal * normal).inverse() * crystal;
  check_below("polarizability, other splitting", (found - split).norm(), 1e-8 * found.norm());
  check_below("polarizability", (found - expected).norm(), 1e-7 * found.norm());
  BOOST_TEST((found - crystal).norm() > 1e-3 * found.norm());
}

BOOST_AUTO_TEST_CASE(two_cells_are_one_of_twice_the_size) {
  const Molecule two{{{1, {-1, 0, 0}}, {1, {1, 0, 0}}, {1, {3.5, 0, 0}}, {1, {5.5, 0, 0}}}, 0};
  const std::array<Place, 3> twice{Place{9, 0, 0}, box[1], box[2]};
  const Outcome one = compute(molecule, Lattice(box), {4, 1, 1}, settings(), 1.4),
                both = compute(two, Lattice(twice), {2, 1, 1}, settings(), 1.4);
  check_below("energy", std::abs(2 * one.energy - both.energy), 1e-10);
  check_below("polarizability", std::abs(2 * one.polarizability[0][0] - both.polarizability[0][0]), 1e-9 * both.polarizability[0][0]);
}

// Beside a calculation of this chain in which everything but exchange and correlation is analytic, with 32 k points as here; with more,
// it gives -1.080914753 Ha and 84.623 bohr^3.
BOOST_AUTO_TEST_CASE(a_chain_of_hydrogen) {
  Settings s = settings();
  s.choices.l_hartree = 8;
  s.choices.radial_multiplier = 2;
  s.choices.angular_points = 302;
  s.directions = {0};
  const Outcome chain = compute(molecule, Lattice::chain({4.5, 0, 0}), {32, 1, 1}, s, 0);
  check_below("energy", std::abs(chain.energy + 1.080914721), 1e-5);
  check_below("polarizability", std::abs(chain.polarizability[0][0] - 84.782), 84.782e-4);
}

// The same with gradients: everything but exchange and correlation analytic, 8 k points.
BOOST_AUTO_TEST_CASE(a_chain_of_hydrogen_with_gradients) {
  if (!have_libxc()) {
    BOOST_TEST_MESSAGE("skipped: this build has no libxc, and no functionals of the gradient");
    return;
  }
  Settings s = settings();
  s.choices.xc = Xc::pbe;
  s.choices.l_hartree = 8;
  s.choices.radial_multiplier = 2;
  s.choices.angular_points = 302;
  s.directions = {0};
  const Outcome chain = compute(molecule, Lattice::chain({4.5, 0, 0}), {8, 1, 1}, s, 0);
  check_below("energy", std::abs(chain.energy + 1.1062801054), 1e-5);
  check_below("polarizability", std::abs(chain.polarizability[0][0] - 145.162454), 145.162454e-4);
}

BOOST_AUTO_TEST_CASE(k_grids_have_one_of_each_pair) {
  for (const bool shifted : {false, true})
    for (const std::array<int, 3>& n : {std::array{1, 1, 1}, {2, 3, 4}, {5, 1, 2}}) {
      const auto points = k_grid(n, {shifted, false, shifted});
      double sum = 0, first_harmonic = 0;
      for (const KPoint& k : points) {
        sum += k.weight;
        first_harmonic += k.weight * std::cos(2 * std::numbers::pi * n[0] * k.fraction[0]);
      }
      check_below("sum of the weights", std::abs(sum - 1), 1e-15);
      check_below("what the grid does to its own period", std::abs(first_harmonic - (shifted ? -1 : 1)), 1e-14);
      BOOST_TEST(2 * points.size() >= static_cast<size_t>(n[0] * n[1] * n[2]));
    }
}

BOOST_AUTO_TEST_CASE(what_is_no_crystal_is_refused) {
  const auto said = [](auto&& f) {
    try {
      f();
    } catch (const Failure& failure) { return std::string(failure.what()); }
    return std::string("nothing");
  };
  BOOST_TEST(said([] { Lattice({Place{1, 0, 0}, Place{0, 1, 0}, Place{1, 1, 0}}); }).find("in a plane") != std::string::npos);
  BOOST_TEST(said([] { Lattice::slab({1, 2, 3}, {-2, -4, -6}); }).find("parallel") != std::string::npos);
  const Lattice short_cell({Place{2.2, 0, 0}, Place{0, 6, 0}, Place{0, 0, 6}});
  BOOST_TEST(said([&] { prepare(molecule, settings().choices, short_cell, 1.4); }).find("in cell") != std::string::npos);
}
