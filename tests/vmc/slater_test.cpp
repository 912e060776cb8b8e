// SPDX-License-Identifier: BSD-3-Clause
// Molecules of Slater functions: integrals against closed forms, local energies of fixed configurations against another program, and
// CASINO's stowfn.data.
#include <boost/test/unit_test.hpp>

#include <cmath>

#include "each_implementation.hpp"
#include "molecule/part.hpp"
#include "molecule/slater_functions.hpp"
#include "molecule/stowfn.hpp"

using namespace suite::vmc;

namespace {

struct SlaterPrimitive {
  int32_t power;
  double exponent, coefficient;
};

void add_slater_shell(Molecule& m, int32_t ion, int32_t l, const std::vector<SlaterPrimitive>& primitives) {
  if (m.shell_first.empty()) m.shell_first.push_back(1);
  m.shell_ion.push_back(ion), m.shell_l.push_back(l);
  for (const SlaterPrimitive& p : primitives)
    m.power.push_back(p.power), m.exponent.push_back(p.exponent), m.coefficient.push_back(p.coefficient);
  m.shell_first.push_back(static_cast<int32_t>(m.exponent.size() + 1));
}

Molecule two_nuclei() {
  Molecule m;
  m.label = {"Li", "H"}, m.charge = {3, 1};
  m.rion = {0.1, 0.2, -0.3, 1.4, -0.9, 1.1};
  return m;
}

// Every function is an orbital.
void each_alone(Molecule& m) {
  const auto n = static_cast<size_t>(m.nao());
  m.mo[0].assign(n * n, 0);
  for (size_t i = 0; i < n; ++i) m.mo[0][i * (n + 1)] = 1;
}

}  // namespace

// Of 1s functions with the same exponent, p = g R: S = e^-p (1 + p + p^2/3), T = g^2/2 e^-p (1 + p - p^2/3) (Mulliken et al., J. Chem. Phys.
// 17, 1248 (1949)); on one nucleus of exponents g and h and powers 0 and 1 by integrals over r.
BOOST_AUTO_TEST_CASE(integrals_of_slater_functions_have_their_closed_forms) {
  const double g = 1.3, c = std::sqrt(g * g * g / std::numbers::pi);
  Molecule m = two_nuclei();
  add_slater_shell(m, 1, 0, {{0, g, c}});
  add_slater_shell(m, 2, 0, {{0, g, c}});
  add_slater_shell(m, 2, 0, {{1, 0.8, 1.0}});
  each_alone(m);
  const Integrals found = integrals_of(m, 0);
  const double R = std::hypot(1.3, 1.1, 1.4), p = g * R, e = std::exp(-p);
  BOOST_TEST(std::abs(found.overlap[0] - 1) < 1e-13);
  BOOST_TEST(std::abs(found.kinetic[0] - g * g / 2) < 1e-13);
  BOOST_TEST(std::abs(found.overlap[1] - e * (1 + p + p * p / 3)) < 1e-8);
  BOOST_TEST(std::abs(found.kinetic[1] - g * g / 2 * e * (1 + p - p * p / 3)) < 1e-8);
  // int r^3 exp(-2.1 r) 4 pi c; -1/2 lap (r e^-hr) = -1/2 (h^2 r - 4 h + 2/r) e^-hr
  const double k = 2.1, h = 0.8, pi4 = 4 * std::numbers::pi;
  BOOST_TEST(std::abs(found.overlap[1 + 3 * 2] - pi4 * c * 6 / std::pow(k, 4)) < 1e-12);
  BOOST_TEST(std::abs(found.kinetic[1 + 3 * 2] + 0.5 * pi4 * c * (h * h * 6 / std::pow(k, 4) - 4 * h * 2 / std::pow(k, 3) + 2 / (k * k))) <
             1e-12);
  BOOST_TEST(std::abs(found.kinetic[1 + 3 * 2] - found.kinetic[2 + 3 * 1]) < 1e-12);
}

// Closed forms as above, of functions much wider than the distance of the nuclei to much narrower ones, far from the origin.
BOOST_AUTO_TEST_CASE(integrals_of_wide_and_narrow_slater_functions_have_their_closed_forms) {
  for (const double g : {0.004, 0.05, 0.1, 0.3, 6.0, 40.0})
    for (const double away : {0.0, 8192.0}) {
      const double c = std::sqrt(g * g * g / std::numbers::pi), R = 1.375, p = g * R, e = std::exp(-p);
      Molecule m = two_nuclei();
      m.rion = {away, 0, 0, away, 0, R};
      add_slater_shell(m, 1, 0, {{0, g, c}});
      add_slater_shell(m, 2, 0, {{0, g, c}});
      each_alone(m);
      const Integrals found = integrals_of(m, 0);
      BOOST_TEST(std::abs(found.overlap[1] - e * (1 + p + p * p / 3)) < 1e-10, g << " at " << away << ": " << found.overlap[1]);
      BOOST_TEST(std::abs(found.kinetic[1] - g * g / 2 * e * (1 + p - p * p / 3)) < 1e-10 * g * g, g << " at " << away);
    }
}

// A function with r^8 and l = 4, which reaches farthest, beside its overlap with itself: nuclei 1e-3 of its size apart.
BOOST_AUTO_TEST_CASE(integrals_of_a_far_reaching_slater_function_are_those_on_one_nucleus) {
  Molecule m = two_nuclei();
  m.rion = {0, 0, 0, 0.06, -0.08, 0};
  const double norm = std::sqrt(std::pow(0.2, 27) / std::tgamma(27.0) * 9 / (4 * std::numbers::pi));
  add_slater_shell(m, 1, 4, {{8, 0.1, norm}});
  add_slater_shell(m, 2, 4, {{8, 0.1, norm}});
  each_alone(m);
  const Integrals found = integrals_of(m, 0);
  for (size_t i = 0; i < 9; ++i) {
    BOOST_TEST(std::abs(found.overlap[i + 18 * i] - 1) < 1e-12);
    // A move by R changes it by -R^2 T/3 or so.
    BOOST_TEST(std::abs(found.overlap[9 + i + 18 * i] - 1) < 0.01 * found.kinetic[i + 18 * i], i << ": " << found.overlap[9 + i + 18 * i]);
    BOOST_TEST(found.kinetic[9 + i + 18 * i] == found.kinetic[i + 18 * i], boost::test_tools::tolerance(0.01));
  }
}

// The squares of all overlaps of two shells do not depend on the direction between their nuclei.
BOOST_AUTO_TEST_CASE(integrals_of_slater_shells_turn_with_the_molecule) {
  for (int l = 0; l <= 4; ++l) {
    double sums[2][2]{};
    for (const bool turned : {false, true}) {
      Molecule m = two_nuclei();
      const double R = std::hypot(1.3, 1.1, 1.4);
      m.rion = {0.1, 0.2, -0.3, 0.1, 0.2, -0.3};
      const double away[3] = {turned ? 0.6 : 0, turned ? -0.48 : 0, turned ? 0.64 : 1};
      for (size_t d = 0; d < 3; ++d) m.rion[3 + d] += R * away[d];
      add_slater_shell(m, 1, l, {{0, 1.7, 1.0}, {1, 0.9, 0.4}});
      add_slater_shell(m, 2, 4 - l, {{2, 1.1, 0.7}});
      each_alone(m);
      const Integrals found = integrals_of(m, 0);
      const auto first = static_cast<size_t>(2 * l + 1), n = static_cast<size_t>(found.n);
      for (size_t i = 0; i < first; ++i)
        for (size_t j = first; j < n; ++j) {
          sums[turned][0] += std::pow(found.overlap[i + n * j], 2);
          sums[turned][1] += std::pow(found.kinetic[i + n * j], 2);
        }
    }
    BOOST_TEST(sums[0][0] > 1e-3);
    for (int q = 0; q < 2; ++q) BOOST_TEST(sums[1][q] == sums[0][q], boost::test_tools::tolerance(1e-7));
  }
}

// mpmath with 50 digits: determinants of its spherical harmonics times the radial parts, derivatives by differences of 1e-12; orbitals with
// the coefficients cos(1.3 i + 0.7 a^2), i and a from 1.
BOOST_AUTO_TEST_CASE(local_energies_with_slater_functions_are_those_of_an_independent_program) {
  Molecule m = two_nuclei();
  add_slater_shell(m, 1, 0, {{0, 2.7, 1.3}});
  add_slater_shell(m, 1, 0, {{1, 0.7, 0.4}, {0, 4.1, 0.2}});
  add_slater_shell(m, 1, 1, {{0, 0.8, 0.5}});
  add_slater_shell(m, 1, 2, {{2, 1.4, 0.3}});
  add_slater_shell(m, 2, 0, {{0, 1.2, 0.9}});
  add_slater_shell(m, 2, 1, {{0, 1.5, 0.6}});
  for (auto& mo : m.mo)
    for (int a = 1; a <= 2; ++a)
      for (int i = 1; i <= m.nao(); ++i) mo.push_back(std::cos(1.3 * i + 0.7 * a * a));
  const System s = make_system(m, {2, 2});
  struct Known {
    int k;
    double kei, fisq, en, ee, total;
  };
  for (const Known& known : {Known{1, 3.608582392417, 4.85234957386, -16.31413707349, 4.287240394073, -7.057486652116},
                             Known{2, 6.381785796003, 60.6020037571, -13.63636085287, 3.077233021566, -2.816514400418}}) {
    std::vector<double> rele;
    for (int i = 1; i <= 4; ++i)
      for (int c = 1; c <= 3; ++c) rele.push_back(1.2 * std::sin(1.7 * i + 2.3 * c + 0.9 * known.k + 0.5 + 0.3 * i * c));
    for_each_implementation("qmc.orbitals_slater", [&](const Implementation& how) {
      const auto walkers = make_walkers(s, {}, how, 1, 1);
      walkers->place(rele, std::vector<int64_t>{0});
      const auto& e = walkers->energies();
      const auto near = boost::test_tools::tolerance(1e-10);
      BOOST_TEST(e[part::kei] == known.kei, near);
      BOOST_TEST(e[part::fisq] == known.fisq, near);
      BOOST_TEST(e[part::en] == known.en, near);
      BOOST_TEST(e[part::ee] == known.ee, near);
      BOOST_TEST(e[part::total] == known.total, near);
    });
  }
}

// 1s of the exponent Z has the cusp; one of 0.9 Z lacks a tenth; a tail of another nucleus counts to the value.
BOOST_AUTO_TEST_CASE(cusps_of_slater_functions_are_measured) {
  Molecule m = two_nuclei();
  m.label.resize(1), m.charge.resize(1), m.rion.resize(3);
  add_slater_shell(m, 1, 0, {{0, 3.0, 1.0}});
  each_alone(m);
  BOOST_TEST(worst_cusp(m) < 1e-14);
  m.exponent[0] = 2.7;
  BOOST_TEST(worst_cusp(m) == 0.1, boost::test_tools::tolerance(1e-12));
  add_slater_shell(m, 1, 0, {{1, 1.0, 0.3}});
  m.mo[0] = {1, -1};  // the slope is -2.7 - 0.3
  BOOST_TEST(worst_cusp(m) < 1e-14);
  Molecule both = two_nuclei();
  add_slater_shell(both, 1, 0, {{0, 3.0, 1.0}});
  add_slater_shell(both, 2, 0, {{0, 1.0, 0.2}});
  both.mo[0] = {1, 1};
  const double tail = 0.2 * std::exp(-std::hypot(1.3, 1.1, 1.4)), other = std::exp(-3 * std::hypot(1.3, 1.1, 1.4));
  BOOST_TEST(worst_cusp(both) == std::max(1 - 1 / (1 + tail), 1 - 0.2 / (0.2 + other)), boost::test_tools::tolerance(1e-12));
}
