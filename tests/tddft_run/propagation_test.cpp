// SPDX-License-Identifier: BSD-3-Clause
// Propagation against exact one-dimensional steps, and against itself in another gauge.
#include <boost/test/unit_test.hpp>

#include "pulse.hpp"
#include "well.hpp"

using namespace suite;
using namespace suite::tddft;
using test::Line, test::World;

namespace {

TimeSeries follow(const Settings& s, World& world, int64_t steps) {
  const GroundState g = solve_ground_state(s.system, s.ground_state);
  const Vec3 sums = sum_rule(s, g, world.context);
  const auto propagation = make_propagation(s, g, sums, world.context);
  TimeSeries series;
  propagation->rest(g);
  propagation->settle(0, s.propagation.settling_steps);
  propagation->start(0, series);
  while (series.steps() < steps) {
    propagation->advance(series, std::min(s.propagation.interval, steps - series.steps()));
    propagation->sample(series);
  }
  return series;
}

double distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double largest = a.size() == b.size() ? 0 : INFINITY;
  for (size_t n = 0; n < std::min(a.size(), b.size()); ++n)
    for (size_t d = 0; d < 3; ++d) largest = std::max(largest, std::abs(a[n][d] - b[n][d]));
  return largest;
}

Settings with_ground_state_on(const std::string& implementation) {
  Settings s = test::well_settings();
  s.ground_state.implementation = implementation;
  return s;
}

}  // namespace

// The kick's momentum, the splitting, its mass correction and the dipole, step by step: every number of the
// series.
BOOST_AUTO_TEST_CASE(a_kicked_well_moves_as_the_exact_steps_say) {
  for (const auto& [kinetic, corrected] :
       {std::pair{Kinetic::differences, true}, {Kinetic::differences, false}, {Kinetic::fourier, true}}) {
    Settings s = with_ground_state_on("reference");
    s.system.kinetic = kinetic;
    s.propagation.mass_correction = corrected;
    World world("reference");
    const TimeSeries series = follow(s, world, s.propagation.steps);
    const Line lines[] = {Line(s, 0), Line(s, 1), Line(s, 2)};
    Eigen::VectorXcd psi[3];
    for (int d = 0; d < 3; ++d) psi[d] = lines[d].ground.cast<std::complex<double>>();
    for (int i = 0; i < psi[2].size(); ++i) psi[2][i] *= std::polar(1.0, -s.kick * lines[2].x(i));
    for (size_t n = 0; n < series.dipole.size(); ++n) {
      // Two electrons. What the ground state lacks of convergence is 1e-10/0.4 of an excited state.
      for (size_t d = 0; d < 3; ++d) BOOST_TEST(std::abs(series.dipole[n][d] - 2 * lines[d].mean(psi[d])) <= 1e-8);
      BOOST_TEST(std::abs(series.electrons[n] - 2) <= 1e-12);
      for (int d = 0; d < 3; ++d) psi[d] = lines[d].step * psi[d];
    }
  }
}

BOOST_AUTO_TEST_CASE(the_sum_rule_is_that_of_the_lattice) {
  Settings s = with_ground_state_on("reference");
  World world("reference");
  for (const Kinetic kinetic : {Kinetic::differences, Kinetic::fourier}) {
    s.system.kinetic = kinetic;
    const GroundState g = solve_ground_state(s.system, s.ground_state);
    const Vec3 sums = sum_rule(s, g, world.context);
    for (int d = 0; d < 3; ++d) {
      const double exact = kinetic == Kinetic::fourier ? 2 : 2 * Line(s, d).sum_rule();
      BOOST_TEST(std::abs(sums[static_cast<size_t>(d)] - exact) <= 1e-8);  // differences of E(A)
    }
  }
}

// Of plane waves, where the orbitals have hardly any of the highest one and end before the cell does.
BOOST_AUTO_TEST_CASE(length_and_velocity_gauge_agree_with_plane_waves) {
  Settings s = with_ground_state_on("reference");
  s.system.kinetic = Kinetic::fourier;
  s.system.grid.points[2] = 32;
  World world("reference");
  const TimeSeries length = follow(s, world, 20);
  s.propagation.velocity_gauge = true;
  const TimeSeries velocity = follow(s, world, 20);
  BOOST_TEST(distance(length.dipole, velocity.dipole) <= 1e-6);
  BOOST_TEST(std::abs(velocity.current[0][2] + s.kick * 2) <= 1e-9);
}

// A constant A is a change of gauge, and on this lattice exactly so where the orbitals end before the cell
// does.
BOOST_AUTO_TEST_CASE(length_and_velocity_gauge_agree_after_a_kick) {
  Settings s = with_ground_state_on("reference");
  s.system.grid.points[2] = 32;
  World world("reference");
  const TimeSeries length = follow(s, world, 20);
  s.propagation.velocity_gauge = true;
  const TimeSeries velocity = follow(s, world, 20);
  BOOST_TEST(distance(length.dipole, velocity.dipole) <= 1e-9);
  // The current right after the kick, and d/dt of the dipole later, to the order of the differences.
  BOOST_TEST(std::abs(velocity.current[0][2] + s.kick * 2 * Line(s, 2).sum_rule()) <= 1e-9);
  for (size_t n = 1; n < 20; ++n) {
    const double slope = (velocity.dipole[n + 1][2] - velocity.dipole[n - 1][2]) / (2 * s.propagation.dt);
    BOOST_TEST(std::abs(velocity.current[n][2] - slope) <= 5e-3 * s.kick);
  }
}

// What the laser does as work is what the electrons gain; halving the step quarters the difference.
BOOST_AUTO_TEST_CASE(work_of_a_laser_is_energy_gained) {
  for (const bool velocity : {false, true}) {
    double difference[2];
    for (int i = 0; i < 2; ++i) {
      Settings s = with_ground_state_on("reference");
      s.system.grid.points[2] = 32;
      s.propagation.velocity_gauge = velocity;
      s.propagation.dt = i == 0 ? 0.1 : 0.05;
      s.excitation = Excitation::laser;
      s.pulses = {{0.02, 0.35, 12, 0.3, 6, s.direction}};
      World world("reference");
      const TimeSeries series = follow(s, world, i == 0 ? 120 : 240);
      const EnergySample &first = series.energies.front(), &last = series.energies.back();
      const double gained = last.electrons() - first.electrons();
      BOOST_TEST(gained > 1e-4);
      difference[i] = std::abs(last.work - gained);
      BOOST_TEST(difference[i] <= 0.02 * gained);
    }
    BOOST_TEST(difference[1] <= 0.4 * difference[0]);
  }
}

BOOST_AUTO_TEST_CASE(the_field_of_a_pulse_is_the_slope_of_its_potential) {
  const Laser laser{0.02, 0.1, 300, 0.4, 150, {0, 0, 1}};
  for (double t = 1; t < 299; t += 7.3) {
    const double d = 1e-3, slope = (vector_potential(laser, t + d) - vector_potential(laser, t - d)) / (2 * d);
    BOOST_TEST(std::abs(electric_field(laser, t) + slope) <= 1e-9);
  }
  BOOST_TEST(vector_potential(laser, -1) == 0);
  BOOST_TEST(vector_potential(laser, 300.1) == 0);
  BOOST_TEST(electric_field(laser, 301) == 0);
}

// Without a kick. The lowest excitation of the well is 0.4 Ha, 15.7 hbar/Ha long; from the ground state the
// splitting moves the electrons, from what they settle into hardly.
BOOST_AUTO_TEST_CASE(settled_electrons_stay_where_they_are) {
  for (const bool single : {false, true}) {
    Settings s = with_ground_state_on("reference");
    s.excitation = Excitation::none;
    s.kick = 0;
    s.propagation.dt = 0.3;
    s.propagation.single = single;
    double moved[2];
    for (int i = 0; i < 2; ++i) {
      s.propagation.settling_steps = i == 0 ? 0 : 200;  // 30 hbar/Ha
      World world("reference");
      const TimeSeries series = follow(s, world, 100);
      BOOST_TEST(series.steps() == 100);
      BOOST_TEST(std::abs(series.electrons[0] - 2) <= (single ? 1e-5 : 1e-12));
      moved[i] = 0;
      for (const Vec3& r : series.dipole)
        for (size_t d = 0; d < 3; ++d) moved[i] = std::max(moved[i], std::abs(r[d] - series.dipole[0][d]));
    }
    BOOST_TEST_MESSAGE("dipole without a field " << moved[0] << ", after settling " << moved[1]);
    BOOST_TEST(moved[1] <= 0.2 * moved[0]);
  }
}

BOOST_AUTO_TEST_CASE(single_precision_follows_double) {
  Settings s = with_ground_state_on("reference");
  World world("reference");
  const TimeSeries exact = follow(s, world, 20);
  s.propagation.single = true;
  const TimeSeries single = follow(s, world, 20);
  BOOST_TEST(distance(exact.dipole, single.dipole) <= 1e-5);
}
