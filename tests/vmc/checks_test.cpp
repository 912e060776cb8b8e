// SPDX-License-Identifier: BSD-3-Clause
// The laws that a run's numbers must obey: whole numbers hold, planted errors break the law that is theirs.
#include <cmath>

#include <boost/test/unit_test.hpp>

#include <vmc/checks.hpp>
#include <vmc/coulomb.hpp>
#include <vmc/hartree_fock.hpp>
#include <vmc/walkers.hpp>

using namespace suite;
using namespace suite::vmc;

namespace {

Reblocked estimate(double mean, double error, double variance) {
  Reblocked e;
  e.mean = mean, e.error = error, e.variance = variance, e.samples = 10000, e.converged = true;
  return e;
}

Settings determinants() {
  Settings s;
  s.system = make_system(5, Lattice::sc, {}, 7, 7);
  return s;
}

VmcResult sound_result(const Settings& s) {
  const HartreeFock exact = hartree_fock(s.system);
  VmcResult r;
  r.energy.part[part::kei] = estimate(exact.kinetic, 0, 0);
  r.energy.part[part::ti] = estimate(0.6, 0.01, 1);
  r.energy.part[part::fisq] = estimate(1.2 - exact.kinetic, 0.01, 1);
  r.energy.part[part::ee] = estimate(exact.total() - exact.kinetic, 0.001, 0.2);
  r.energy.part[part::total] = estimate(exact.total(), 0.001, 0.2);
  r.acceptance = 0.5;
  r.trace = {{10, exact.total(), exact.total(), 0.001}, {20, exact.total(), exact.total(), 0.001}};
  r.coulomb = CoulombSample{-1, -1};
  return r;
}

// The names of the laws that are broken.
std::vector<std::string> broken(const app::Outcome& outcome) {
  std::vector<std::string> names;
  for (const auto& check : outcome.checks)
    if (!check.holds()) names.push_back(check.name);
  return names;
}

template <class F> void require_broken(const std::string& begin, F&& plant) {
  const Settings s = determinants();
  VmcResult r = sound_result(s);
  plant(r);
  app::Outcome outcome;
  judge(s, r, outcome);
  const auto names = broken(outcome);
  BOOST_TEST_REQUIRE(names.size() == 1u, begin);
  BOOST_TEST(names[0].rfind(begin, 0) == 0, names[0]);
}

}  // namespace

// Energies of Wigner crystals, Ha per electron at r_s = 1: -0.895929255 (bcc), -0.895873614 (fcc),
// -0.880059442 (sc) (Coldwell-Horsfall, Maradudin, J. Math. Phys. 1, 395 (1960), with more digits).
BOOST_AUTO_TEST_CASE(runs_of_few_correlation_times_are_told_how_many) {
  const Settings s = determinants();
  VmcResult r = sound_result(s);
  auto& energy = r.energy.part[part::total];
  energy.converged = false;
  energy.correlation_time = 400;
  app::Outcome outcome;
  judge(s, r, outcome);
  BOOST_TEST_REQUIRE(outcome.warnings.size() == 1u);
  BOOST_TEST(outcome.warnings[0] == "the error bar of the energy may be too small: the run has only 25 correlation times, 50 are needed");
}

BOOST_AUTO_TEST_CASE(coulomb_energies_of_lattices_are_those_of_wigner_crystals) {
  const std::pair<Lattice, double> lattices[] = {{Lattice::bcc, -0.895929255}, {Lattice::fcc, -0.895873614}, {Lattice::sc, -0.880059442}};
  for (const auto& [lattice, energy] : lattices) {
    const System s = make_system(1, lattice, {}, 1, 0);
    const std::vector<double> anywhere{0.3, -2.0, 7.0};
    for (const double split : {2.5, 4.0, 6.0})
      BOOST_TEST(!(std::abs(coulomb_energy(s, anywhere, split) - energy) > 2e-9), coulomb_energy(s, anywhere, split));
  }
}

BOOST_AUTO_TEST_CASE(coulomb_energies_do_not_depend_on_the_splitting) {
  const std::array<double, 9> skew{1, 0.2, 0, -0.3, 1.1, 0.1, 0.4, 0, 0.9};
  for (const Lattice lattice : {Lattice::sc, Lattice::fcc, Lattice::bcc, Lattice::given}) {
    const System s = make_system(3, lattice, skew, 1, 1);
    const std::vector<int64_t> streams{5};
    const auto rele = scattered(s, 1, streams);
    const double expected = coulomb_energy(s, rele, 4);
    for (const double split : {2.0, 3.0, 7.0})
      BOOST_TEST(!(std::abs(coulomb_energy(s, rele, split) - expected) > 1e-10 * (1 + std::abs(expected))));
  }
}

BOOST_AUTO_TEST_CASE(sound_results_obey_every_law) {
  const Settings s = determinants();
  app::Outcome outcome;
  judge(s, sound_result(s), outcome);
  BOOST_TEST(broken(outcome).empty());
  BOOST_TEST(outcome.checks.size() >= 9u);
  BOOST_TEST(outcome.warnings.empty());
  BOOST_TEST(outcome.observables.size() == 3u);
}

BOOST_AUTO_TEST_CASE(planted_errors_break_their_law) {
  require_broken("energy is the sum of its parts", [](VmcResult& r) { r.energy.part[part::ee].mean += 1e-6; });
  require_broken("KEI = 2 TI - FISQ", [](VmcResult& r) { r.energy.part[part::ti].mean += 1e-6; });
  require_broken("Coulomb energy", [](VmcResult& r) { r.coulomb->kernel += 1e-6; });
  require_broken("inverse Slater matrices", [](VmcResult& r) { r.deviation = 1e-5; });
  require_broken("VMC moves refused", [](VmcResult& r) { r.acceptance = 0.05; });
  require_broken("kinetic energy of the determinants has", [](VmcResult& r) { r.energy.part[part::kei].variance = 1e-12; });
  require_broken("energy of the determinants",
                 [](VmcResult& r) { r.energy.part[part::total].mean += 0.006, r.energy.part[part::ee].mean += 0.006; });
  require_broken("energy does not drift", [](VmcResult& r) { r.trace[1].block_mean += 0.011; });
  require_broken("VMC moves refused", [](VmcResult& r) { r.acceptance = std::nan(""); });
}

BOOST_AUTO_TEST_CASE(a_factor_that_is_worse_than_none_is_warned_of) {
  Settings s = determinants();
  VmcResult r = sound_result(s);
  JastrowShape shape;
  shape.L_u = s.system.inscribed_radius();
  s.jastrow = rpa_jastrow(s.system, shape);
  r.energy.part[part::total].mean += 0.1, r.energy.part[part::ee].mean += 0.1;
  r.trace.clear();
  app::Outcome outcome;
  judge(s, r, outcome);
  BOOST_TEST_REQUIRE(outcome.warnings.size() == 1u);
  BOOST_TEST(outcome.warnings[0].rfind("the energy is above that of the determinants alone", 0) == 0);
}
