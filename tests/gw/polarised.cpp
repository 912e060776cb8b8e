// SPDX-License-Identifier: BSD-3-Clause
// Two spins that differ in everything, also in the number of occupied bands: all columns of BerkeleyGW's sigma_hp.log from wavefunctions, density and
// potential alone. The files are made by polarised_wavefunctions.py.
#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iterator>

#include <suite/plugin.hpp>

#include "epsilon.hpp"
#include "plan.hpp"
#include "solved.hpp"
#include "vxc_potential.hpp"

using namespace suite;
using namespace suite::gw;
using namespace suite::gw::test;
namespace fs = std::filesystem;

namespace {

fs::path file(const std::string& name) { return polarised().wavefunctions.parent_path() / name; }

}  // namespace

BOOST_AUTO_TEST_CASE(both_spins_have_the_columns_of_berkeleygw) {
  const Scratch folder;
  const Solved ours(polarised(), folder / "");
  BOOST_REQUIRE_EQUAL(ours.states.size(), 48u);
  check_columns(ours, file("sigma_hp.log"), 2e-9);
  std::ifstream in(file("eqp1.dat"));
  BOOST_TEST(eqp_file(ours.solution(), &Quasiparticle::eqp1) == std::string(std::istreambuf_iterator<char>(in), {}));
  BOOST_TEST(ours.outcome.result.occupied[0] == 4);
  BOOST_TEST(ours.outcome.result.occupied[1] == 1);
  for (const auto& check : ours.outcome.outcome.checks) BOOST_TEST(check.holds(), check.name << " " << check.deviation);
}

BOOST_AUTO_TEST_CASE(heads_of_both_spins_together_are_those_of_berkeleygw) {
  const Scratch folder;
  const DielectricResult made = make_epsilon(polarised(), folder / "");
  const double heads[] = {8.681726601684225, 2.451838802139968, 2.298110868505511};
  BOOST_REQUIRE_EQUAL(made.q.size(), 3u);
  for (size_t i = 0; i < 3; ++i) BOOST_TEST(!!(std::abs(made.q[i].head - heads[i]) <= 2e-11 * heads[i]), made.q[i].head);
}

// Near zero every element is that of the static matrix, whose heads are compared above.
BOOST_AUTO_TEST_CASE(both_spins_screen_at_complex_frequencies) {
  const Scratch folder;
  Settings s = polarised();
  s.epsilon.real_frequencies_eV = {0, 1e-4};
  s.epsilon.broadening_eV = 1e-3;
  s.epsilon.imaginary_frequencies_eV = {1e-3, 1e4};
  const DielectricResult made = make_epsilon(s, folder / "");
  const InverseDielectric eps(made.eps0, made.eps);
  BOOST_REQUIRE_EQUAL(eps.frequencies().size(), 5u);
  const auto furthest = [&](int q, int f, int g) {
    const auto a = eps.matrix(q, f), b = g < 0 ? std::vector<std::complex<double>>(a.size()) : eps.matrix(q, g);
    const size_t n = eps.gvectors(q).size();
    double worst = 0;
    for (size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i] - (g < 0 && i % (n + 1) == 0 ? 1.0 : 0.0)));
    return worst;
  };
  for (int q = 1; q < eps.count(); ++q) {
    BOOST_TEST(furthest(q, 1, 3) <= 1e-12);  // both are 0.001i eV
    for (const int f : {1, 4}) BOOST_TEST((furthest(q, f, 0) > 0 && furthest(q, f, 0) <= 1e-5), furthest(q, f, 0));
    BOOST_TEST(furthest(q, 2, -1) <= 1e-3);  // nothing screens at 10 keV
  }
}

BOOST_AUTO_TEST_CASE(ranks_share_the_spins) {
  const Scratch folder;
  Settings s = polarised();
  const DielectricResult made = make_epsilon(s, folder / "");
  s.eps0 = made.eps0;
  s.eps = made.eps;
  s.offdiag = {{1, 5, 1}, {2, 3, 2}};
  const Result one = run(s).result;
  s.gprime_slices = 2;
  BOOST_TEST(difference(one, run_on_ranks(s, 4).result) <= 1e-11);
  // An element from either side, of the second spin.
  BOOST_REQUIRE_EQUAL(one.off_diagonal.size(), 12u);
  BOOST_TEST(one.off_diagonal[2].spin == 2);
}

BOOST_AUTO_TEST_CASE(files_of_one_spin_and_of_two_do_not_go_together) {
  const Settings gaas = gallium_arsenide_from_wavefunctions();
  Settings s = polarised();
  s.density = gaas.density;
  BOOST_TEST(complaint([&] { Plan{s}; }) == s.density.string() + " holds 1 spin and " + s.wavefunctions.string() + " 2");
  s = polarised();
  s.epsilon.wavefunctions_q0 = gaas.epsilon.wavefunctions_q0;
  BOOST_TEST(complaint([&] { DielectricPlan{s}; }) ==
             "the cutoff is 5 Ry in " + s.epsilon.wavefunctions.string() + " and 11 Ry in " + s.epsilon.wavefunctions_q0.string());
  s = polarised();
  s.vxc = gaas.density;
  BOOST_TEST(complaint([&] { make_vxc(s, "cpu"); }) ==
             s.vxc.string() + ": record 1 (title) begins with 'RHO-Complex' where VXC-Complex or VXC-Real is expected");
}
