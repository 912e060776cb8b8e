// SPDX-License-Identifier: BSD-3-Clause
// Sigma between states of another Hamiltonian than those it is summed over: columns of BerkeleyGW's runs with WFN_outer in tests/gw/outer. The states are
// those of WFN_outer.h5, by polarised_wavefunctions.py; the rest is that of tests/gw/polarised.
#include <boost/test/unit_test.hpp>

#include <fstream>
#include <sstream>

#include <suite/plugin.hpp>

#include "frequencies.hpp"
#include "plan.hpp"
#include "solved.hpp"

using namespace suite;
using namespace suite::gw;
using namespace suite::gw::test;
namespace fs = std::filesystem;
using Complex = std::complex<double>;

namespace {

fs::path file(const std::string& name) { return fs::path(SUITE_SOURCE_DIR) / "tests/gw/outer" / name; }

Settings with_outer() {
  Settings s = polarised();
  s.wavefunctions_outer = file("WFN_outer.h5");
  s.levels_outer.partial = true;
  return s;
}

// As sigma_scissors.inp says.
Settings with_outer_scissors() {
  Settings s = with_outer();
  s.levels_outer.scissors = {-0.2 / rydberg_eV, 3.0 / rydberg_eV, 0.05, 0.9 / rydberg_eV, 8.0 / rydberg_eV, 0.08};
  s.offdiag = {{1, 5, 1}, {4, 1, 4}, {2, 3, 2}};
  return s;
}

}  // namespace

BOOST_AUTO_TEST_CASE(outer_states_have_the_columns_of_berkeleygw) {
  const Scratch folder;
  const Solved ours(with_outer_scissors(), folder / "");
  BOOST_REQUIRE_EQUAL(ours.states.size(), 48u);
  check_columns(ours, file("scissors.log"), 2e-9);
  for (const auto& check : ours.outcome.outcome.checks) BOOST_TEST(check.holds(), check.name << " " << check.deviation);
  // "n m l real|imag X SX-X CH ...": two lines of each element.
  std::ifstream in(file("scissors.log"));
  size_t lines = 0;
  for (std::string line, word; std::getline(in, line);) {
    std::istringstream words(line);
    Element e;
    if (!(words >> e.n >> e.m >> e.l >> word) || (word != "real" && word != "imag")) continue;
    const OffDiagonal& o = ours.outcome.result.off_diagonal.at(lines++ / 2);
    BOOST_TEST((o.element == e));
    for (const Complex& z : {o.x, o.sx.at(0), o.ch.at(0) + o.remainder}) {
      double theirs = 0;
      BOOST_REQUIRE(words >> theirs);
      BOOST_TEST(!!(std::abs((word == "real" ? z.real() : z.imag()) - theirs) <= 2e-9), line);
    }
  }
  BOOST_TEST(lines == 36u);
}

// The sum has levels of its own, and only the wanted ones of the other file are corrected.
BOOST_AUTO_TEST_CASE(quasiparticle_energies_of_outer_states_have_the_columns_of_berkeleygw) {
  const Scratch folder;
  Settings s = with_outer();
  s.levels.scissors = {.evs_Ry = 0.1 / rydberg_eV, .ecs_Ry = 0.3 / rydberg_eV};
  s.levels_outer.eqp = file("eqp_outer.dat");
  check_columns(Solved(s, folder / ""), file("eqp.log"), 2e-9);
}

BOOST_AUTO_TEST_CASE(outer_states_at_full_frequency_have_the_columns_of_berkeleygw) {
  Settings s = with_outer();
  s.levels_outer.scissors.ecs_Ry = 0.5 / rydberg_eV;
  s.model = Model::contour_deformation;
  s.contour_rule = ContourRule::constant;
  s.epsilon.imaginary_points = 10;
  s.epsilon.broadening_eV = 0.5;
  for (int i = 0; i <= 20; ++i) s.epsilon.real_frequencies_eV.push_back(2.0 * i);
  s.finite_difference_form = -3;
  s.frequency_grid_min_eV = -1;
  s.frequency_grid_max_eV = 1;
  s.frequency_grid_points = 3;
  complete_frequencies(s);
  const Scratch folder;
  check_rows(Solved(s, folder / ""), read_full_frequency(file("contour.log")), 48);
}

BOOST_AUTO_TEST_CASE(the_same_states_as_outer_ones_change_nothing) {
  const Scratch folder;
  Settings s = polarised();
  s.coulomb = CoulombMode::cell;
  const DielectricResult made = make_epsilon(s, folder / "");
  s.eps0 = made.eps0;
  s.eps = made.eps;
  const Result plain = run(s).result;
  s.wavefunctions_outer = s.wavefunctions;
  BOOST_TEST(difference(plain, run(s).result) == 0.0);
  // Of them only some k, and ranks that share everything.
  s.wavefunctions_outer = file("WFN_outer.h5");
  const Result other = run(s).result;
  BOOST_TEST(difference(plain, other) > 0.1);
  s.gprime_slices = 2;
  BOOST_TEST(difference(other, run_on_ranks(s, 4).result) <= 1e-11);
  s.gprime_slices = 1;
  s.kpoints = {{0, 0.5, -0.5}};
  Result at_x = other;
  std::erase_if(at_x.states, [](const State& state) { return state.k != 2; });
  for (State& state : at_x.states) state.k = 0;
  BOOST_TEST(difference(at_x, run(s).result) <= 1e-11);
}

BOOST_AUTO_TEST_CASE(outer_states_must_belong_to_the_crystal) {
  Settings s = with_outer();
  const std::string outer = s.wavefunctions_outer.string(), inner = s.wavefunctions.string();
  const auto refused = [&] { return complaint([&] { Plan{s}; }); };
  s.band_max = 10;
  BOOST_TEST(refused() == "external bands 1 to 10 are asked for; the bands of " + outer + " are 1 to 9");
  s = with_outer();
  s.kpoints = {{0, 0.25, 0}};
  BOOST_TEST(refused() == "k = (0, 0.25, 0) is not among the 3 k points of " + outer);
  s = with_outer();
  s.wavefunctions_outer = polarised().epsilon.wavefunctions;
  BOOST_TEST(refused().find("is no point of the k grid of " + inner) != std::string::npos);
  s.wavefunctions_outer = gallium_arsenide_from_wavefunctions().wavefunctions;
  BOOST_TEST(refused() == "the number of spins is 1 in " + s.wavefunctions_outer.string() + " and 2 in " + inner);
  s.wavefunctions_outer = silicon().wavefunctions;
  BOOST_TEST(refused().find("describe different cells") != std::string::npos);
  // Bands 2 to 4 are degenerate at Gamma, and one of them is not corrected.
  const Scratch folder;
  s = with_outer();
  s.band_max = 3;
  std::ifstream in(file("eqp_outer.dat"));
  std::ofstream out(folder / "eqp.dat");
  for (std::string line; std::getline(in, line);) {
    int spin = 0, band = 0;
    std::istringstream words(line);
    if (words >> spin >> band && band == 4 && line.find('.') > 16) continue;
    if (const size_t count = line.find("      16"); count != std::string::npos) line.replace(count, 8, "      14");
    out << line << "\n";
  }
  out.close();
  s.levels_outer.eqp = folder / "eqp.dat";
  BOOST_TEST(refused() ==
             s.levels_outer.eqp.string() +
                 " has no band 4 of spin 1 at k = (0 0 0); all bands that are wanted, or degenerate with one of these, must be there");
}
