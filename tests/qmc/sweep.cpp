// SPDX-License-Identifier: BSD-3-Clause
// The walk: the same one everywhere, and one that samples |psi|^2.
#include "walk.hpp"

#include <philox.hpp>

using namespace qmc_test;

namespace {

Gas part(const Gas& g, int64_t w) {
  Gas one = g;
  const auto cut = [&](const Numbers& x) {
    const size_t size = x.size() / static_cast<size_t>(g.nwalker), at = size * static_cast<size_t>(w);
    return Numbers(x.begin() + static_cast<int64_t>(at), x.begin() + static_cast<int64_t>(at + size));
  };
  one.nwalker = 1;
  one.rele = cut(g.rele);
  for (Numbers& dbar : one.dbar) dbar = cut(dbar);
  return one;
}

Numbers energies(Call& call, const Gas& g) {
  g.set_wavefunction(call);
  call.numbers("energy", Numbers(static_cast<size_t>(5 * g.nwalker), 1e30), {5, g.nwalker});
  call.run();
  return call.get_numbers("energy");
}

Numbers jastrow_of(const Gas& g) {
  Call call = reference("qmc.local_energy");
  g.set_wavefunction(call);
  call.numbers("energy", Numbers(static_cast<size_t>(5 * g.nwalker)), {5, g.nwalker});
  call.numbers("jastrow", Numbers(static_cast<size_t>(g.nwalker)), {g.nwalker});
  call.run();
  return call.get_numbers("jastrow");
}

// The mean of f over walkers and sweeps, and its error from the spread over walkers, which are independent.
template <class F> void samples(Gas g, const Settings& settings, const std::string& what, double expected, F&& f) {
  Call call = reference("qmc.sweep");
  Settings s = settings;
  s.nsweep = 40;
  walk(call, g, s);
  s.first_sweep = 40;
  s.nsweep = 3;
  Numbers mean(static_cast<size_t>(g.nwalker));
  constexpr int times = 25;
  for (int i = 0; i < times; ++i, s.first_sweep += 3) {
    walk(call, g, s);
    for (int64_t w = 0; w < g.nwalker; ++w) mean[w] += f(&g.rele[3 * g.netot() * w]) / times;
  }
  double sum = 0, square = 0;
  for (const double m : mean) {
    sum += m / static_cast<double>(g.nwalker);
    square += m * m / static_cast<double>(g.nwalker);
  }
  const double error = std::sqrt((square - sum * sum) / static_cast<double>(g.nwalker - 1));
  BOOST_CHECK_MESSAGE(std::abs(sum - expected) <= 4 * error,
                      what << ", " << s.move << ": " << sum << " +- " << error << ", expected " << expected);
  BOOST_CHECK_MESSAGE(error <= 0.02, what << ": the error " << error << " is too large to tell");
  BOOST_TEST_MESSAGE(what << ", " << s.move << ": " << sum << " +- " << error << ", expected " << expected);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sweep)

// 1120 moves of each of two walkers, and what is accepted, where it ends, and what its energies are.
BOOST_AUTO_TEST_CASE(the_same_walk_everywhere) {
  const Gas start = gas_of(sc, 7, 7, 2, 2, 61);
  for (const char* form : {"polynomial", "bspline"})
    for (const char* move : {"metropolis", "langevin"}) {
      Settings s;
      s.move = move;
      s.nsweep = 40;
      s.tau = s.move == "langevin" ? 0.1 : 0.7;
      Gas expected = start;
      expected.form = form;
      Call plain = reference("qmc.sweep"), plain_energy = reference("qmc.local_energy");
      const Walked truth = walk(plain, expected, s);
      const Numbers energy = energies(plain_energy, expected);
      each("qmc.sweep", [&](Call& call) {
        Gas g = start;
        g.form = form;
        const Walked walked = walk(call, g, s);
        BOOST_CHECK_MESSAGE(walked.accepted == truth.accepted,
                            call.label() << ": " << walked.accepted[0] << " moves accepted, the reference has " << truth.accepted[0]);
        check_below(call, "positions differ by", distance(g.rele, expected.rele), 1e-9);
        check_below(call, "ln psi differs by", distance(walked.logpsi, truth.logpsi), 1e-9);
        check_below(call, "diffusion differs by", relative_distance(walked.diffusion, truth.diffusion), 1e-11);
        Call of_same = next_to(call, "qmc.local_energy");
        check_below(call, "energies differ by", relative_distance(energies(of_same, g), energy), 1e-9);
      });
    }
}

// However walkers and sweeps are put into calls.
BOOST_AUTO_TEST_CASE(calls_do_not_matter) {
  const Gas start = gas_of(triclinic, 4, 3, 2, 3, 62, 7, 3);
  for (const char* move : {"metropolis", "langevin"})
    each("qmc.sweep", [&](Call& call) {
      Settings s;
      s.move = move;
      s.tau = 0.3;
      s.nsweep = 6;
      s.stream = {5, 1, int64_t{1} << 33};
      Gas together = start;
      const Walked all = walk(call, together, s);
      for (int64_t w = 0; w < 3; ++w) {
        Gas one = part(start, w);
        Settings alone = s;
        alone.stream = {s.stream[static_cast<size_t>(w)]};
        alone.nsweep = 2;
        int32_t accepted = 0;
        double logpsi = 0;
        for (alone.first_sweep = 0; alone.first_sweep < 6; alone.first_sweep += 2) {
          const Walked step = walk(call, one, alone);
          accepted += step.accepted[0];
          logpsi += step.logpsi[0];
        }
        BOOST_CHECK_EQUAL(accepted, all.accepted[w]);
        check_below(call, "positions differ by", distance(one.rele, part(together, w).rele), 1e-10);
        check_below(call, "ln psi differs by", std::abs(logpsi - all.logpsi[w]), 1e-10);
      }
    });
}

// dbar belongs to where the electrons are, ln|psi| grew by what it is more now, positions are in the cell,
// and the diffusion proposed is that of the random numbers.
BOOST_AUTO_TEST_CASE(what_a_walk_leaves) {
  const Gas start = gas_of(fcc, 9, 7, 2, 2, 63, 13);
  for (const char* move : {"metropolis", "langevin"}) {
    Settings s;
    s.move = move;
    s.tau = 0.25;
    s.nsweep = 5;
    s.first_sweep = 3;
    s.stream = {4, 2};
    const Slater slater = slater_of(start);
    const Numbers J = jastrow_of(start);
    each("qmc.sweep", [&](Call& call) {
      Gas g = start;
      const Walked walked = walk(call, g, s);
      const Slater after = slater_of(g);
      const Numbers J_after = jastrow_of(g);
      for (int spin = 0; spin < 2; ++spin) check_below(call, "dbar differs by", relative_distance(g.dbar[spin], after.dbar[spin]), 1e-8);
      for (int64_t w = 0; w < 2; ++w) {
        const double grown = after.logdet[w] + J_after[w] - slater.logdet[w] - J[w];
        check_below(call, "ln psi differs by", std::abs(walked.logpsi[w] - grown), 1e-9);
        BOOST_CHECK(walked.accepted[w] > 10 && walked.accepted[w] < 5 * 16);
        double diffused = 0;
        for (int64_t sweep = 3; sweep < 8; ++sweep)
          for (int64_t i = 0; i < 16; ++i) {
            double x[3];
            suite::qmc::move_gaussians(s.seed, s.stream[static_cast<size_t>(w)], sweep, i, x);
            diffused += s.tau * (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
          }
        check_below(call, "diffusion differs by", std::abs(walked.diffusion[2 * w + 1] / diffused - 1), 1e-12);
        BOOST_CHECK(walked.diffusion[2 * w] > 0 && walked.diffusion[2 * w] < diffused);
      }
      const Lattice lattice = g.lattice();
      for (size_t i = 0; i < g.rele.size(); i += 3)
        for (int d = 0; d < 3; ++d) {
          double fraction = 0;
          for (int e = 0; e < 3; ++e) fraction += lattice.b[d][e] * g.rele[i + e] / (2 * pi);
          BOOST_CHECK(fraction >= -1e-12 && fraction <= 1 + 1e-12);
        }
    });
  }
}

// psi = exp(p(r_1 - r_2)) with the first star of sc: each cosine is distributed as exp(2 a cos), whose mean
// is a ratio of Bessel functions.
BOOST_AUTO_TEST_CASE(samples_a_jastrow_factor) {
  const double a = 0.5;
  Gas g = gas_of(sc, 1, 1, 1, 400, 64, 3, 1);
  g.a = {a};
  g.alpha.clear();
  const double length = g.cell[0];
  for (const char* move : {"metropolis", "langevin"}) {
    Settings s;
    s.move = move;
    s.tau = s.move == "langevin" ? 0.15 : 0.4;
    samples(g, s, "<cos G.r>", std::cyl_bessel_i(1.0, 2 * a) / std::cyl_bessel_i(0.0, 2 * a), [&](const double* r) {
      double mean = 0;
      for (int d = 0; d < 3; ++d) mean += std::cos(2 * pi * (r[d] - r[3 + d]) / length) / 3;
      return mean;
    });
  }
}

// Two electrons in 1 and cos k.r: |psi|^2 ~ (cos_2 - cos_1)^2, <cos_1 cos_2> = -1/2.
BOOST_AUTO_TEST_CASE(samples_a_determinant) {
  Gas g = gas_of(sc, 2, 0, 1, 400, 65);
  g.a.clear();
  g.alpha.clear();
  double k[3];
  suite::qmc::reciprocal_vector(g.lattice(), g.kvec.data(), k);
  const auto wave = [&](const double* r) { return std::cos(k[0] * r[0] + k[1] * r[1] + k[2] * r[2]); };
  for (const char* move : {"metropolis", "langevin"}) {
    Settings s;
    s.move = move;
    s.tau = s.move == "langevin" ? 0.1 : 0.3;
    samples(g, s, "<cos cos>", -0.5, [&](const double* r) { return wave(r) * wave(r + 3); });
  }
}

// r' = r + tau v + sqrt(tau) g with the drift of exp(p) by hand, limited for two values of a.
BOOST_AUTO_TEST_CASE(drift_of_one_move) {
  Gas start = gas_of(sc, 1, 1, 1, 1, 66, 3, 1);
  start.a = {0.5};
  start.alpha.clear();
  const double G = 2 * pi / start.cell[0];
  for (const double a : {0.0, 0.25, 3.0})
    each("qmc.sweep", [&](Call& call) {
      Settings s;
      s.move = "langevin";
      s.tau = 0.01;
      s.alimit = a;
      s.stream = {12};
      Gas g = start;
      const Walked walked = walk(call, g, s);
      BOOST_REQUIRE_EQUAL(walked.accepted[0], 2);
      double v[3], square = 0, x[3];
      for (int d = 0; d < 3; ++d) {
        v[d] = -0.5 * G * std::sin(G * (start.rele[d] - start.rele[3 + d]));
        square += v[d] * v[d];
      }
      const double aw = (a > 0 ? a : 0.5) * square * s.tau;
      suite::qmc::move_gaussians(s.seed, 12, 0, 0, x);
      for (int d = 0; d < 3; ++d) {
        const double to = start.rele[d] + s.tau * v[d] * (-1 + std::sqrt(1 + 2 * aw)) / aw + std::sqrt(s.tau) * x[d];
        const double off = (g.rele[d] - to) / start.cell[0];
        check_below(call, "position differs by", std::abs(off - std::rint(off)), 1e-11);
      }
    });
}

BOOST_AUTO_TEST_CASE(walkers_are_copied) {
  const Indices from{1, 1, 5, 4, 4};
  Numbers rele = random_numbers(3 * 2 * 5, 67, 0, 1), up = random_numbers(5, 68, 0, 1), carry = random_numbers(3 * 5, 69, 0, 1);
  each("qmc.branch", [&](Call& call) {
    const auto copied = [&](const Numbers& x, int64_t slots) {
      Numbers y = x;
      const int64_t size = static_cast<int64_t>(x.size()) / 5;
      for (int64_t w = 0; w < slots; ++w) std::copy_n(&x[size * (from[w] - 1)], size, &y[size * w]);
      return y;
    };
    // All slots with all arrays, then the first two of the five; slot 5 keeps what it has.
    call.forget();
    call.indices("from", {1, 1, 5, 4, 5}, {5});
    call.numbers("rele", rele, {3, 2, 5});
    call.numbers("dbar_up", up, {1, 1, 5});
    call.numbers("carry", carry, {3, 5});
    call.run();
    BOOST_CHECK(call.get_numbers("rele") == copied(rele, 4));
    BOOST_CHECK(call.get_numbers("dbar_up") == copied(up, 4));
    BOOST_CHECK(call.get_numbers("carry") == copied(carry, 4));
    call.forget();
    call.indices("from", {1, 1}, {2});
    call.numbers("rele", rele, {3, 2, 5});
    call.run();
    BOOST_CHECK(call.get_numbers("rele") == copied(rele, 2));
  });
}

// So many and so large that no portion of the work has all of them; a further call of the same kernel has fewer that change.
BOOST_AUTO_TEST_CASE(many_walkers_are_copied) {
  const int64_t nslot = 601, netot = 701, size = 3 * netot;
  const Numbers rele = random_numbers(size * nslot, 71, 0, 1);
  each("qmc.branch", [&](Call& call) {
    for (const int every : {2, 7}) {
      Indices from;
      Numbers expected = rele;
      for (int64_t w = 0; w < nslot - 1; ++w) {
        // The last slot is no walker's, and may be copied from.
        const int64_t source = w % every == 0 ? w : w % every == 1 && w % 3 == 0 ? nslot - 1 : w - w % every;
        from.push_back(static_cast<int32_t>(source + 1));
        std::copy_n(&rele[size * source], size, &expected[size * w]);
      }
      call.forget();
      call.indices("from", from, {nslot - 1});
      call.numbers("rele", rele, {3, netot, nslot});
      call.run();
      BOOST_CHECK(call.get_numbers("rele") == expected);
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()
