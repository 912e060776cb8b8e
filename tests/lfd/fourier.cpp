// SPDX-License-Identifier: BSD-3-Clause
// kinetic = fourier of lfd.propagate and lfd.calc_energy: plane waves and a free packet in closed form, the dense
// Hamiltonian, and what steps keep.
#include "propagation.hpp"

using namespace lfd_test;

namespace {

// q of wave m on n points, and whether it is the wave n/2, which is its own mirror image.
double wave_number(int64_t m, int64_t n, double h) {
  return 2 * pi * static_cast<double>(2 * m > n ? m - n : m) / (static_cast<double>(n) * h);
}
// 1/2 (q + kappa)^2 and q + kappa; of n/2 the means over q and -q.
double wave_energy(int64_t m, int64_t n, double h, double kappa) {
  const double q = wave_number(m, n, h);
  return 2 * m == n ? 0.5 * (q * q + kappa * kappa) : 0.5 * (q + kappa) * (q + kappa);
}
double wave_velocity(int64_t m, int64_t n, double h, double kappa) { return (2 * m == n ? 0 : wave_number(m, n, h)) + kappa; }

// Adds T along each direction, wave by wave.
void add_waves(Matrix& H, const Grid& g, const Vector& kappa) {
  for (int64_t i = 0; i < g.points(); ++i)
    for (int d = 0; d < 3; ++d)
      for (int64_t by = 0; by < g.n[d] && g.n[d] > 1; ++by) {
        Complex sum = 0;
        for (int64_t m = 0; m < g.n[d]; ++m)
          sum += wave_energy(m, g.n[d], g.h[d], kappa[d]) *
                 std::polar(1.0 / static_cast<double>(g.n[d]), -2 * pi * static_cast<double>(m * by) / static_cast<double>(g.n[d]));
        H(i, g.step(i, d, by)) += sum;
      }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fourier)

// One step of a length that no splitting allows, on extents with every kind of factor: psi e^{-i dt E}, <T> = E and the
// current q + A + k, with the wave n/2 of each direction among the waves.
BOOST_AUTO_TEST_CASE(plane_waves_keep_their_shape) {
  for_each("lfd.propagate", Variants::standard, [](Call& call) {
    for (const auto& [nx, ny, nz] : {std::array<int64_t, 3>{12, 18, 20}, {30, 14, 2}, {1, 8, 1}, {6, 100, 4}, {1, 22, 96}}) {
      const Grid g{{nx, ny, nz}, {0.5, 0.6, 0.55}, 5};
      System s;
      s.g = g;
      s.f = {2.0, 1.0, 0.5, 1.5, 0.25};
      s.vloc.assign(static_cast<size_t>(g.points()), 0.0);
      s.k = random_numbers(15, 51, -0.5, 0.5);
      s.kinetic = "fourier";
      s.gauge = "velocity";
      s.dt = 3.7;
      const Vector A{0.2, -0.1, 0.3};
      const int64_t waves[5][3] = {{0, 0, 0}, {1, ny - 1, nz / 2}, {nx / 2, 2, 1}, {nx - 3, ny / 2, nz - 1}, {nx / 3, ny / 4, nz / 5}};
      State state{Orbitals(static_cast<size_t>(g.norb * g.points())), no_field(g)};
      Orbitals expected(state.psi.size());
      Numbers ekin(5), current(3);
      const double size = 1 / std::sqrt(static_cast<double>(g.points()) * g.dr());
      for (int64_t n = 0; n < g.norb; ++n) {
        int64_t m[3];
        for (int d = 0; d < 3; ++d) {
          m[d] = (waves[n][d] % g.n[d] + g.n[d]) % g.n[d];
          if (g.n[d] == 1) continue;
          ekin[n] += wave_energy(m[d], g.n[d], g.h[d], A[d] + s.k[3 * n + d]);
          current[d] += s.f[n] * wave_velocity(m[d], g.n[d], g.h[d], A[d] + s.k[3 * n + d]);
        }
        for (int64_t i = 0; i < g.points(); ++i) {
          double turns = 0;
          for (int d = 0; d < 3; ++d) turns += static_cast<double>(m[d] * g.at(d, i) % g.n[d]) / static_cast<double>(g.n[d]);
          state.psi[n + g.norb * i] = std::polar(size, 2 * pi * turns);
          expected[n + g.norb * i] = state.psi[n + g.norb * i] * std::polar(1.0, -s.dt * ekin[n]);
        }
      }
      check_below(call, "kinetic energies off by", distance(energies(call, s, state, A, "ekin"), ekin) / largest(ekin),
                  call.allow(1e-13, 2e-6));
      const Trace trace = propagate(call, s, state, {A[0], A[1], A[2]});
      check_below(call, "waves off by", distance(state.psi, expected) / size, call.allow(1e-12, 2e-5));
      check_below(call, "current off by", distance(trace.current, current) / largest(current), call.allow(1e-12, 5e-6));
    }
  });
}

// A free Gaussian packet with momentum p, sigma of its density: (1 + i t/2 sigma^2)^{-1/2} exp(-(x - p t)^2/(4 sigma^2 + 2 i t) +
// i p x - i p^2 t/2), here in one step.
BOOST_AUTO_TEST_CASE(free_packet_spreads) {
  for_each("lfd.propagate", Variants::standard, [](Call& call) {
    const Grid g{{64, 1, 1}, {0.5, 1, 1}, 1};
    System s;
    s.g = g;
    s.f = {1.0};
    s.vloc.assign(64, 0.0);
    s.kinetic = "fourier";
    s.dt = 2.0;
    constexpr double sigma = 1.3, p = 0.8;
    const auto packet = [&](double x, double t) {
      const Complex width(4 * sigma * sigma, 2 * t);
      return std::pow(2 * pi * sigma * sigma, -0.25) / std::sqrt(Complex(1, t / (2 * sigma * sigma))) *
             std::exp(-(x - p * t) * (x - p * t) / width + Complex(0, p * x - 0.5 * p * p * t));
    };
    State state{Orbitals(64), no_field(g)};
    Orbitals expected(64);
    for (int64_t i = 0; i < 64; ++i) {
      state.psi[i] = packet(g.r(0, i), 0);
      expected[i] = packet(g.r(0, i), s.dt);
    }
    const Trace trace = propagate(call, s, state, no_drive(1));
    check_below(call, "packet off by", distance(state.psi, expected), call.allow(1e-9, 1e-5));
    check_below(call, "way of its centre off by", std::abs(trace.dipole[0] - p * s.dt), call.allow(1e-9, 1e-5));
    check_below(call, "current off by", std::abs(trace.current[0] - p), call.allow(1e-10, 1e-5));
  });
}

// Against the exponential of the whole dense Hamiltonian: exact for the kinetic energy alone, order 2 in dt with v and V_nl.
BOOST_AUTO_TEST_CASE(converges_with_the_square_of_the_time_step) {
  const Grid g{{6, 4, 4}, {0.5, 0.6, 0.55}, 2};
  const Nonlocal V = some_nonlocal(g, {g.index(2, 1, 3), g.index(3, 2, 2)}, 1.1, 0.8);
  System s;
  s.g = g;
  s.f = {2.0, 1.0};
  s.k = random_numbers(6, 54, -0.5, 0.5);
  s.gauge = "velocity";
  s.kinetic = "fourier";
  const Numbers vloc = random_numbers(g.points(), 53, -1, 1);
  const Vector A{0.2, -0.1, 0.3};
  constexpr double time = 0.16;
  const Orbitals start = random_orbitals(g, 55);
  Orbitals free = start, exact = start;
  for (int64_t n = 0; n < g.norb; ++n) {
    Matrix H(g.points());
    const Vector q{A[0] + s.k[3 * n], A[1] + s.k[3 * n + 1], A[2] + s.k[3 * n + 2]};
    add_waves(H, g, q);
    apply(exponential(H, {0, -time}), g, free, n);
    add_nonlocal(H, g, V, q);
    for (int64_t i = 0; i < g.points(); ++i) H(i, i) += vloc[i];
    apply(exponential(H, {0, -time}), g, exact, n);
  }
  for_each("lfd.propagate", Variants::standard, [&](Call& call) {
    const auto after = [&](int64_t steps) {
      System now = s;
      now.dt = time / static_cast<double>(steps);
      State state{start, no_field(g)};
      Numbers drive;
      for (int64_t i = 0; i < steps; ++i) drive.insert(drive.end(), A.begin(), A.end());
      propagate(call, now, state, drive);
      return state.psi;
    };
    s.vloc.assign(vloc.size(), 0.0);
    s.nonlocal = nullptr;
    check_below(call, "free orbitals off by", distance(after(2), free), call.allow(1e-12, 2e-5));
    if (call.single()) return;  // the errors compared lie below single precision
    s.vloc = vloc;
    s.nonlocal = &V;
    const double coarse = distance(after(32), exact), fine = distance(after(64), exact);
    check_below(call, "ratio of 32 to 64 steps, off 4 by", std::abs(coarse / fine - 4), 0.1);
  });
}

// With field, functional and V_nl: orthonormal orbitals, the number of electrons, and the way back.
BOOST_AUTO_TEST_CASE(keeps_norm_and_returns) {
  for_each("lfd.propagate", Variants::standard, [](Call& call) {
    for (const char* gauge : {"length", "velocity"}) {
      Full full(call);
      full.s.kinetic = "fourier";
      full.s.gauge = gauge;
      constexpr int64_t steps = 10;
      const Numbers drive = random_numbers(3 * steps, 56, -0.1, 0.1);
      Numbers backwards;
      for (int64_t i = steps; i-- > 0;) backwards.insert(backwards.end(), &drive[3 * i], &drive[3 * i] + 3);
      State state = full.start;
      const Trace trace = propagate(call, full.s, state, drive);
      double worst = 0;
      for (int64_t n = 0; n < full.s.g.norb; ++n)
        for (int64_t m = 0; m < full.s.g.norb; ++m)
          worst = std::max(worst, std::abs(overlap(full.s.g, state.psi, m, n) - (m == n ? 1.0 : 0.0)));
      check_below(call, std::string(gauge) + ": orthonormality", worst, call.allow(1e-12, 2e-5));
      check_below(call, std::string(gauge) + ": electrons off by", std::abs(trace.dipole.back() - 6), call.allow(1e-12, 5e-5));
      check_below(call, std::string(gauge) + ": rho is not that of psi by", distance(trace.rho, density(full.s, state.psi)),
                  call.allow(1e-13, 1e-5));
      full.s.dt = -full.s.dt;
      propagate(call, full.s, state, backwards);
      check_below(call, std::string(gauge) + ": distance from the start", distance(state.psi, full.start.psi), call.allow(1e-12, 5e-5));
    }
  });
}

// The current is the derivative of the dipole, and after a kick without V_nl the number of electrons times the kick, exactly.
BOOST_AUTO_TEST_CASE(current_is_the_derivative_of_the_dipole) {
  for_each_fast(Variants::standard, [](Call& call) {
    if (call.single()) return;  // differences of single precision numbers say nothing
    Full full(call, {{24, 20, 24}, {0.6, 0.7, 0.6}, 2});
    full.V = some_nonlocal(full.s.g, {full.s.g.index(12, 10, 12)}, 1.6, 0.8);
    full.s.kinetic = "fourier";
    full.s.field = "frozen";
    full.s.functional = "none";
    const Vector K{0.3, 0.1, -0.2};
    for (int64_t i = 0; i < full.s.g.points(); ++i)
      for (int64_t n = 0; n < 2; ++n)
        full.start.psi[n + 2 * i] *= std::polar(1.0, K[0] * full.s.g.r(0, i) + K[1] * full.s.g.r(1, i) + K[2] * full.s.g.r(2, i));
    check_current(call, full);
    full.s.nonlocal = nullptr;
    const Trace kicked = step_of(call, full, 0);
    for (int d = 0; d < 3; ++d)
      check_below(call, "f-sum of direction " + std::to_string(d) + " off by", std::abs(kicked.current[d] - 4 * K[d]), 1e-8);
  });
}

// Length and velocity gauge, where the packet stays away from the border and its waves far below N/2.
BOOST_AUTO_TEST_CASE(gauges_agree) {
  for_each_fast(Variants::standard, [](Call& call) {
    Full full(call, {{24, 20, 24}, {0.6, 0.7, 0.6}, 2});
    full.V = some_nonlocal(full.s.g, {full.s.g.index(12, 10, 12)}, 1.6, 0.5);
    full.s.kinetic = "fourier";
    full.s.field = "frozen";
    full.s.functional = "none";
    constexpr int64_t steps = 5;
    const Numbers E = random_numbers(3 * steps, 57, -0.2, 0.2);
    const Numbers A = vector_potential(E, full.s.dt);
    State length = full.start, velocity = full.start;
    const Trace in_length = propagate(call, full.s, length, E);
    full.s.gauge = "velocity";
    const Trace in_velocity = propagate(call, full.s, velocity, A);
    check_below(call, "distance of dipoles", distance(in_length.dipole, in_velocity.dipole), call.allow(1e-8, 5e-5));
  });
}

// The total energy of independent electrons in a well, on a grid where second-order differences are 9 % off: exact.
BOOST_AUTO_TEST_CASE(harmonic_levels_are_exact) {
  for_each("lfd.propagate", Variants::standard, [](Call& call) {
    System s = harmonic({{24, 20, 24}, {0.6, 0.7, 0.6}, 3}, 0.8);
    s.kinetic = "fourier";
    const State state{hermite(s.g, 0.8), no_field(s.g)};
    const Numbers parts = energies(call, s, state);
    // Two electrons each in 3/2, 5/2 and 5/2 w.
    check_below(call, "energy off by", std::abs(parts[0] + parts[1] - 13 * 0.8), call.allow(1e-7, 2e-5));
  });
}

BOOST_AUTO_TEST_SUITE_END()
