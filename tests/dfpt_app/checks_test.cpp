// SPDX-License-Identifier: BSD-3-Clause
// The laws that a run's numbers must obey: sound numbers obey them, planted errors break the law that is
// theirs.
#include <cmath>
#include <limits>

#include <boost/test/unit_test.hpp>

#include <dfpt/checks.hpp>

using namespace suite;
using namespace suite::all_electron;

namespace {

// The helium atom in the local-density approximation (PW92), whose energy, parts and eigenvalue are known:
// NIST's atomic reference data have E = -2.834836, T = 2.767922, E_xc = -0.973314 and a level of -0.570425 Ha
// for VWN. The integral of n v_xc is what the virial theorem makes of them.
Calculated helium() {
  Calculated c;
  c.electrons = 2;
  c.nuclei = {2};
  GroundState& g = c.ground;
  g.n_occ = 1;
  g.electrons = 2;
  g.states.eigenvalues = (Eigen::Vector2d() << -0.570425, 0.2).finished();
  g.energies.total = -2.834836;
  g.energies.kinetic = 2.767922;
  g.energies.xc = -0.973314;
  const double coulomb = g.energies.total - g.energies.kinetic - g.energies.xc;
  g.energies.xc_potential = g.energies.xc - (2 * g.energies.kinetic + coulomb) / 3;
  g.energies.mismatch = 1e-9;
  g.steps.push_back({g.energies.total, 1e-10, -0.570425, 0.2});
  Response& r = c.response.emplace();
  ResponseStep step;
  step.residual.fill(1e-10);
  for (auto& row : step.polarizability) row.fill(0);
  for (size_t i = 0; i < 3; ++i) step.polarizability[i][i] = 1.66;
  r.steps.push_back(step);
  return c;
}

std::vector<std::string> broken(const Calculated& calculated) {
  app::Outcome outcome;
  judge(Settings{}, calculated, outcome);
  std::vector<std::string> names;
  for (const auto& check : outcome.checks)
    if (!check.holds()) names.push_back(check.name);
  return names;
}

template <class F> void require_broken(const std::string& name, F&& plant) {
  Calculated c = helium();
  plant(c);
  const auto names = broken(c);
  BOOST_TEST_REQUIRE(names.size() == 1u, name);
  BOOST_TEST(names[0] == name);
}

}  // namespace

BOOST_AUTO_TEST_CASE(sound_results_obey_every_law) {
  BOOST_TEST(broken(helium()).empty());
  app::Outcome outcome;
  judge(Settings{}, helium(), outcome);
  BOOST_TEST(outcome.checks.size() == 14u);
  BOOST_TEST(outcome.warnings.empty());
  BOOST_TEST_REQUIRE(outcome.observables.size() == 4u);
  BOOST_TEST(outcome.observables[0].values[0] == -2.834836);
  BOOST_TEST((outcome.observables[3].labels == std::vector<std::string>{"xx", "yx", "zx", "xy", "yy", "zy", "xz", "yz", "zz"}));
}

BOOST_AUTO_TEST_CASE(planted_errors_break_their_law) {
  require_broken("electrons of the free atoms on the grid", [](Calculated& c) { c.free_electrons_error = 0.01; });
  require_broken("norm of the basis functions on the grid", [](Calculated& c) { c.norm_error = 0.01; });
  require_broken("electrons of the density on the grid", [](Calculated& c) { c.ground.electrons = 2.00001; });
  require_broken("ground state is converged", [](Calculated& c) { c.ground.steps.back().residual = 1e-6; });
  require_broken("eigenvalues are kinetic plus potential energies", [](Calculated& c) { c.ground.energies.mismatch = 1e-4; });
  require_broken("multipole expansion of the potential", [](Calculated& c) { c.ground.energies.multipole_error = 0.02; });
  require_broken("virial theorem of an atom", [](Calculated& c) { c.ground.energies.xc_potential -= 0.03; });
  require_broken("response is converged", [](Calculated& c) { c.response->steps.back().residual[1] = 1e-6; });
  require_broken("charge of the response density", [](Calculated& c) { c.response->invariants.charge = 1e-5; });
  require_broken("overlap with the first-order density matrix", [](Calculated& c) { c.response->invariants.overlap = 1e-5; });
  require_broken("first-order orbitals are orthogonal to the occupied ones",
                 [](Calculated& c) { c.response->invariants.idempotency = 1e-5; });
  require_broken("occupied orbitals are orthonormal", [](Calculated& c) { c.response->invariants.orthonormality = std::nan(""); });
  require_broken("polarizability is symmetric", [](Calculated& c) { c.response->invariants.asymmetry = 0.01; });
  require_broken("polarizability is positive", [](Calculated& c) { c.response->steps.back().polarizability[2][2] = -0.1; });
  require_broken("response agrees with finite fields", [](Calculated& c) {
    c.finite_field.emplace();
    c.finite_field->largest_difference = 0.01;
  });
}

BOOST_AUTO_TEST_CASE(electrons_above_zero_are_warned_of) {
  Calculated c = helium();
  c.ground.states.eigenvalues(0) = 0.061;
  app::Outcome outcome;
  judge(Settings{}, c, outcome);
  BOOST_TEST_REQUIRE(outcome.warnings.size() == 1u);
  BOOST_TEST(outcome.warnings[0].find("+0.061000 Ha, above zero (1 of 1 orbitals are)") != std::string::npos, outcome.warnings[0]);
}

// Up: 2 electrons in 2 levels below its gap; down: none, with a level between those.
BOOST_AUTO_TEST_CASE(spins_whose_gaps_do_not_meet_are_warned_of) {
  Calculated c = helium();
  Settings s;
  s.molecule.unpaired = 2;
  c.crystal.emplace();
  c.moments = {2};
  for (const int occupied : {2, 0}) {
    SpinStates& spin = c.ground.spins.emplace_back();
    spin.states.eigenvalues = Eigen::Vector3d(-0.6, -0.2, 0.3);
    spin.occupations = Eigen::VectorXd::Zero(3);
    spin.occupations.head(occupied).setOnes();
  }
  const auto judged = [&] {
    app::Outcome outcome;
    judge(s, c, outcome);
    return outcome;
  };
  c.crystal->highest_occupied = -0.2;
  c.crystal->lowest_empty = -0.1;
  BOOST_TEST(judged().warnings.empty());
  c.crystal->lowest_empty = -0.3;
  const auto warnings = judged().warnings;
  BOOST_TEST_REQUIRE(warnings.size() == 1u);
  BOOST_TEST(warnings[0].find("(-0.200000 Ha) lies above the lowest empty one of the other (-0.300000 Ha)") != std::string::npos,
             warnings[0]);
  for (const auto& check : judged().checks) BOOST_TEST(check.holds(), check.name);
  c.moments = {1.9};
  size_t broken = 0;
  for (const auto& check : judged().checks)
    if (!check.holds()) {
      ++broken;
      BOOST_TEST(check.name == "moments of the atoms add up to the unpaired electrons");
    }
  BOOST_TEST(broken == 1u);
}

BOOST_AUTO_TEST_CASE(one_column_of_the_tensor_is_judged_by_itself) {
  Calculated c = helium();
  Settings s;
  s.directions = {2};
  for (size_t i = 0; i < 3; ++i)
    for (size_t j = 0; j < 2; ++j) c.response->steps.back().polarizability[i][j] = std::numeric_limits<double>::quiet_NaN();
  app::Outcome outcome;
  judge(s, c, outcome);
  for (const auto& check : outcome.checks) BOOST_TEST(check.holds(), check.name);
  BOOST_TEST(outcome.observables.back().values.size() == 3u);
  BOOST_TEST(outcome.observables.back().tolerance == 1.66e-5, boost::test_tools::tolerance(1e-12));
}
