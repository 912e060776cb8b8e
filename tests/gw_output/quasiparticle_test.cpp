// SPDX-License-Identifier: BSD-3-Clause
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <complex>
#include <functional>

#include "files.hpp"
#include "gw/output.hpp"
#include "gw/quasiparticle.hpp"
#include "gw/vxc.hpp"

using namespace suite::gw;

namespace {

// A state whose SX-X and CH are given functions of the energy, at the energies of a finite_difference_form.
State state_with(std::function<double(double)> sx, std::function<double(double)> ch, int form) {
  State s;
  s.band = 4;
  s.emf = 6.0;
  s.vxc = -11.0;
  s.x = -12.8;
  s.remainder = -0.15;
  switch (form) {
    case -3:
      for (int i = 0; i <= 20; ++i) s.energies.push_back(s.emf - 5 + 0.5 * i + 0.1);
      break;
    case -2: s.energies = {s.emf}; break;
    case -1: s.energies = {s.emf - 0.5, s.emf}; break;
    case 0: s.energies = {s.emf - 0.5, s.emf, s.emf + 0.5}; break;
    default: s.energies = {s.emf, s.emf + 0.5}; break;
  }
  for (double e : s.energies) s.sx.push_back(sx(e - s.emf)), s.ch.push_back(ch(e - s.emf));
  return s;
}

bool within(double a, double b, double difference) { return std::abs(a - b) <= difference; }

}  // namespace

BOOST_AUTO_TEST_CASE(every_form_solves_a_linear_self_energy) {
  for (int form = -3; form <= 2; ++form) {
    const State s = state_with([](double e) { return 9.2 + 0.1 * e; }, [](double e) { return -8.2 - 0.4 * e; }, form);
    const auto p = quasiparticles({s}, form).at(0);
    const double slope = form == -2 ? 0 : -0.3, z = 1 / (1 - slope), eqp0 = 6.0 + 11.0 - 12.8 + 9.2 - 8.2;
    BOOST_TEST_CONTEXT("finite_difference_form " << form) {
      BOOST_TEST(within(p.sx, 9.2, 1e-13));
      BOOST_TEST(within(p.ch_primed, -8.2, 1e-13));
      BOOST_TEST(within(p.ch, -8.35, 1e-13));
      BOOST_TEST(within(p.sigma_primed, -11.8, 1e-13));
      BOOST_TEST(within(p.sigma, -11.95, 1e-13));
      BOOST_TEST(within(p.z, z, 1e-13));
      BOOST_TEST(within(p.eqp0_primed, eqp0, 1e-13));
      BOOST_TEST(within(p.eqp0, eqp0 - 0.15, 1e-13));
      BOOST_TEST(within(p.eqp1_primed, 6.0 + z * (eqp0 - 6.0), 1e-12));
      BOOST_TEST(within(p.eqp1, 6.0 + z * (eqp0 - 6.0) - 0.15 * z, 1e-12));
    }
  }
}

// Only dSigma/dE takes the imaginary part, and 1/(1 - dSigma/dE) is taken before its real part: here it is
// 1/(1.3 - 0.2 i). The equation that form -3 solves is real.
BOOST_AUTO_TEST_CASE(an_imaginary_self_energy_is_in_the_derivative) {
  for (int form = -3; form <= 2; ++form) {
    State s = state_with([](double e) { return 9.2 + 0.1 * e; }, [](double e) { return -8.2 - 0.4 * e; }, form);
    const auto real = quasiparticles({s}, form).at(0);
    for (size_t i = 0; i < s.energies.size(); ++i)
      s.sx[i] += std::complex(0.0, 0.7 + 0.5 * (s.energies[i] - s.emf)), s.ch[i] -= std::complex(0.0, 0.3 * (s.energies[i] - s.emf));
    const auto p = quasiparticles({s}, form).at(0);
    const double z = form == -3 ? 1 / 1.3 : form == -2 ? 1 : 1.3 / (1.3 * 1.3 + 0.2 * 0.2);
    BOOST_TEST_CONTEXT("finite_difference_form " << form) {
      for (auto column : {&Quasiparticle::sx, &Quasiparticle::ch, &Quasiparticle::sigma, &Quasiparticle::eqp0, &Quasiparticle::ch_primed,
                          &Quasiparticle::sigma_primed, &Quasiparticle::eqp0_primed})
        BOOST_TEST((p.*column == real.*column));
      BOOST_TEST(within(p.z, z, 1e-13));
      BOOST_TEST(within(p.eqp1_primed, 6.0 + z * (p.eqp0_primed - 6.0), 1e-12));
      BOOST_TEST(within(p.eqp1, 6.0 + z * (p.eqp0 - 6.0), 1e-12));
    }
  }
}

// Imaginary parts of opposite sign within a degenerate set leave its mean nothing.
BOOST_AUTO_TEST_CASE(imaginary_parts_of_a_degenerate_set_are_averaged) {
  std::vector<State> states(2, state_with([](double e) { return 9.2 + 0.1 * e; }, [](double e) { return -8.2 - 0.4 * e; }, 2));
  states[0].sx[1] += std::complex(0.0, 0.4);
  BOOST_TEST(std::abs(quasiparticles({states[0]}, 2)[0].z - 1 / 1.3) > 1e-2);
  states[1].sx[1] -= std::complex(0.0, 0.4);
  states[1].band = 5;
  for (const auto& p : quasiparticles(states, 2)) BOOST_TEST(within(p.z, 1 / 1.3, 1e-13));
}

BOOST_AUTO_TEST_CASE(a_grid_of_energies_solves_a_curved_self_energy) {
  // Emf - Vxc + Sigma(E) = E with Sigma = X + 1 - 0.3 (E - Emf) + 0.02 (E - Emf)^2, solved by hand
  const State s = state_with([](double e) { return 9.2 + 0.02 * e * e; }, [](double e) { return -8.2 - 0.3 * e; }, -3);
  const auto p = quasiparticles({s}, -3).at(0);
  const double shift = 11.0 - 12.8 + 1.0;  // 0.02 e^2 - 1.3 e + shift = 0
  const double e = (1.3 - std::sqrt(1.3 * 1.3 - 4 * 0.02 * shift)) / (2 * 0.02);
  BOOST_TEST(within(p.eqp1_primed, 6.0 + e, 2e-3));  // linear between points 0.5 eV apart
  BOOST_TEST(within(p.z, 1 / (1.3 - 0.04 * e), 1e-2));
}

// Re Sigma + X - Vxc - 4 = -0.2 e below Emf and -0.8 e above it: the remainder moves the root across the kink, to another slope.
BOOST_AUTO_TEST_CASE(a_remainder_is_part_of_the_equation_on_a_grid) {
  State s = state_with([](double e) { return 1 - (e < 0 ? 0.2 : 0.8) * e; }, [](double) { return 0.0; }, -3);
  for (double& e : s.energies) e -= 0.1;  // a point at Emf
  for (size_t i = 0; i < s.energies.size(); ++i) s.sx[i] = 1 - (s.energies[i] < s.emf ? 0.2 : 0.8) * (s.energies[i] - s.emf);
  s.x = -11.0;
  s.vxc = -10.5;  // the left side is Emf + 0.5 at Emf
  s.remainder = -0.9;
  const auto p = quasiparticles({s}, -3).at(0);
  BOOST_TEST(within(p.eqp1_primed, 6.0 + 0.5 / 1.8, 1e-13));
  BOOST_TEST(within(p.eqp1, 6.0 - 0.4 / 1.2, 1e-13));
  BOOST_TEST(within(p.z, 1 / 1.2, 1e-13));
}

// above(E) = Emf - Vxc + Sigma(E) - E at steps of 1 eV from Emf + first.
BOOST_AUTO_TEST_CASE(only_roots_with_a_positive_weight_are_quasiparticles) {
  const auto with_above = [](double first, const std::vector<double>& above) {
    State s = state_with([](double) { return 0.0; }, [](double) { return 0.0; }, -2);
    s.remainder = 0;
    s.energies.clear(), s.sx.clear(), s.ch.clear();
    for (size_t i = 0; i < above.size(); ++i) {
      s.energies.push_back(s.emf + first + static_cast<double>(i));
      s.sx.push_back(above[i] + s.energies[i] - (s.emf - s.vxc + s.x));
      s.ch.push_back(0.0);
    }
    return quasiparticles({s}, -3).at(0);
  };
  // Eqp0 is Emf - 0.2; it rises through zero at Emf + 0.1, and falls through it at Emf - 2.67 and Emf + 1.9.
  const auto p = with_above(-3, {0.5, -1, -1, -0.2, 1.8, -0.2, -3});
  BOOST_TEST(within(p.eqp0, 6.0 - 0.2, 1e-12));
  BOOST_TEST(within(p.eqp1, 6.0 + 1.9, 1e-12));
  BOOST_TEST(within(p.z, 1 / 2.0, 1e-12));
  // None on the grid: a rising one alone, and beyond an end where the left side falls.
  BOOST_TEST(within(with_above(-1, {-1, -0.4, 0.6}).eqp1, 6.0 - 0.4, 1e-12));
  BOOST_TEST(within(with_above(-1, {-1, -1.5, -1.2}).eqp1, 6.0 - 1 - 2, 1e-12));
  BOOST_TEST(within(with_above(-1, {1, 1.5, 1.2}).eqp1, 6.0 + 1 + 4, 1e-12));
}

BOOST_AUTO_TEST_CASE(a_grid_without_a_root_inside_is_extended) {
  State s = state_with([](double e) { return 9.2 - 0.2 * e; }, [](double) { return 30.0; }, -3);
  const auto p = quasiparticles({s}, -3).at(0);
  BOOST_TEST(within(p.eqp1_primed, 6.0 + (11.0 - 12.8 + 39.2) / 1.2, 1e-10));
}

BOOST_AUTO_TEST_CASE(degenerate_states_share_their_mean) {
  const double close_by = 0.9e-6 * rydberg_eV;
  std::vector<State> states;
  for (int i = 0; i < 5; ++i) {
    State s = state_with([=](double e) { return i - 0.1 * i * e; }, [](double) { return -8.0; }, 1);
    s.band = i + 1;
    s.x = -12 - i;
    s.vxc = -11 + 0.5 * i;
    s.remainder = 0.1 * i;
    s.emf = 6.0 + (i < 3 ? i * close_by : 1e-4 * i);  // 1, 2, 3 chained; 4 and 5 alone
    states.push_back(s);
  }
  states.push_back(states[4]);
  states[5].k = 1;  // equal energy at another k is no degeneracy
  states[5].band = 1;
  const auto p = quasiparticles(states, 1);
  BOOST_TEST(end_of_degenerate_set(p, 0) == 3u);
  BOOST_TEST(end_of_degenerate_set(p, 3) == 4u);
  BOOST_TEST(end_of_degenerate_set(p, 4) == 5u);
  for (int i = 0; i < 3; ++i) {
    BOOST_TEST(p[i].band == i + 1);
    BOOST_TEST(p[i].emf == states[i].emf);
    BOOST_TEST(within(p[i].x, -13, 1e-13));
    BOOST_TEST(within(p[i].sx, 1, 1e-13));
    BOOST_TEST(within(p[i].vxc, -10.5, 1e-13));
    BOOST_TEST(within(p[i].ch - p[i].ch_primed, 0.1, 1e-13));
    BOOST_TEST(within(p[i].z, 1 / 1.1, 1e-13));
  }
  BOOST_TEST(p[3].x == -15.0);
  BOOST_TEST(p[5].x == -16.0);
}

// From X, SX-X, CH', remainder, Vxc and Z of the reference runs follow their other columns.
BOOST_AUTO_TEST_CASE(reference_tables_follow_from_their_first_columns) {
  const auto data = test::source / "inputs/data";
  for (const char* run : {"silicon/sigma_hp.log", "silicon/noavg/sigma_hp.log", "silicon_78bands/ref/a_default_ch1/sigma_hp.log",
                          "silicon_78bands/ref/b_cohsex_nb8/sigma_hp.log", "silicon_78bands/ref/b_cut/sigma_hp.log",
                          "silicon_78bands/ref/b_cut_ch0_nb14/sigma_hp.log", "silicon_78bands/ref/b_cut_ch1_nb38/sigma_hp.log",
                          "silicon_78bands/ref/b_cut_gamma_fdf0/sigma_hp.log"}) {
    const SigmaLog log = read_sigma_log(data / run);
    const bool central = std::string(run).find("fdf0") != std::string::npos, none = std::string(run).find("cohsex") != std::string::npos;
    const int form = none ? -2 : central ? 0 : 2;
    std::vector<State> states;
    for (const auto& row : log.states) {
      State s{
          .k = row.k, .band = row.band, .emf = row.emf, .vxc = row.vxc, .x = row.x, .energies = {}, .sx = {}, .ch = {}, .imaginary = {}};
      const double slope = 1 - 1 / row.z;
      for (double step : none ? std::vector<double>{0} : central ? std::vector<double>{-1, 0, 1} : std::vector<double>{0, 1}) {
        s.energies.push_back(row.emf + step);
        s.sx.push_back(row.sx);
        s.ch.push_back(row.ch_primed + slope * step);
      }
      s.remainder = row.ch - row.ch_primed;
      states.push_back(s);
    }
    const auto solved = quasiparticles(states, form);
    double worst = 0;
    for (size_t i = 0; i < solved.size(); ++i)
      for (auto column : {&Quasiparticle::sigma, &Quasiparticle::eqp0, &Quasiparticle::eqp1, &Quasiparticle::sigma_primed,
                          &Quasiparticle::eqp0_primed, &Quasiparticle::eqp1_primed, &Quasiparticle::z})
        worst = std::max(worst, std::abs(solved[i].*column - log.states[i].*column));
    BOOST_TEST_CONTEXT(run) { BOOST_TEST(worst < 4e-9); }  // nine decimals are printed
  }
}

BOOST_AUTO_TEST_CASE(vxc_of_the_reference_run_is_the_mean_of_its_sets) {
  const SigmaLog log = read_sigma_log(test::source / "inputs/data/silicon_78bands/ref/b_cut/sigma_hp.log");
  const ExchangeCorrelation vxc(test::source / "inputs/data/silicon_78bands/vxc.dat");
  std::vector<State> states;
  for (const auto& row : log.states) {
    State s{.k = row.k, .band = row.band, .emf = row.emf, .energies = {row.emf}, .sx = {0}, .ch = {0}, .imaginary = {}};
    s.vxc = vxc.at(log.kpoints[row.k], row.band);
    states.push_back(s);
  }
  const auto solved = quasiparticles(states, -2);
  for (size_t i = 0; i < solved.size(); ++i) BOOST_TEST(within(solved[i].vxc, log.states[i].vxc, 2e-9));
}

BOOST_AUTO_TEST_CASE(the_gap_of_silicon) {
  const SigmaLog log = read_sigma_log(test::source / "inputs/data/silicon/sigma_hp.log");
  Result result;
  result.kpoints = log.kpoints;
  result.occupied = {4, 0};
  const auto gap = find_gap(log.states, &Quasiparticle::eqp1, result);
  BOOST_REQUIRE(gap);
  BOOST_TEST(within(gap->gap(), 1.201532169, 1e-9));
  BOOST_TEST(gap->k_valence == 0);
  BOOST_TEST(gap->k_conduction == 7);
  BOOST_REQUIRE(gap->direct_at_gamma);
  BOOST_TEST(within(*gap->direct_at_gamma, 8.888389324 - 5.566071713, 1e-9));
  const auto mean_field = find_gap(log.states, &Quasiparticle::emf, result);
  BOOST_TEST(within(mean_field->gap(), 0.535956032, 1e-9));
  result.occupied = {14, 0};
  BOOST_TEST(!find_gap(log.states, &Quasiparticle::eqp1, result));
}

BOOST_AUTO_TEST_CASE(missing_energies_are_our_error) {
  State s = state_with([](double) { return 1.0; }, [](double) { return 1.0; }, 0);
  BOOST_TEST(test::failure([&] { quasiparticles({s}, 2); }) == "finite_difference_form 2 needs Sigma at 2 energies; band 4 has 3");
  BOOST_TEST(test::failure([&] { quasiparticles({s}, 3); }) == "finite_difference_form is 3; it can be -3 to 2");
}
