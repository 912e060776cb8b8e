// SPDX-License-Identifier: BSD-3-Clause
// Local energies: exact ones of determinants, and derivatives of ln|psi| by differences.
#include "walk.hpp"

using namespace qmc_test;

namespace {

struct Local {
  Numbers energy, velocity, jastrow;
};
Local local(Call& call, const Gas& g) {
  g.set_wavefunction(call);
  call.numbers("energy", Numbers(static_cast<size_t>(5 * g.nwalker), 1e30), {5, g.nwalker});
  call.numbers("velocity", Numbers(static_cast<size_t>(3 * g.netot() * g.nwalker), 1e30), {3, g.netot(), g.nwalker});
  call.numbers("jastrow", Numbers(static_cast<size_t>(g.nwalker), 1e30), {g.nwalker});
  call.run();
  return {call.get_numbers("energy"), call.get_numbers("velocity"), call.get_numbers("jastrow")};
}

Numbers log_psi(const Gas& g) {
  Numbers result = slater_of(g).logdet;
  Call call = reference("qmc.local_energy");
  const Numbers J = local(call, g).jastrow;
  for (size_t w = 0; w < J.size(); ++w) result[w] += J[w];
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(energy)

// A determinant of plane waves has the kinetic energy N t/r_s^2 wherever its electrons are; t to ten digits
// from exact sums.
BOOST_AUTO_TEST_CASE(kinetic_energy_of_determinants) {
  struct Shell {
    Numbers shape;
    int64_t nup, ndn;
    double t;
  };
  const Shell shells[] = {{sc, 7, 7, 1.1209128678},   {fcc, 9, 9, 1.1704451584}, {bcc, 13, 13, 1.0066295192},
                          {sc, 27, 27, 1.0634200001}, {sc, 19, 0, 1.6844931709}, {sc, 0, 7, 1.7793382654}};
  for (const Shell& shell : shells) {
    Gas g = gas_of(shell.shape, shell.nup, shell.ndn, 2, 3, 71);
    g.a.clear();
    g.alpha.clear();
    const double expected = static_cast<double>(g.netot()) * shell.t / 4;
    each("qmc.local_energy", [&](Call& call) {
      const Local l = local(call, g);
      for (int w = 0; w < 3; ++w) {
        const double* const e = &l.energy[5 * w];
        check_below(call, "KEI off by", std::abs(e[1] / expected - 1), 1e-9);
        check_below(call, "2 TI - FISQ off by", std::abs((2 * e[2] - e[3]) / expected - 1), 1e-9);
        BOOST_CHECK_EQUAL(l.jastrow[w], 0);
      }
    });
  }
}

// Differences of order 4 of ln|psi|, each coordinate displaced in walkers of their own, after a walk, which
// leads away from nodes; the rounding of ln|psi| by h^2 is 1e-8.
BOOST_AUTO_TEST_CASE(derivatives_of_ln_psi) {
  for (const Numbers& shape : {fcc, triclinic})
    for (const char* form : {"polynomial", "bspline"}) {
      Gas g = gas_of(shape, 4, 3, 2, 1, 72, 9, 3);
      g.form = form;
      const double h = 1e-3;
      Settings settings;
      settings.nsweep = 30;
      Call sweep = reference("qmc.sweep");
      walk(sweep, g, settings);
      Gas displaced = g;
      displaced.rele.clear();
      for (int64_t x = -1; x < 21; ++x)
        for (const double step : {-2 * h, -h, h, 2 * h}) {
          displaced.rele.insert(displaced.rele.end(), g.rele.begin(), g.rele.end());
          if (x >= 0) displaced.rele[displaced.rele.size() - 21 + static_cast<size_t>(x)] += step;
        }
      displaced.nwalker = 88;
      for (int spin = 0; spin < 2; ++spin) displaced.dbar[spin] = slater_of(displaced).dbar[spin];
      const Numbers f = log_psi(displaced);
      double laplacian = 0, squares = 0;
      Numbers velocity;
      for (int64_t x = 0; x < 21; ++x) {
        const double* const p = &f[4 * (x + 1)];
        velocity.push_back((p[0] - 8 * p[1] + 8 * p[2] - p[3]) / (12 * h));
        laplacian += (-p[0] + 16 * p[1] - 30 * f[0] + 16 * p[2] - p[3]) / (12 * h * h);
        squares += velocity.back() * velocity.back();
      }
      each("qmc.local_energy", [&](Call& call) {
        const Local l = local(call, g);
        check_below(call, "velocities differ by", relative_distance(l.velocity, velocity), 1e-7);
        check_below(call, "TI differs by", std::abs(l.energy[2] + laplacian / 4) / squares, 1e-6);
        check_below(call, "FISQ differs by", std::abs(l.energy[3] - squares / 2) / squares, 1e-7);
        check_below(call, "KEI differs by", std::abs(l.energy[1] + (laplacian + squares) / 2) / squares, 1e-6);
      });
    }
}

// total = KEI + the Ewald energy of charges -1; J is half the sum of what both terms say of each electron.
BOOST_AUTO_TEST_CASE(parts_are_those_of_the_kernels) {
  const Gas g = gas_of(bcc, 6, 5, 1.5, 2, 73, 9, 2);
  each("qmc.local_energy", [&](Call& call) {
    const Local l = local(call, g);
    Call ewald = next_to(call, "qmc.ewald");
    ewald.numbers("cell", g.cell, {3, 3});
    ewald.numbers("charge", Numbers(11, -1.0), {11});
    ewald.numbers("rele", g.rele, {3, 11, 2});
    ewald.numbers("total", {0, 0}, {2});
    ewald.run();
    const Numbers total = ewald.get_numbers("total");
    Numbers J(2);
    for (const char* kernel : {"qmc.jastrow_u", "qmc.jastrow_p"}) {
      Call term = next_to(call, kernel);
      g.set_electrons(term);
      if (std::string(kernel) == "qmc.jastrow_u") g.set_u(term);
      else g.set_p(term);
      term.numbers("value", Numbers(22), {11, 2});
      term.run();
      const Numbers value = term.get_numbers("value");
      for (size_t i = 0; i < 22; ++i) J[i / 11] += value[i] / 2;
    }
    for (int w = 0; w < 2; ++w) {
      const double* const e = &l.energy[5 * w];
      check_below(call, "Ewald energy differs by", std::abs(e[4] / total[w] - 1), 1e-11);
      check_below(call, "total differs by", std::abs(e[0] - e[1] - e[4]), 1e-12 * std::abs(e[1]));
      check_below(call, "KEI - 2 TI + FISQ", std::abs(e[1] - 2 * e[2] + e[3]), 1e-11 * std::abs(e[3]));
    }
    check_below(call, "J differs by", relative_distance(l.jastrow, J), 1e-12);
  });
}

BOOST_AUTO_TEST_SUITE_END()
