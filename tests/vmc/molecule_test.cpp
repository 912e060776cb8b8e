// SPDX-License-Identifier: BSD-3-Clause
// Molecules from TREXIO files: orbitals and energies of fixed configurations against an independent program in another language, parts of
// the wave function against differences, and moves. How the files and the numbers were made: tests/vmc/trexio_files.py.
#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <map>

#include <suite/qmc/philox.hpp>

#include "each_implementation.hpp"
#include "molecule/near_nuclei.hpp"
#include "molecule/part.hpp"
#include "molecule/pseudopotential.hpp"
#include "molecule/trexio.hpp"

using namespace suite::vmc;

namespace {

// points: of the quadrature, in directions that do not turn; 0: as in a run.
System molecule(const std::string& name, int points = 0, bool cusps = false) {
  TrexioFile file = read_trexio(SUITE_SOURCE_DIR "/inputs/data/molecules/" + name + ".h5");
  file.molecule.cusps = cusps;
  if (points) file.molecule.points = points, file.molecule.turns = false;
  return make_system(std::move(file.molecule), file.nele);
}

// r(c,i) = 1.2 sin(1.7 i + 2.3 c + 0.9 k + 0.5 + 0.3 i c): configuration k.
std::vector<double> configuration(const System& s, int k) {
  std::vector<double> rele;
  for (int i = 1; i <= s.netot(); ++i)
    for (int c = 1; c <= 3; ++c) rele.push_back(1.2 * std::sin(1.7 * i + 2.3 * c + 0.9 * k + 0.5 + 0.3 * i * c));
  return rele;
}

Jastrow some_factor(const System& s) {
  Jastrow j = start_of_molecule(s, {3, 4, 4.5, 3.5, 2, true});
  std::vector<double> values = parameters(j);
  for (size_t k = 0; k < values.size(); ++k) values[k] += 0.002 * std::sin(1.0 + static_cast<double>(k));
  set_parameters(s, j, values);
  return j;
}

}  // namespace

BOOST_AUTO_TEST_CASE(kinetic_energy_of_the_orbitals_is_that_of_pyscf) {
  const System be = molecule("be"), water = molecule("h2o");
  BOOST_TEST(be.nele[0] == 2);
  BOOST_TEST(be.molecule->nao() == 30);
  BOOST_TEST(kinetic_energy(*be.molecule) == 14.572876523, boost::test_tools::tolerance(1e-8));
  BOOST_TEST(kinetic_energy(*water.molecule) == 75.986649016, boost::test_tools::tolerance(1e-8));
  BOOST_TEST(water.molecule->repulsion() == 9.1893101213, boost::test_tools::tolerance(1e-10));
  BOOST_TEST(water.molecule->kinds() == (std::vector<std::string>{"O", "H"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(local_energies_of_fixed_configurations_are_those_of_an_independent_program) {
  struct Known {
    const char* name;
    int k;
    double kei, fisq, en, ee, total;
  };
  for (const Known& known : {Known{"be", 1, -3.1603298044, 63.8463786877, -13.8817854069, 4.2872403941, -12.7548748173},
                             Known{"be", 2, -4.0587937019, 13.7255300517, -12.7369258149, 3.0772330216, -13.7184864952},
                             Known{"be", 3, -2.0912360192, 49.3237582023, -14.9331625457, 3.3202623956, -13.7041361693},
                             Known{"h2o", 1, -21.9443198962, 79.0004488041, -69.0089365898, 28.5319991310, -53.2319472336},
                             Known{"h2o", 2, -25.2075858990, 243.7413774624, -70.0172452955, 24.7561592613, -61.2793618119},
                             Known{"h2o", 3, -9.8552844210, 89.4986680949, -83.4206923363, 25.9883528453, -58.0983137907}}) {
    const System s = molecule(known.name);
    for_each_implementation("qmc.orbitals_gaussian", [&](const Implementation& how) {
      const auto walkers = make_walkers(s, {}, how, 1, 1);
      walkers->place(configuration(s, known.k), std::vector<int64_t>{0});
      const auto& e = walkers->energies();
      const auto near = boost::test_tools::tolerance(1e-9);  // nine digits of what was printed
      BOOST_TEST(e[part::kei] == known.kei, near);
      BOOST_TEST(e[part::fisq] == known.fisq, near);
      BOOST_TEST(e[part::ti] == 0.5 * (known.kei + known.fisq), near);
      BOOST_TEST(e[part::en] == known.en, near);
      BOOST_TEST(e[part::ee] == known.ee, near);
      BOOST_TEST(e[part::total] == known.total, near);
    });
  }
}

BOOST_AUTO_TEST_CASE(energies_with_pseudopotentials_are_those_of_an_independent_program) {
  struct Known {
    int k, points;
    double local, nonlocal, total;
  };
  for (const Known& known :
       {Known{1, 50, 0.012123403, 0.000624021, -11.612073863}, Known{2, 50, 0.000151182, 0.017961936, -16.159907362},
        Known{2, 6, 0.000151182, 0.017892687, -16.159976611}, Known{2, 12, 0.000151182, 0.017964147, -16.159905151},
        Known{2, 18, 0.000151182, 0.017972718, -16.159896580}, Known{2, 26, 0.000151182, 0.017962679, -16.159906619}}) {
    const System s = molecule("h2o_ccecp", known.points);
    for_each_implementation("qmc.orbitals_gaussian", [&](const Implementation& how) {
      const auto walkers = make_walkers(s, {}, how, 1, 1);
      walkers->place(configuration(s, known.k), std::vector<int64_t>{0});
      const auto& e = walkers->energies();
      BOOST_TEST(std::abs(e[part::local] - known.local) < 1e-8);
      BOOST_TEST(std::abs(e[part::nonlocal] - known.nonlocal) < 1e-8);
      BOOST_TEST(std::abs(e[part::total] - known.total) < 1e-8);
      BOOST_TEST(e[part::nn] == 6.979340198, boost::test_tools::tolerance(1e-9));
    });
  }
}

// Turned at random, every rule has the same mean.
BOOST_AUTO_TEST_CASE(turned_quadratures_have_the_mean_of_the_best) {
  System exact = molecule("h2o_ccecp", 50), turning = molecule("h2o_ccecp");
  const Jastrow j = some_factor(exact);
  constexpr int n = 400;
  std::vector<int64_t> streams(n);
  std::vector<double> rele;
  for (int k = 0; k < n; ++k) {
    streams[static_cast<size_t>(k)] = k;
    const auto one = configuration(exact, 2);
    rele.insert(rele.end(), one.begin(), one.end());
  }
  const Implementation how{"reference", "", {}};
  const auto best = make_walkers(exact, j, how, 1, 1), many = make_walkers(turning, j, how, 1, n);
  best->place(configuration(exact, 2), std::vector<int64_t>{0});
  many->place(rele, streams);
  const auto& e = many->energies();
  double sum = 0, square = 0;
  for (size_t w = 0; w < n; ++w) sum += e[part::count * w + part::nonlocal], square += std::pow(e[part::count * w + part::nonlocal], 2);
  const double mean = sum / n, error = std::sqrt((square / n - mean * mean) / n);
  BOOST_TEST(error > 0);
  BOOST_TEST(std::abs(mean - best->energies()[part::nonlocal]) < 4 * error + 1e-7);
}

// An electron goes to a point of negative term v with probability -tau v/(1 - tau sum v). Water's oxygen has one channel, l = 0: at the 12
// points of a rule that does not turn v = 1/12 dV_0(r) psi(point)/psi.
BOOST_AUTO_TEST_CASE(t_moves_have_their_probabilities) {
  const System s = molecule("h2o_ccecp", 12);
  const Jastrow j = some_factor(s);
  const Implementation how{"reference", "", {}};
  const suite::Device device = suite::app::device_of("qmc.orbitals_gaussian", how.name);
  const Pseudopotentials potentials(*s.molecule);
  constexpr int64_t n = 20000, electron = 5;
  const double tau = 1.5;
  auto one = configuration(s, 2);
  for (size_t d = 0; d < 3; ++d) one[3 * electron + d] = s.molecule->rion[d] + 0.1 * static_cast<double>(d + 2);
  std::vector<double> rele;
  std::vector<int64_t> streams;
  for (int64_t w = 0; w < n; ++w) rele.insert(rele.end(), one.begin(), one.end()), streams.push_back(w);
  const auto parts = parts_of(s, j, how, device, n);
  for (const auto& part : parts) part->resize(n), part->evaluate(rele, false);
  Projectors projectors(s, potentials, how, device, 3);
  std::vector<double> to(static_cast<size_t>(3 * n), 1e30);
  std::vector<int32_t> goes;
  projectors.draw(rele, streams, 4);
  BOOST_REQUIRE(projectors.choose(parts, rele, streams, 4, electron, tau, to, goes));
  std::map<std::array<double, 3>, double> count;
  for (size_t w = 0; w < n; ++w)
    if (goes[w]) count[{to[3 * w], to[3 * w + 1], to[3 * w + 2]}] += 1;
  // psi there, by a walker for each place that was reached.
  const auto places = static_cast<int64_t>(count.size());
  BOOST_REQUIRE(places >= 2);
  Tried tried;
  tried.electron = electron;
  tried.logarithm.assign(count.size(), 0), tried.sign.assign(count.size(), 1);
  for (const auto& [place, times] : count) {
    tried.from.insert(tried.from.end(), &one[3 * electron], &one[3 * electron] + 3);
    tried.to.insert(tried.to.end(), place.begin(), place.end());
  }
  const std::vector<double> few(rele.begin(), rele.begin() + static_cast<std::ptrdiff_t>(one.size() * count.size()));
  for (const auto& part : parts) part->resize(places), part->evaluate(few, false), part->ratio(few, tried);
  const double r = std::sqrt(0.04 + 0.09 + 0.16);
  double strength = 0, sum = 0;
  for (const auto& term : s.molecule->potential)
    if (term.ion == 0 && term.l == 0) strength += term.coefficient * std::pow(r, term.power) * std::exp(-term.exponent * r * r);
  std::vector<double> v;
  for (size_t k = 0; k < count.size(); ++k) v.push_back(strength / 12 * tried.sign[k] * std::exp(tried.logarithm[k])), sum += v.back();
  size_t k = 0;
  for (const auto& [place, times] : count) {
    const double p = -tau * v[k++] / (1 - tau * sum);
    BOOST_TEST(p > 0);
    BOOST_TEST(std::abs(times / n - p) < 4.5 * std::sqrt(p / n));
  }
}

// An electron that was moved is where it went, for all that follows: the energies are those of walkers placed there.
BOOST_AUTO_TEST_CASE(walkers_after_t_moves_are_whole) {
  const System s = molecule("h2o_ccecp");
  const Jastrow j = some_factor(s);
  for_each_implementation("qmc.pseudopotential", [&](const Implementation& how) {
    constexpr int n = 6;
    std::vector<int64_t> streams;
    std::vector<double> rele;
    for (int w = 0; w < n; ++w) {
      const auto one = configuration(s, w);
      rele.insert(rele.end(), one.begin(), one.end()), streams.push_back(w);
    }
    const auto with = make_walkers(s, j, how, 1, n), without = make_walkers(s, j, how, 1, n), again = make_walkers(s, j, how, 1, n);
    for (const auto* walkers : {&with, &without}) (*walkers)->place(rele, streams);
    int64_t moved = 0;
    for (int step = 0; step < 40; ++step) {
      const auto before = with->positions();
      without->place(before, streams);
      with->sweep({Move::langevin, 0.05, 0.5, 1, step, true});
      without->sweep({Move::langevin, 0.05, 0.5, 1, step, false});
      const auto a = with->positions(), b = without->positions();
      for (size_t i = 0; i < a.size(); i += 3) moved += a[i] != b[i];
      BOOST_TEST((with->accepted() == without->accepted()));
    }
    BOOST_TEST(moved > 5);
    again->place(with->positions(), streams);
    again->sweep({Move::langevin, 0.05, 0.5, 0, 40});  // the random numbers of the quadrature
    const auto &e = with->energies(), &f = again->energies();
    for (size_t i = 0; i < e.size(); ++i) BOOST_TEST(std::abs(e[i] - f[i]) < 1e-8 * (1 + std::abs(f[i])));
    BOOST_TEST(with->reinvert() < 1e-8);
  });
}

// Of all parts, with every kind of electron: ln psi(r + h) - ln psi(r) from ratio(), against add_slopes() and ratio_grad().
BOOST_AUTO_TEST_CASE(ratios_of_the_parts_have_their_gradients_and_laplacians) {
  const System s = molecule("h2o");
  const Jastrow j = some_factor(s);
  const suite::Device device("cpu");
  const auto parts = parts_of(s, j, {"reference", "", {}}, device, 1);
  BOOST_REQUIRE(parts.size() == 4);
  const auto rele = configuration(s, 1);
  const auto change = [&](const Part& part, int64_t electron, const std::array<double, 3>& to, bool gradient) {
    Tried tried;
    tried.electron = electron;
    tried.from.assign(rele.begin() + 3 * electron, rele.begin() + 3 * electron + 3);
    tried.to.assign(to.begin(), to.end());
    tried.logarithm = {0}, tried.sign = {1}, tried.gradient = {0, 0, 0};
    gradient ? const_cast<Part&>(part).ratio_grad(rele, tried) : const_cast<Part&>(part).ratio(rele, tried);
    BOOST_TEST(tried.sign[0] == 1);
    return tried;
  };
  constexpr double h = 1e-3;
  for (const auto& part : parts) {
    part->resize(1);
    part->evaluate(rele, false);
    Tried several;
    several.electron = 1, several.npos = 3;
    several.from.assign(rele.begin() + 3, rele.begin() + 6);
    several.to = {0.1, 0.2, 0.3, -0.4, 0.5, 0.6, 0.7, -0.8, 0.9};
    several.logarithm.assign(3, 0), several.sign.assign(3, 1);
    part->ratio(rele, several);
    for (size_t k = 0; k < 3; ++k) {
      Tried one;
      one.electron = 1;
      one.from = several.from;
      one.to.assign(several.to.begin() + 3 * static_cast<std::ptrdiff_t>(k), several.to.begin() + 3 * static_cast<std::ptrdiff_t>(k + 1));
      one.logarithm = {0}, one.sign = {1};
      part->ratio(rele, one);
      BOOST_TEST(std::abs(one.logarithm[0] - several.logarithm[k]) < 1e-12);
      BOOST_TEST(one.sign[0] == several.sign[k]);
    }
    const std::vector<double> none(rele.size() / 3, 0.0);
    Slopes slopes{std::vector<double>(rele.size(), 0.0), none, none};
    part->add_slopes(rele, slopes);
    for (int64_t i = 0; i < s.netot(); ++i) {
      double laplacian = 0;
      for (size_t d = 0; d < 3; ++d) {
        double at[5]{};
        for (int k = -2; k <= 2; ++k) {
          std::array<double, 3> to{rele[3 * static_cast<size_t>(i)], rele[3 * static_cast<size_t>(i) + 1],
                                   rele[3 * static_cast<size_t>(i) + 2]};
          to[d] += k * h;
          at[k + 2] = change(*part, i, to, false).logarithm[0];
          if (k != 1) continue;
          std::vector<double> there(3, 0.0);
          part->add_gradient(rele, i, {to.begin(), to.end()}, there);
          BOOST_TEST(largest_difference(change(*part, i, to, true).gradient, there) < 1e-12);
        }
        const double gradient = (8 * (at[3] - at[1]) - (at[4] - at[0])) / (12 * h);
        BOOST_TEST(std::abs(gradient - slopes.gradient[3 * static_cast<size_t>(i) + d]) < 1e-6);
        laplacian += (16 * (at[3] + at[1]) - at[4] - at[0] - 30 * at[2]) / (12 * h * h);
      }
      BOOST_TEST(std::abs(laplacian - slopes.laplacian[static_cast<size_t>(i)]) < 2e-4 * (1 + std::abs(laplacian)));
    }
  }
}

BOOST_AUTO_TEST_CASE(walkers_of_a_molecule_do_not_see_each_other) {
  const System s = molecule("h2o", 0, true);
  const Jastrow j = some_factor(s);
  for_each_implementation("qmc.orbitals_gaussian", [&](const Implementation& how) {
    for (const Move move : {Move::metropolis, Move::langevin}) {
      const auto together = make_walkers(s, j, how, 4, 3), alone = make_walkers(s, j, how, 4, 1);
      together->scatter(std::vector<int64_t>{5, 7, 9});
      alone->scatter(std::vector<int64_t>{7});
      for (const auto* walkers : {&together, &alone}) (*walkers)->sweep({move, 0.02, 0.5, 5, 0});
      const auto all = together->positions();
      BOOST_TEST(largest_difference({all.begin() + 30, all.begin() + 60}, alone->positions()) == 0);
      BOOST_TEST(together->accepted()[1] == alone->accepted()[0]);
      BOOST_TEST(together->reinvert() < 1e-9);
    }
  });
}

BOOST_AUTO_TEST_CASE(implementations_walk_a_molecule_the_same_way) {
  const System s = molecule("be", 0, true);
  const Jastrow j = some_factor(s);
  for (const Move move : {Move::metropolis, Move::langevin}) {
    std::vector<double> expected, energies;
    for_each_implementation("qmc.orbitals_gaussian", [&](const Implementation& how) {
      const auto walkers = make_walkers(s, j, how, 1, 2);
      walkers->scatter(std::vector<int64_t>{0, 1});
      walkers->sweep({move, 0.05, 0.5, 20, 0});
      if (expected.empty()) expected = walkers->positions(), energies = walkers->energies();
      BOOST_TEST(largest_difference(walkers->positions(), expected) < 1e-8);
      BOOST_TEST(largest_difference(walkers->energies(), energies) < 1e-6);
    });
  }
}

BOOST_AUTO_TEST_CASE(whole_walkers_of_a_molecule_continue_to_the_last_bit) {
  const System s = molecule("be", 0, true);
  const Jastrow j = some_factor(s);
  for_each_implementation("qmc.orbitals_gaussian", [&](const Implementation& how) {
    const auto first = make_walkers(s, j, how, 1, 4), second = make_walkers(s, j, how, 1, 4);
    first->scatter(std::vector<int64_t>{0, 1, 2});
    first->sweep({Move::metropolis, 0.05, 0.5, 5, 0});
    second->place_whole(first->whole(), std::vector<int64_t>{0, 1, 2});
    for (const auto* walkers : {&first, &second}) {
      const std::vector<int32_t> from{1, 1, 3, 3};
      (*walkers)->branch(from);
      (*walkers)->resize(std::vector<int64_t>{0, 1, 2, 3});
      (*walkers)->sweep({Move::langevin, 0.02, 0.5, 5, 5});
    }
    BOOST_TEST(largest_difference(first->whole(), second->whole()) == 0);
    const auto r = first->positions();
    BOOST_TEST(largest_difference({r.begin(), r.begin() + 12}, {r.begin() + 12, r.begin() + 24}) > 0);  // copies part
  });
}

// The density is that of the places drawn: the mean of f/density over them is the integral of f, here a normalised Gaussian.
BOOST_AUTO_TEST_CASE(places_near_a_nucleus_are_drawn_from_their_density) {
  const System s = molecule("be");
  constexpr double pi = 3.14159265358979323846, tau = 0.05, width = 0.3;
  for (const double distance : {0.05, 0.3, 1.5}) {
    const Proposal proposal(*s.molecule, {distance, 0.02, -0.01}, {-3.5, 0.4, 0.1}, tau);
    double sum = 0, square = 0, inside = 0;
    constexpr int n = 40000;
    for (int k = 0; k < n; ++k) {
      const Point r = proposal.draw(11, k, 3, 2).to;
      const double d2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
      const double f = std::exp(-d2 / (2 * width * width)) / std::pow(2 * pi * width * width, 1.5) / proposal.density(r);
      sum += f, square += f * f, inside += d2 < 0.01;
    }
    const double mean = sum / n, error = std::sqrt((square / n - mean * mean) / n);
    if (distance < 1) BOOST_TEST(std::abs(mean - 1) < 5 * error);
    if (distance < 1) BOOST_TEST(error < 0.02);
    // Of the places within 0.1 bohr, by a sum over a grid.
    double expected = 0;
    constexpr int m = 20;
    for (int x = -m; x < m; ++x)
      for (int y = -m; y < m; ++y)
        for (int z = -m; z < m; ++z) {
          const Point r{0.1 * (x + 0.5) / m, 0.1 * (y + 0.5) / m, 0.1 * (z + 0.5) / m};
          if (r[0] * r[0] + r[1] * r[1] + r[2] * r[2] < 0.01) expected += proposal.density(r) * std::pow(0.1 / m, 3);
        }
    BOOST_TEST(std::abs(inside / n - expected) < 5 * std::sqrt(expected / n) + 0.02 * expected);
  }
}

// As many as it has protons, of both spins.
BOOST_AUTO_TEST_CASE(electrons_start_around_their_nuclei) {
  const System s = molecule("h2o");
  constexpr int n = 400;
  std::vector<int64_t> streams(n);
  for (int k = 0; k < n; ++k) streams[static_cast<size_t>(k)] = k;
  const auto rele = scattered(s, 3, streams);
  BOOST_REQUIRE(rele.size() == 30 * n);
  int around[2][3]{};  // by spin and nucleus
  for (size_t i = 0; i < 10; ++i) {
    std::array<double, 3> mean{};
    for (size_t w = 0; w < n; ++w)
      for (size_t d = 0; d < 3; ++d) mean[d] += rele[30 * w + 3 * i + d] / n;
    for (size_t a = 0; a < 3; ++a) {
      const double* const R = &s.molecule->rion[3 * a];
      if (std::hypot(mean[0] - R[0], mean[1] - R[1], mean[2] - R[2]) < 0.3) ++around[i < 5 ? 0 : 1][a];
    }
  }
  for (int spin = 0; spin < 2; ++spin) BOOST_TEST(around[spin][0] == 4);
  for (size_t h : {1, 2}) BOOST_TEST(around[0][h] + around[1][h] == 1);
}
