// SPDX-License-Identifier: BSD-3-Clause
// lfd.propagate: what whole steps conserve, reverse and converge to, with everything on.
#include "propagation.hpp"

using namespace lfd_test;

namespace {

Numbers some_drive(int64_t steps, unsigned seed, double size) { return random_numbers(3 * steps, seed, -size, size); }

double orthonormality(const Grid& g, const Orbitals& psi) {
  double worst = 0;
  for (int64_t n = 0; n < g.norb; ++n)
    for (int64_t m = 0; m < g.norb; ++m) worst = std::max(worst, std::abs(overlap(g, psi, m, n) - (m == n ? 1.0 : 0.0)));
  return worst;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(propagation)

BOOST_AUTO_TEST_CASE(keeps_orthonormality_and_electrons) {
  for_each_fast(Variants::all, [](Call& call) {
    for (const char* gauge : {"length", "velocity"}) {
      Full full(call);
      full.s.gauge = gauge;
      State state = full.start;
      const Trace trace = propagate(call, full.s, state, some_drive(50, 31, 0.1));
      check_below(call, std::string(gauge) + ": orthonormality after 50 steps", orthonormality(full.s.g, state.psi),
                  call.allow(1e-12, 2e-5));
      double worst = 0, sum = 0;
      for (size_t i = 3; i < trace.dipole.size(); i += 4) worst = std::max(worst, std::abs(trace.dipole[i] - 6));
      check_below(call, std::string(gauge) + ": electrons off by", worst, call.allow(1e-12, 5e-5));
      for (const double r : trace.rho) sum += r * full.s.g.dr();
      check_below(call, std::string(gauge) + ": last rho's electrons off by", std::abs(sum - trace.dipole.back()), call.allow(1e-12, 1e-5));
      check_below(call, std::string(gauge) + ": rho is not that of psi by", distance(trace.rho, density(full.s, state.psi)),
                  call.allow(1e-13, 1e-5));
    }
  });
}

// The field is a function of the density (or at rest), so that -dt with the drive backwards leads back.
BOOST_AUTO_TEST_CASE(is_reversible_in_time) {
  for_each_fast(Variants::all, [](Call& call) {
    for (const char* field : {"spectral", "frozen"})
      for (const char* gauge : {"length", "velocity"}) {
        Full full(call);
        full.s.field = field;
        full.s.gauge = gauge;
        full.s.mass_correction = "on";
        constexpr int64_t steps = 40;
        const Numbers drive = some_drive(steps, 32, 0.1);
        Numbers backwards;
        for (int64_t i = steps; i-- > 0;) backwards.insert(backwards.end(), &drive[3 * i], &drive[3 * i] + 3);
        State state = full.start;
        propagate(call, full.s, state, drive);
        BOOST_CHECK(distance(state.psi, full.start.psi) > 1e-2);
        full.s.dt = -full.s.dt;
        propagate(call, full.s, state, backwards);
        check_below(call, std::string(field) + ", " + gauge + ": distance from the start", distance(state.psi, full.start.psi),
                    call.allow(1e-12, 5e-5));
      }
  });
}

// Against the exponential of the whole dense Hamiltonian (fixed potential): order 2 in dt.
BOOST_AUTO_TEST_CASE(converges_with_the_square_of_the_time_step) {
  const Grid g{{6, 4, 4}, {0.5, 0.6, 0.55}, 2};
  const Nonlocal V = some_nonlocal(g, {g.index(2, 1, 3), g.index(3, 2, 2)}, 1.1, 0.8);
  System s;
  s.g = g;
  s.f = {2.0, 1.0};
  s.vloc = random_numbers(g.points(), 33, -1, 1);
  s.k = random_numbers(6, 34, -0.5, 0.5);
  s.nonlocal = &V;
  s.gauge = "velocity";
  const Vector A{0.2, -0.1, 0.3};
  constexpr double time = 0.32;
  Orbitals start = random_orbitals(g, 35), exact = start;
  for (int64_t n = 0; n < g.norb; ++n) {
    Matrix H(g.points());
    const Vector q{A[0] + s.k[3 * n], A[1] + s.k[3 * n + 1], A[2] + s.k[3 * n + 2]};
    add_kinetic(H, g, q);
    add_nonlocal(H, g, V, q);
    for (int64_t i = 0; i < g.points(); ++i) H(i, i) += s.vloc[i];
    apply(exponential(H, {0, -time}), g, exact, n);
  }
  for_each_fast(Variants::all, [&](Call& call) {
    if (call.single()) return;  // the errors compared lie below single precision
    std::vector<double> error;
    for (const int64_t steps : {32, 64, 128}) {
      System now = s;
      now.dt = time / static_cast<double>(steps);
      State state{start, no_field(g)};
      Numbers drive;
      for (int64_t i = 0; i < steps; ++i) drive.insert(drive.end(), A.begin(), A.end());
      propagate(call, now, state, drive);
      error.push_back(distance(state.psi, exact));
    }
    check_below(call, "ratio of 32 to 64 steps, off 4 by", std::abs(error[0] / error[1] - 4), 0.1);
    check_below(call, "ratio of 64 to 128 steps, off 4 by", std::abs(error[1] / error[2] - 4), 0.1);
  });
}

// Length and velocity gauge are one lattice problem in two gauges: the same density, where the packet stays
// away from the border. A of a step's middle: minus the sum of E dt before it and half its own.
BOOST_AUTO_TEST_CASE(gauges_agree) {
  for_each_fast(Variants::all, [](Call& call) {
    Full full(call, {{24, 20, 22}, {0.6, 0.7, 0.6}, 2});
    full.V = some_nonlocal(full.s.g, {full.s.g.index(12, 10, 11)}, 1.6, 0.5);
    constexpr int64_t steps = 30;
    const Numbers E = some_drive(steps, 36, 0.2);
    const Numbers A = vector_potential(E, full.s.dt);
    State length = full.start, velocity = full.start;
    const Trace in_length = propagate(call, full.s, length, E);
    full.s.gauge = "velocity";
    const Trace in_velocity = propagate(call, full.s, velocity, A);
    // The packet is e^{-0.8 7^2/2} = 3e-9 at the border.
    check_below(call, "distance of dipoles", distance(in_length.dipole, in_velocity.dipole), call.allow(1e-10, 5e-5));
    check_below(call, "distance of densities", distance(in_length.rho, in_velocity.rho), call.allow(1e-9, 5e-6));
  });
}

// The centroid of a packet in a harmonic well swings with the well's frequency, up to the lattice's error: of
// the packet's momentum <p^2> h^2/4. The mass correction takes away the step's, which does not vary where dt
// falls with h^2. The packet begins at rest, so that it has swung a quarter of a period where x(t) is 0.
BOOST_AUTO_TEST_CASE(centroid_swings_in_a_harmonic_well) {
  for_each_fast(Variants::standard, [](Call& call) {
    const auto frequency = [&](int64_t n, double h, double dt, const char* corrected) {
      const double w = 0.5;
      System s = harmonic({{n, 1, 1}, {h, 1, 1}, 1}, w);
      s.dt = dt;
      s.mass_correction = corrected;
      State state{hermite(s.g, w, {1.0, 0, 0}), no_field(s.g)};
      const auto steps = static_cast<int64_t>(0.55 * pi / w / dt);
      const Trace trace = propagate(call, s, state, no_drive(steps));
      // dipole(:,i) is that after step i, from 1.
      int64_t i = 1;
      while (i < steps && trace.dipole[4 * i] > 0) ++i;
      BOOST_REQUIRE(i < steps);
      const double a = trace.dipole[4 * (i - 1)], b = trace.dipole[4 * i];
      return pi / 2 / ((static_cast<double>(i) + a / (a - b)) * dt) / w;
    };
    const double coarse = frequency(48, 0.4, 0.04, "on"), fine = frequency(96, 0.2, 0.01, "on");
    check_below(call, "h = 0.4: frequency off by", std::abs(coarse - 1), 0.03);
    check_below(call, "h = 0.2: frequency off by", std::abs(fine - 1), 0.007);
    check_below(call, "ratio of errors, off 4 by", std::abs((coarse - 1) / (fine - 1) - 4), 0.5);
    // Without it the mass is theta/tan theta at theta = 1/8: the frequency grows by the root of its inverse.
    check_below(call, "share of the step's error off by",
                std::abs(frequency(48, 0.4, 0.04, "off") / coarse - std::sqrt(std::tan(0.125) / 0.125)), 3e-4);
  });
}

// i[H, r] against the commutator of the dense Hamiltonian, V_nl included, and as the derivative of the
// dipole. dt = 0 leaves psi as it is.
BOOST_AUTO_TEST_CASE(current_is_the_commutator) {
  const Grid g{{6, 4, 4}, {0.5, 0.6, 0.55}, 2};
  const Nonlocal V = some_nonlocal(g, {g.index(2, 1, 3), g.index(3, 2, 2)}, 0.9, 2.0);
  const Vector A{0.2, -0.1, 0.3};
  Orbitals psi = random_orbitals(g, 37);
  System s;
  s.g = g;
  s.f = {2.0, 0.7};
  s.vloc = random_numbers(g.points(), 38, -1, 1);
  s.k = random_numbers(6, 39, -0.5, 0.5);
  s.nonlocal = &V;
  s.gauge = "velocity";
  s.dt = 0;
  Numbers expected(3);
  for (int64_t n = 0; n < g.norb; ++n) {
    const Vector q{A[0] + s.k[3 * n], A[1] + s.k[3 * n + 1], A[2] + s.k[3 * n + 2]};
    for (int64_t atom = -1; atom < V.natom; ++atom) {
      Matrix H(g.points());
      if (atom < 0) add_kinetic(H, g, q);
      else add_nonlocal(H, g, V, q, atom);
      for (int d = 0; d < 3; ++d)
        for (int64_t i = 0; i < g.points(); ++i)
          for (int64_t j = 0; j < g.points(); ++j) {
            // [H, r]_ij = H_ij (r_j - r_i), along the way that the bond or the sphere has across the border.
            double way = g.r(d, j) - g.r(d, i);
            const double L = static_cast<double>(g.n[d]) * g.h[d];
            if (atom < 0) {
              way -= L * std::round(way / L);
            } else {
              const auto place = [&](int64_t p) {
                for (int64_t m = 0; m < V.nsphere; ++m)
                  if (V.point[m + V.nsphere * atom] == p + 1) return V.displacement[d + 3 * (m + V.nsphere * atom)];
                return 0.0;
              };
              if (std::abs(H(i, j)) > 0) way = place(j) - place(i);
            }
            expected[d] +=
                s.f[n] * g.dr() * std::real(Complex(0, 1) * std::conj(psi[n + g.norb * i]) * H(i, j) * way * psi[n + g.norb * j]);
          }
    }
  }
  for_each("lfd.propagate", Variants::all, [&](Call& call) {
    State state{psi, no_field(g)};
    const Trace trace = propagate(call, s, state, {A[0], A[1], A[2]});
    check_below(call, "distance from the commutator", distance(trace.current, expected) / largest(expected), call.allow(1e-13, 2e-6));
  });
}

BOOST_AUTO_TEST_CASE(current_is_the_derivative_of_the_dipole) {
  for_each("lfd.propagate", Variants::standard, [](Call& call) {
    if (call.single()) return;  // differences of single precision numbers say nothing
    Full full(call, {{24, 20, 22}, {0.6, 0.7, 0.6}, 2});
    full.V = some_nonlocal(full.s.g, {full.s.g.index(12, 10, 11)}, 1.6, 0.8);
    for (int64_t i = 0; i < full.s.g.points(); ++i)
      for (int64_t n = 0; n < 2; ++n) full.start.psi[n + 2 * i] *= std::polar(1.0, 0.3 * full.s.g.r(0, i) - 0.2 * full.s.g.r(2, i));
    check_current(call, full);
  });
}

// The f-sum on the lattice: right after a kick K the current is sum f sin(K h)/h <cos p h>, exactly.
BOOST_AUTO_TEST_CASE(kick_gives_the_f_sum_of_the_lattice) {
  for_each("lfd.propagate", Variants::all, [](Call& call) {
    const Grid g{{24, 20, 22}, {0.6, 0.7, 0.6}, 3};
    System s = harmonic(g, 0.8);
    s.dt = 0;
    const Orbitals ground = hermite(g, 0.8);
    for (int d = 0; d < 3; ++d) {
      const double K = 0.01;
      double expected = 0;
      State state{ground, no_field(g)};
      for (int64_t i = 0; i < g.points(); ++i)
        for (int64_t n = 0; n < g.norb; ++n) {
          state.psi[n + g.norb * i] *= std::polar(1.0, K * g.r(d, i));
          expected +=
              s.f[n] * g.dr() * std::sin(K * g.h[d]) / g.h[d] * ground[n + g.norb * i].real() * ground[n + g.norb * g.step(i, d, 1)].real();
        }
      const Trace trace = propagate(call, s, state, no_drive(1));
      check_below(call, "direction " + std::to_string(d) + ": off by", std::abs(trace.current[d] - expected), call.allow(1e-11, 2e-7));
      // Close to K N = 0.06, lower by the lattice's K <p^2> h^2/2.
      BOOST_CHECK(expected < 0.06 && expected > 0.75 * 0.06);
    }
  });
}

// With V_nl the sum has one more term, of real orbitals -2 sum D_ij (c_i q_j - m_i m_j) with c, m, q = <B|1,
// r - R, (r - R)^2|psi>, which is <[r, [V_nl, r]]>.
BOOST_AUTO_TEST_CASE(f_sum_has_the_nonlocal_commutator) {
  for_each("lfd.propagate", Variants::all, [](Call& call) {
    if (call.single()) return;  // the derivative by K lies below single precision
    const Grid g{{24, 20, 22}, {0.6, 0.7, 0.6}, 2};
    const Nonlocal V = some_nonlocal(g, {g.index(12, 10, 11), g.index(13, 9, 12)}, 1.6, 0.8);
    System s = harmonic(g, 0.8);
    s.nonlocal = &V;
    s.dt = 0;
    const Orbitals ground = hermite(g, 0.8);
    for (int d = 0; d < 3; ++d) {
      double expected = 0, nonlocal_part = 0;
      for (int64_t n = 0; n < g.norb; ++n) {
        for (int64_t i = 0; i < g.points(); ++i)
          expected += s.f[n] * g.dr() * ground[n + g.norb * i].real() * ground[n + g.norb * g.step(i, d, 1)].real();
        for (int64_t atom = 0; atom < V.natom; ++atom) {
          std::vector<std::array<double, 3>> c(static_cast<size_t>(V.nproj));
          for (int64_t p = 0; p < V.nsphere; ++p)
            for (int64_t j = 0; j < V.nproj && V.point[p + V.nsphere * atom] > 0; ++j) {
              const double b = V.B(p, j, atom, {}).real() * g.dr() * ground[n + g.norb * (V.point[p + V.nsphere * atom] - 1)].real();
              const double r = V.displacement[d + 3 * (p + V.nsphere * atom)];
              c[j][0] += b;
              c[j][1] += b * r;
              c[j][2] += b * r * r;
            }
          for (int64_t i = 0; i < V.nproj; ++i)
            for (int64_t j = 0; j < V.nproj; ++j)
              nonlocal_part -= 2 * s.f[n] * V.dnl[i + V.nproj * (j + V.nproj * atom)] * (c[i][0] * c[j][2] - c[i][1] * c[j][1]);
        }
      }
      const auto current = [&](double K) {
        State state{ground, no_field(g)};
        for (int64_t i = 0; i < g.points(); ++i)
          for (int64_t n = 0; n < g.norb; ++n) state.psi[n + g.norb * i] *= std::polar(1.0, K * g.r(d, i));
        return propagate(call, s, state, no_drive(1)).current[d];
      };
      const double K = 1e-3, slope = (8 * current(K) - current(2 * K)) / (6 * K);
      BOOST_CHECK(std::abs(nonlocal_part) > 0.05);
      check_below(call, "direction " + std::to_string(d) + ": off by", std::abs(slope - expected - nonlocal_part), 1e-9);
    }
  });
}

// A kick moves the dipole in proportion to itself.
BOOST_AUTO_TEST_CASE(answers_in_proportion_to_a_small_kick) {
  for_each("lfd.propagate", Variants::standard, [](Call& call) {
    if (call.single()) return;  // the quadratic part looked for lies below single precision
    const auto response = [&](double K) {
      Full full(call);
      for (int64_t i = 0; i < full.s.g.points(); ++i)
        for (int64_t n = 0; n < full.s.g.norb; ++n)
          full.start.psi[n + full.s.g.norb * i] *= std::polar(1.0, K * std::sin(full.s.g.r(2, i)));
      State state = full.start;
      return propagate(call, full.s, state, no_drive(40)).dipole;
    };
    const Numbers rest = response(0), weak = response(0.001), strong = response(0.002);
    double worst = 0, size = 0;
    for (size_t i = 2; i < rest.size(); i += 4) {
      worst = std::max(worst, std::abs((strong[i] - rest[i]) - 2 * (weak[i] - rest[i])));
      size = std::max(size, std::abs(strong[i] - rest[i]));
    }
    check_below(call, "deviation from proportion", worst / size, 2e-3);
  });
}

// Without a drive the energy stays: its error is bounded and falls with dt^2 (theta = 0.1 and 0.05).
BOOST_AUTO_TEST_CASE(keeps_the_energy) {
  for_each_fast(Variants::standard, [](Call& call) {
    const auto drift = [&](double dt, int64_t steps) {
      Full full(call);
      full.s.dt = dt;
      State state = full.start;
      const auto total = [&] {
        double sum = 0;
        for (const double part : energies(call, full.s, state)) sum += part;
        return sum;
      };
      const double before = total();
      double worst = 0;
      for (int i = 0; i < 8; ++i) {
        propagate(call, full.s, state, no_drive(steps / 8));
        worst = std::max(worst, std::abs(total() - before));
      }
      return worst;
    };
    const double coarse = drift(0.05, 80), fine = drift(0.025, 160);
    // Of a total of 10 Ha.
    check_below(call, "energy at theta = 0.1 off by", coarse, 1e-2);
    check_below(call, "energy at theta = 0.05 off by", fine, 2.5e-3);
    if (!call.single()) check_below(call, "ratio, off 4 by", std::abs(coarse / fine - 4), 0.4);
  });
}

// Two calls of n steps are one of 2 n, for every way of the field.
BOOST_AUTO_TEST_CASE(calls_follow_one_another) {
  for_each_fast(Variants::all, [](Call& call) {
    for (const char* field : {"frozen", "loop", "fused", "closed", "spectral", "isolated", "continuum"}) {
      Full full(call, {{8, 6, 10}, {0.6, 0.7, 0.5}, 3});
      full.s.field = field;
      full.s.field_steps = 5;
      full.s.gamma = {0.2};
      const Numbers drive = some_drive(6, 40, 0.1);
      State once = full.start, twice = full.start;
      const Trace whole = propagate(call, full.s, once, drive);
      propagate(call, full.s, twice, Numbers(drive.begin(), drive.begin() + 9));
      const Trace rest = propagate(call, full.s, twice, Numbers(drive.begin() + 9, drive.end()));
      check_below(call, std::string(field) + ": distance of psi", distance(once.psi, twice.psi), call.allow(1e-13, 1e-5));
      check_below(call, std::string(field) + ": distance of vH", distance(once.vH, twice.vH), call.allow(1e-12, 1e-4));
      check_below(call, std::string(field) + ": distance of the dipole",
                  distance(Numbers(whole.dipole.end() - 12, whole.dipole.end()), rest.dipole), call.allow(1e-12, 1e-5));
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()
