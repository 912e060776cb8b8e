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
  std::vector<double> moments;
};

Outcome compute(const Molecule& atoms, const Lattice& lattice, const std::array<int, 3>& k, const Settings& s, double ewald_radius,
                bool shifted = false) {
  World world;
  const Setup setup = prepare(atoms, s.choices, lattice, ewald_radius);
  all_electron::Kernels kernels(world.context);
  GridMatrices grid(setup, batch_units(setup, world.context), kernels, {1e9}, needs_gradients(s.choices.xc));
  Electrostatics electrostatics(setup, grid, world.world, kernels);
  const Bloch bloch(setup, lattice, k_grid(k, {shifted, false, false}));
  CrystalSolver solver(setup, s, bloch, grid, electrostatics);
  Outcome out;
  out.volume = grid.integral(std::vector<double>(grid.n_points(), 1.0));
  CrystalState state;
  const size_t spins = n_spin_of(setup), columns = columns_of(s.choices.xc) * spins;
  DensityMixer mixer(s.scf, grid, solver.start(), columns, spins);
  BOOST_TEST(solver.solve(mixer, state, {}));
  refuse_metal(bloch, state);
  out.energy = state.energies.total;
  out.moments = moments_of_atoms(setup, grid, state.density);
  Response r;
  DensityMixer of_response(s.response, grid, std::vector<double>(grid.n_points() * s.directions.size() * columns, 0.0), columns, spins);
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

namespace {

// Of largest elements.
double difference(const Tensor& a, const Tensor& b, double factor = 1) {
  double most = 0, scale = 0;
  for (size_t i = 0; i < 3; ++i)
    for (size_t j = 0; j < 3; ++j) most = std::max(most, std::abs(factor * a[i][j] - b[i][j])), scale = std::max(scale, std::abs(b[i][j]));
  return most / scale;
}

bool skipped_without_libxc() {
  if (!have_libxc()) BOOST_TEST_MESSAGE("skipped: this build has no libxc, and no spins");
  return !have_libxc();
}

std::vector<Xc> functionals_with_spin() { return {Xc::pw92, Xc::pbe}; }

// Three atoms in a row and their cell: no inversion, no right angle.
const std::array<Place, 3> long_box{Place{12.5, 0.3, 0}, Place{0.3, 6.5, 0.2}, Place{0, 0.4, 6}};
const std::vector<Atom> row{{1, {0, 0, 0}}, {1, {3.9, 0.2, 0.1}}, {1, {8.1, -0.1, 0.4}}};

}  // namespace

BOOST_AUTO_TEST_CASE(two_spins_without_a_moment_are_closed_shells) {
  if (skipped_without_libxc()) return;
  for (const Xc xc : functionals_with_spin()) {
    Settings s = settings();
    s.choices.xc = xc;
    const Molecule spins{molecule.atoms, 0, 0, {0, 0}};
    const Outcome closed = compute(molecule, Lattice(box), {2, 1, 1}, s, 1.4, true),
                  open = compute(spins, Lattice(box), {2, 1, 1}, s, 1.4, true);
    check_below("energy", std::abs(closed.energy - open.energy), 1e-10);
    check_below("polarizability", difference(open.polarizability, closed.polarizability), 1e-9);
    for (const double m : open.moments) check_below("moment", std::abs(m), 1e-9);
  }
}

// Beside a calculation of this chain in which everything but exchange and correlation, by libxc, is analytic, with 6 k points as here.
BOOST_AUTO_TEST_CASE(a_ferrimagnetic_chain_of_hydrogen) {
  if (skipped_without_libxc()) return;
  Settings s = settings();
  s.choices.l_hartree = 8;
  s.choices.radial_multiplier = 2;
  s.choices.angular_points = 302;
  s.directions = {0};
  const Molecule atoms{{{1, {-4, 0, 0}}, {1, {0, 0, 0}}, {1, {4.3, 0, 0}}}, 0, 1, {1, -1, 1}};
  const Outcome chain = compute(atoms, Lattice::chain({13, 0, 0}), {6, 1, 1}, s, 0);
  check_below("energy", std::abs(chain.energy + 1.328369934), 1e-5);
  check_below("polarizability", std::abs(chain.polarizability[0][0] - 27.5560298), 27.556e-4);
  BOOST_TEST((chain.moments[0] > 0.7 && chain.moments[1] < -0.7 && chain.moments[2] > 0.7));
  check_below("sum of the moments", std::abs(chain.moments[0] + chain.moments[1] + chain.moments[2] - 1), 1e-6);
}

// The same chain; without a first density that has it, the order is not found.
BOOST_AUTO_TEST_CASE(antiferromagnetic_order_has_a_lower_energy) {
  if (skipped_without_libxc()) return;
  Settings s = settings();
  s.directions = {0};
  const std::vector<Atom> pair{{1, {-2, 0, 0}}, {1, {2, 0, 0}}};
  const Lattice chain = Lattice::chain({9, 0, 0});
  const Outcome none = compute({pair, 0, 0, {0, 0}}, chain, {6, 1, 1}, s, 0), one = compute({pair, 0, 0, {1, -1}}, chain, {6, 1, 1}, s, 0),
                other = compute({pair, 0, 0, {-0.6, 0.6}}, chain, {6, 1, 1}, s, 0);
  BOOST_TEST(one.energy < none.energy - 1e-3);
  check_below("energy of exchanged spins", std::abs(one.energy - other.energy), 1e-9);
  check_below("polarizability of exchanged spins", difference(one.polarizability, other.polarizability), 1e-7);
  BOOST_TEST(one.moments[0] > 0.5);
  check_below("moments of exchanged spins", std::abs(one.moments[0] + other.moments[0]) + std::abs(one.moments[0] + one.moments[1]), 1e-6);
}

// k points beside k = 0 in the cell are those of the cell of twice the size, at Gamma and half a step beside it.
BOOST_AUTO_TEST_CASE(two_cells_with_spins_are_one_of_twice_the_size) {
  if (skipped_without_libxc()) return;
  std::vector<Atom> twice = row;
  for (const Atom& atom : row)
    twice.push_back({1, {atom.position[0] + long_box[0][0], atom.position[1] + long_box[0][1], atom.position[2]}});
  const std::array<Place, 3> large{Place{25, 0.6, 0}, long_box[1], long_box[2]};
  for (const Xc xc : functionals_with_spin())
    for (const bool shifted : {false, true}) {
      Settings s = settings();
      s.choices.xc = xc;
      const Outcome one = compute({row, 0, 1, {1, -1, 1}}, Lattice(long_box), {2, 1, 1}, s, 1.4, shifted),
                    both = compute({twice, 0, 2, {1, -1, 1, 1, -1, 1}}, Lattice(large), {1, 1, 1}, s, 1.4, shifted);
      check_below("energy", std::abs(2 * one.energy - both.energy), 1e-9);
      check_below("polarizability", difference(one.polarizability, both.polarizability, 2), 1e-7);
      BOOST_TEST((one.moments[1] < -0.5 && std::abs(one.polarizability[0][1]) > 1e-3));
    }
}

// Far apart, the atoms of a cubic lattice feel each other as dipoles: (eps - 1)/(eps + 2) = 4 pi alpha/(3 Omega) (Clausius, Mossotti), and
// those of a chain as 1/alpha - 4 zeta(3)/L^3 along it, 1/alpha + 2 zeta(3)/L^3 across. One function of each l would have no response: hydrogen in
// numeric orbitals, spin up alone.
BOOST_AUTO_TEST_CASE(atoms_with_spin_far_apart_are_dipoles) {
  if (skipped_without_libxc()) return;
  Settings s;
  s.choices.angular_points = 110;
  s.directions = {0, 1, 2};
  const Molecule atom{{{1, {0.3, -0.2, 0.1}}}, 0, 1};
  const double L = 26;
  const Outcome chain = compute(atom, Lattice::chain({0, L, 0}), {2, 1, 1}, s, 0),
                crystal = compute(atom, Lattice({Place{L, 0, 0}, Place{0, L, 0}, Place{0, 0, L}}), {1, 1, 1}, s, 1.4);
  // A charge of the grid's error has another potential in a crystal.
  check_below("energy", std::abs(chain.energy - crystal.energy), 1e-7);
  const double zeta = 1.2020569031595942, cube = L * L * L;
  const double alpha = 1 / (1 / chain.polarizability[0][0] - 2 * zeta / cube);
  BOOST_TEST(alpha > 1);
  check_below("along the chain", std::abs(1 / (1 / chain.polarizability[1][1] + 4 * zeta / cube) - alpha), 1e-6 * alpha);
  check_below("in the crystal", std::abs(1 / (1 / crystal.polarizability[2][2] + 4 * std::numbers::pi / (3 * cube)) - alpha), 1e-6 * alpha);
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
