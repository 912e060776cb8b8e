// SPDX-License-Identifier: BSD-3-Clause
// Cusps of Gaussian orbitals: each cusp against what defines it and against an independent program (which minimises the same quantity by
// another method), corrected orbitals against differences, integrals and the local energy at nuclei.
#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <numbers>

#include "../common/implementations.hpp"
#include "molecule/cusp.hpp"
#include "molecule/trexio.hpp"
#include "walkers.hpp"

using namespace suite::vmc;

namespace {

System molecule(const std::string& name, bool cusps) {
  TrexioFile file = read_trexio(SUITE_SOURCE_DIR "/inputs/data/molecules/" + name + ".h5");
  file.molecule.cusps = cusps;
  return make_system(std::move(file.molecule), file.nele);
}

// The s functions on a nucleus as a spin-up orbital has them.
struct SPart {
  std::vector<double> exponent, coefficient;
  SPart(const Molecule& m, int32_t ion, size_t orbital) {
    size_t ao = 0;
    for (size_t s = 0; s < m.shell_l.size(); ao += static_cast<size_t>(2 * m.shell_l[s] + 1), ++s)
      for (int32_t k = m.shell_first[s]; k < m.shell_first[s + 1] && m.shell_l[s] == 0 && m.shell_ion[s] == ion; ++k) {
        exponent.push_back(m.exponent[static_cast<size_t>(k - 1)]);
        coefficient.push_back(m.coefficient[static_cast<size_t>(k - 1)] * m.mo[0][ao + static_cast<size_t>(m.nao()) * orbital]);
      }
  }
};

struct Known {
  const char* name;
  int32_t ion;
  size_t orbital;
  double radius, rest, at_nucleus;  // of the corrected s part
};
constexpr Known known[] = {
    {"be", 1, 0, 0.1, 0, 4.140202993},
    {"be", 1, 1, 0.1, 0, -0.754534539},
    {"h2o", 1, 0, 0.06, -0.000190716334, 12.180553488},
    {"h2o", 1, 1, 0.06, 0.044077005346, -2.537292581},
    {"h2o", 2, 1, 0.6, 0.057399061093, 0.170424958},
};

}  // namespace

BOOST_AUTO_TEST_CASE(cusps_are_those_of_an_independent_program) {
  for (const Known& k : known) {
    const System s = molecule(k.name, true);
    const SPart part(*s.molecule, k.ion, k.orbital);
    const Cusp cusp =
        best_cusp_within({part.exponent, part.coefficient, k.rest, s.molecule->charge[static_cast<size_t>(k.ion - 1)]}, k.radius, 0);
    // The minimum is flat: where it is found depends on the points at which energies are compared.
    BOOST_TEST(cusp.at(1e-12).value == k.at_nucleus, boost::test_tools::tolerance(5e-4));
  }
}

BOOST_AUTO_TEST_CASE(cusps_meet_the_orbital_and_the_nucleus) {
  for (const Known& k : known) {
    const System s = molecule(k.name, true);
    const SPart part(*s.molecule, k.ion, k.orbital);
    const double Z = s.molecule->charge[static_cast<size_t>(k.ion - 1)];
    const OrbitalAtNucleus orbital{part.exponent, part.coefficient, k.rest, Z};
    for (const double shift : {0.0, -k.rest}) {
      const Cusp cusp = shift == 0 ? best_cusp(orbital, 10) : best_cusp_within(orbital, k.radius, shift);
      BOOST_TEST(cusp.radius > 0.05 / Z);
      BOOST_TEST(cusp.radius < 1 / Z);
      const auto near = boost::test_tools::tolerance(1e-10);
      const Radial end = cusp.at(cusp.radius), before = orbital.s_part(cusp.radius), nucleus = cusp.at(1e-12);
      BOOST_TEST(end.value == before.value, near);
      BOOST_TEST(end.slope == before.slope, near);
      BOOST_TEST(end.laplacian == before.laplacian, near);
      BOOST_TEST(nucleus.slope == -Z * (nucleus.value + k.rest), near);
    }
  }
}

// The s part of the first orbital beside most of an orbital from elsewhere, alone, with a node near the nucleus, or nothing there.
BOOST_AUTO_TEST_CASE(every_orbital_has_a_cusp_unless_it_vanishes_at_the_nucleus) {
  const std::vector<double> exponent{30, 3, 0.5};
  for (const auto& [coefficient, rest] :
       {std::pair{std::vector<double>{1, 0.8, 0.3}, 0.1}, std::pair{std::vector<double>{1e-3, 1e-3, 0}, 0.5},
        std::pair{std::vector<double>{2, -1, -0.5}, 0.3}, std::pair{std::vector<double>{2, -1, -0.5}, -0.6},
        std::pair{std::vector<double>{0, 0, 0}, 0.2}}) {
    const OrbitalAtNucleus orbital{exponent, coefficient, rest, 3};
    const Cusp cusp = best_cusp(orbital, 10);
    BOOST_REQUIRE(cusp.radius > 0);
    const Radial nucleus = cusp.at(1e-12), end = cusp.at(cusp.radius), before = orbital.s_part(cusp.radius);
    BOOST_TEST(std::abs(nucleus.slope + 3 * (nucleus.value + rest)) < 1e-9);
    BOOST_TEST(std::abs(end.value - before.value) < 1e-12);
    BOOST_TEST(std::abs(end.laplacian - before.laplacian) < 1e-9);
  }
  const std::vector<double> node{1, -0.7, -0.3};
  BOOST_TEST(best_cusp({exponent, node, 0, 3}, 10).radius == 0);
}

BOOST_AUTO_TEST_CASE(changes_of_orbitals_have_their_gradients_and_laplacians) {
  const System s = molecule("h2o", true);
  const CuspCorrection cusps(*s.molecule, 0);
  const auto n = static_cast<size_t>(s.nele[0]);
  const auto value = [&](const std::array<double, 3>& r) {
    std::vector<double> phi(n, 0.0);
    cusps.add(r, phi.data(), nullptr, nullptr);
    return phi;
  };
  const double *const O = s.molecule->rion.data(), *const H = O + 3;
  for (const auto& [r, h] : {std::pair{std::array{O[0] + 0.01, O[1] - 0.02, O[2] + 0.015}, 1e-4},
                             std::pair{std::array{H[0] + 0.1, H[1] - 0.2, H[2] + 0.15}, 1e-3}}) {
    BOOST_TEST(cusps.reaches(r));
    std::vector<double> phi(n, 0.0), dphi(3 * n, 0.0), d2phi(n, 0.0), laplacian(n, 0.0);
    cusps.add(r, phi.data(), dphi.data(), d2phi.data());
    for (size_t d = 0; d < 3; ++d) {
      std::vector<double> at[5];
      for (int k = 0; k < 5; ++k) {
        std::array<double, 3> to = r;
        to[d] += (k - 2) * h;
        at[k] = value(to);
      }
      for (size_t i = 0; i < n; ++i) {
        const double gradient = (8 * (at[3][i] - at[1][i]) - (at[4][i] - at[0][i])) / (12 * h);
        BOOST_TEST(std::abs(gradient - dphi[i + n * d]) < 1e-6 * (1 + std::abs(gradient)));
        laplacian[i] += (16 * (at[3][i] + at[1][i]) - at[4][i] - at[0][i] - 30 * at[2][i]) / (12 * h * h);
      }
    }
    for (size_t i = 0; i < n; ++i) BOOST_TEST(std::abs(laplacian[i] - d2phi[i]) < 1e-3 * (1 + std::abs(d2phi[i])));
  }
  BOOST_TEST(!cusps.reaches(std::array{3.0, 2.0, 1.0}));
  BOOST_TEST(!CuspCorrection(*molecule("h2o", false).molecule, 0).reaches(std::array{O[0], O[1], O[2]}));
  BOOST_TEST(!CuspCorrection(*molecule("h2o_ccecp", true).molecule, 0).reaches(std::array{O[0], O[1], O[2]}));
}

// Of beryllium, whose orbitals are s parts alone, by radial integrals of values and slopes.
BOOST_AUTO_TEST_CASE(kinetic_energy_of_corrected_orbitals_is_that_of_their_slopes) {
  const System s = molecule("be", true);
  double S[3]{}, T[3]{};  // of 11, 12, 22
  constexpr int steps = 400000;
  constexpr double end = 40;
  const SPart part[2] = {{*s.molecule, 1, 0}, {*s.molecule, 1, 1}};
  const OrbitalAtNucleus orbital[2] = {{part[0].exponent, part[0].coefficient, 0, 4}, {part[1].exponent, part[1].coefficient, 0, 4}};
  const Cusp cusp[2] = {best_cusp(orbital[0], 10), best_cusp(orbital[1], 10)};
  for (int k = 0; k < steps; ++k) {
    // Dense near the nucleus: r = end t^2.
    const double t = (k + 0.5) / steps, r = end * t * t, weight = 4 * std::numbers::pi * r * r * 2 * end * t / steps;
    const Radial f[2] = {r < cusp[0].radius ? cusp[0].at(r) : orbital[0].s_part(r),
                         r < cusp[1].radius ? cusp[1].at(r) : orbital[1].s_part(r)};
    for (int p = 0; p < 3; ++p) {
      S[p] += weight * f[p / 2].value * f[(p + 1) / 2].value;
      T[p] += 0.5 * weight * f[p / 2].slope * f[(p + 1) / 2].slope;
    }
  }
  const double trace = (S[2] * T[0] - 2 * S[1] * T[1] + S[0] * T[2]) / (S[0] * S[2] - S[1] * S[1]);
  BOOST_TEST(kinetic_energy(*s.molecule) == 2 * trace, boost::test_tools::tolerance(2e-6));
  BOOST_TEST(std::abs(2 * trace - 14.572876523) > 1e-5);
}

BOOST_AUTO_TEST_CASE(the_local_energy_is_finite_at_the_nuclei) {
  for (const char* name : {"be", "h2o"}) {
    const System with = molecule(name, true), without = molecule(name, false);
    for (const auto& found : suite::test::implementations_of("qmc.orbitals_gaussian")) {
      if (!suite::test::open_or_skip("qmc.orbitals_gaussian", found.implementation)) continue;
      const Implementation how{found.implementation, "", {}};
      const auto corrected = make_walkers(with, {}, how, 1, 1), plain = make_walkers(without, {}, how, 1, 1);
      for (int64_t ion = 0; ion < with.molecule->nion(); ++ion) {
        const auto energy = [&](Walkers& walkers, double distance) {
          std::vector<double> rele;
          for (int i = 1; i <= with.netot(); ++i)
            for (int c = 1; c <= 3; ++c) rele.push_back(1.2 * std::sin(1.7 * i + 2.3 * c + 1.4 + 0.3 * i * c));
          for (size_t d = 0; d < 3; ++d)
            rele[3 + d] = with.molecule->rion[3 * static_cast<size_t>(ion) + d] + distance * std::array{0.48, -0.6, 0.64}[d];
          walkers.place(rele, std::vector<int64_t>{0});
          return walkers.energies()[part::total];
        };
        BOOST_TEST_CONTEXT(name << ", nucleus " << ion << ", " << found.implementation) {
          BOOST_TEST(std::abs(energy(*corrected, 1e-4) - energy(*corrected, 1e-6)) < 0.05);
          BOOST_TEST(energy(*plain, 1e-6) < -1e5);
        }
      }
    }
  }
}
