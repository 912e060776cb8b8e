// SPDX-License-Identifier: BSD-3-Clause
// Ions that move: energy of ions, electrons and field together, restarts, and what stops a run.
#include <boost/test/unit_test.hpp>

#include <cstring>
#include <filesystem>

#include "born_oppenheimer.hpp"
#include "ehrenfest.hpp"
#include "gth.hpp"
#include "laws.hpp"
#include "well.hpp"

using namespace suite;
using namespace suite::tddft;
using test::World;

namespace {

struct RunFolder {
  std::filesystem::path path;
  RunFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "suite-ions-XXXXXX").string();
    BOOST_REQUIRE(mkdtemp(name.data()));
    path = name;
  }
  ~RunFolder() { std::filesystem::remove_all(path); }
};

// Two ions with projectors, far lighter than real ones, so that they move within a few steps. Nothing is symmetric.
Settings two_ions(Boundary boundary, Dynamics dynamics) {
  Settings s;
  s.system.boundary = boundary;
  s.system.kinetic = Kinetic::differences;
  s.system.grid = {{14, 14, 16}, {0.8, 0.8, 0.8}};
  s.system.atoms = {{"Na", {0.13, -0.21, 2.3}}, {"Na", {-0.55, 0.4, -2.4}}};
  s.system.electrons = 2;
  s.ground_state.functional = "pw92";
  s.ground_state.implementation = "cpu";
  s.ground_state.density_tolerance = 1e-9;
  s.ground_state.residual_tolerance = 1e-8;
  s.propagation.velocity_gauge = boundary == Boundary::periodic;
  s.propagation.field = boundary == Boundary::periodic ? "spectral" : "isolated";
  s.excitation = Excitation::none;
  s.ions.dynamics = dynamics;
  s.ions.masses = {0.1, 0.08};
  s.ions.velocities = {{0.004, 0.01, -0.016}, {-0.01, 0.005, 0.02}};
  s.ions.force_tolerance = 1e-7;
  return s;
}

// With the density of a core, as wide as the ion, whose force is as large as the others.
Settings with_cores(Settings s) {
  Gth sodium = *built_in("Na");
  sodium.core_terms = {{0.9, {0.8}}};
  s.system.pseudopotentials["Na"] = std::make_shared<Gth>(sodium);
  return s;
}

void set_times(Settings& s, double dt, int64_t steps, int64_t electron_steps) {
  s.propagation.dt = dt;
  s.propagation.steps = s.propagation.interval = steps;
  s.ions.electron_steps = electron_steps;
  s.ions.dt = dt * static_cast<double>(electron_steps);
  s.ions.steps = steps / electron_steps;
}

struct Balance {
  double error, gained;
};

// Of the energy of ions and electrons, less the work of a laser, from the first sample to the last.
Balance balance_of(const Settings& s) {
  const RunFolder folder;
  World world("cpu", folder.path);
  const Calculation c = calculate(s, world.context);
  const IonEnergies e = ion_energies(s, c.progress);
  return {e.conserved.back() - e.conserved.front(), e.potential.back() + e.kinetic.back() - e.potential.front() - e.kinetic.front()};
}

// The error is that of the time step, of second order: a quarter at half the step. A force without the phases of A, without Z E, or from
// ions at another place leaves an error that does not get smaller. 2e-8: what is left of self-consistency.
void conserves(Settings s, double dt, const char* what) {
  const auto steps = static_cast<int64_t>(8 / dt);
  set_times(s, dt, steps, 2);
  const Balance coarse = balance_of(s);
  set_times(s, dt / 2, 2 * steps, 2);
  const Balance fine = balance_of(s);
  BOOST_TEST_MESSAGE(what << ": gained " << fine.gained << " Ha, errors " << coarse.error << ", " << fine.error);
  const bool second_order = std::abs(fine.error) <= 0.35 * std::abs(coarse.error) + 2e-8;  // 0.25 and terms of fourth order
  BOOST_TEST(second_order, what << ": errors " << coarse.error << ", " << fine.error);
  const bool small = std::abs(fine.error) <= 2e-5;
  BOOST_TEST(small, what << ": error " << fine.error);
}

Settings with_laser(Settings s) {
  s.excitation = Excitation::laser;
  s.direction = {0.6, 0, 0.8};
  s.pulses = {{0.02, 0.5, 8, 0.3, 4, s.direction}};
  return s;
}

template <class T> bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

void require_same(const Trajectory& a, const Trajectory& b) {
  BOOST_REQUIRE(a.samples.size() == b.samples.size());
  for (size_t n = 0; n < a.samples.size(); ++n) {
    const IonState &x = a.samples[n], &y = b.samples[n];
    BOOST_TEST(same_bits(x.positions, y.positions));
    BOOST_TEST(same_bits(x.velocities, y.velocities));
    BOOST_TEST(same_bits(x.forces, y.forces));
    BOOST_TEST(x.energy == y.energy);
    BOOST_TEST(x.work == y.work);
    BOOST_TEST(x.step == y.step);
  }
}

std::string failure_of(const Settings& s) {
  const RunFolder folder;
  World world("cpu", folder.path);
  try {
    calculate(s, world.context);
  } catch (const Failure& failure) { return failure.what(); }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_molecule_in_a_laser_keeps_its_energy) {
  conserves(with_laser(two_ions(Boundary::isolated, Dynamics::ehrenfest)), 0.25, "molecule, length gauge");
}

BOOST_AUTO_TEST_CASE(a_crystal_in_a_laser_keeps_its_energy) {
  Settings s = with_laser(two_ions(Boundary::periodic, Dynamics::ehrenfest));
  s.system.k_points = monkhorst_pack(s.system.grid, {2, 1, 1});
  conserves(s, 0.25, "crystal, velocity gauge, k points");
  s.system.kinetic = Kinetic::fourier;
  s.propagation.field = "continuum";
  conserves(s, 0.25, "crystal with plane waves");
}

BOOST_AUTO_TEST_CASE(ions_with_cores_keep_their_energy) {
  conserves(with_cores(with_laser(two_ions(Boundary::isolated, Dynamics::ehrenfest))), 0.25, "molecule with cores");
  Settings crystal = with_cores(with_laser(two_ions(Boundary::periodic, Dynamics::ehrenfest)));
  crystal.system.kinetic = Kinetic::fourier;
  crystal.propagation.field = "continuum";
  conserves(crystal, 0.25, "crystal with cores");
  conserves(with_cores(two_ions(Boundary::isolated, Dynamics::ground_state)), 1, "molecule with cores on the ground state");
}

BOOST_AUTO_TEST_CASE(ions_on_the_ground_state_keep_their_energy) {
  Settings s = two_ions(Boundary::isolated, Dynamics::ground_state);
  conserves(s, 1, "molecule on the ground state");
}

BOOST_AUTO_TEST_CASE(a_continued_trajectory_is_the_uninterrupted_one) {
  for (const auto& [dynamics, cores] : {std::pair{Dynamics::ehrenfest, false},
                                        {Dynamics::ground_state, false},
                                        {Dynamics::ehrenfest, true},
                                        {Dynamics::ground_state, true}}) {
    Settings s = two_ions(Boundary::isolated, dynamics);
    if (cores) s = with_cores(s);
    if (dynamics == Dynamics::ehrenfest) s = with_laser(s);
    set_times(s, 0.2, 16, 2);
    s.propagation.interval = 4;
    const RunFolder whole, half, rest;
    World a("cpu", whole.path), b("cpu", half.path), c("cpu", rest.path);
    const Calculation uninterrupted = calculate(s, a.context);
    Settings shorter = s;
    shorter.propagation.steps = 8;
    shorter.ions.steps = 4;
    calculate(shorter, b.context);
    Settings longer = s;
    longer.restart = half.path / "checkpoint.h5";
    const Calculation continued = calculate(longer, c.context);
    require_same(continued.progress.trajectory, uninterrupted.progress.trajectory);
    BOOST_TEST(same_bits(continued.density, uninterrupted.density));
  }
}

// A kick gives every ion Z K: a neutral system as a whole stays at rest.
BOOST_AUTO_TEST_CASE(a_kick_moves_ions_and_electrons_apart) {
  Settings s = two_ions(Boundary::isolated, Dynamics::ehrenfest);
  s.excitation = Excitation::kick;
  s.kick = 0.01;
  s.ions.velocities.clear();
  set_times(s, 0.1, 2, 1);
  const RunFolder folder;
  World world("cpu", folder.path);
  const Calculation c = calculate(s, world.context);
  const std::vector<double> masses = ion_masses(s);
  double momentum = 0;
  for (size_t i = 0; i < masses.size(); ++i) momentum += masses[i] * c.progress.trajectory.samples.front().velocities[i][2];
  BOOST_TEST(std::abs(momentum - 0.02) <= 1e-15);
}

BOOST_AUTO_TEST_CASE(temperatures_are_those_of_the_input) {
  Settings s = two_ions(Boundary::isolated, Dynamics::ground_state);
  s.ions.velocities.clear();
  s.ions.temperature = 300;
  const IonState ions = ions_at_start(s);
  const std::vector<double> masses = ion_masses(s);
  BOOST_TEST(std::abs(temperature(s, kinetic_energy(ions, masses)) - 300) <= 1e-9);
  for (size_t d = 0; d < 3; ++d) {
    double momentum = 0;
    for (size_t i = 0; i < masses.size(); ++i) momentum += masses[i] * ions.velocities[i][d];
    BOOST_TEST(std::abs(momentum) <= 1e-14);
  }
}

BOOST_AUTO_TEST_CASE(an_ion_that_leaves_a_molecules_cell_stops_the_run_with_a_sentence) {
  for (const Dynamics dynamics : {Dynamics::ehrenfest, Dynamics::ground_state}) {
    Settings s = two_ions(Boundary::isolated, dynamics);
    set_times(s, 0.2, 8, 2);
    s.ions.velocities = {{}, {-15, 0, 0}};
    const std::string says = failure_of(s);
    BOOST_TEST(says.find("atom 2 (Na) leaves the cell along x after 0.01 fs") != std::string::npos, says);
  }
}
