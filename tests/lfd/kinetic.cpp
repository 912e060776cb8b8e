// SPDX-License-Identifier: BSD-3-Clause
// lfd.kin_prop: the space-splitting method against its closed forms.
#include "dense.hpp"

using namespace lfd_test;

namespace {

constexpr const char* direction_names[] = {"x", "y", "z"};

struct Kinetic {
  Grid g;
  double dt = 0.05;
  bool mass_correction = false;
  Numbers A, k;  // empty: unset

  void part(Call& call, Orbitals& psi, int d, const char* p) const {
    call.forget();
    call.choose("d", direction_names[d]);
    call.choose("p", p);
    call.choose("mass_correction", mass_correction ? "on" : "off");
    call.complexes("psi", psi, g.psi_extents());
    call.numbers("h", g.spacings(), {3});
    call.scalar("dt", dt);
    if (!A.empty()) call.numbers("A", A, {3});
    if (!k.empty()) call.numbers("k", k, {3, g.norb});
    call.run();
    psi = call.get_complexes("psi");
  }
  void direction(Call& call, Orbitals& psi, int d) const {
    for (const char* p : {"half", "full", "half"}) part(call, psi, d, p);
  }
  double momentum(int d, int64_t n) const { return (A.empty() ? 0 : A[d]) + (k.empty() ? 0 : k[3 * n + d]); }
  double theta(int d) const {
    const double theta = dt / (2 * g.h[d] * g.h[d]);
    return mass_correction ? std::atan(theta) : theta;
  }
  // The eigenphase of one step of direction d for a wave of momentum q: E dt = 2 (theta - arcsin(sin theta
  // cos q h)).
  double phase(int d, double q) const { return 2 * (theta(d) - std::asin(std::sin(theta(d)) * std::cos(q * g.h[d]))); }
};

Kinetic with_everything() {
  Kinetic s;
  s.g = {{8, 6, 10}, {0.4, 0.45, 0.5}, 5};
  s.A = {0.3, -0.2, 0.7};
  s.k = random_numbers(15, 5, -0.5, 0.5);
  return s;
}

// Wave of number m along direction d.
Orbitals wave(const Grid& g, int d, int64_t m) {
  Orbitals psi(static_cast<size_t>(g.norb * g.points()));
  for (int64_t i = 0; i < g.points(); ++i)
    for (int64_t n = 0; n < g.norb; ++n)
      psi[n + g.norb * i] = std::polar(1.0, 2 * pi * static_cast<double>(m * g.at(d, i)) / static_cast<double>(g.n[d]));
  return psi;
}

Complex product(const Grid& g, const Orbitals& a, const Orbitals& b, int64_t n) {
  Complex sum = 0;
  for (int64_t i = 0; i < g.points(); ++i) sum += std::conj(a[n + g.norb * i]) * b[n + g.norb * i];
  return sum / static_cast<double>(g.points());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(kinetic)

// Norms, and without k all overlaps, are kept to rounding for any time step, also with the corrected angle.
BOOST_AUTO_TEST_CASE(is_unitary) {
  for_each("lfd.kin_prop", Variants::all, [](Call& call) {
    for (const bool corrected : {false, true}) {
      Kinetic s = with_everything();
      s.mass_correction = corrected;
      s.dt = corrected ? 0.9 : 0.3;
      if (corrected) s.k.clear();
      Orbitals psi = random_orbitals(s.g, 3);
      const Orbitals first = psi;
      double worst = 0;
      constexpr int steps = 10;
      for (int step = 0; step < steps; ++step)
        for (int d = 0; d < 3; ++d) s.direction(call, psi, d);
      for (int64_t n = 0; n < s.g.norb; ++n)
        for (int64_t m = 0; m < s.g.norb; ++m)
          if (m == n || s.k.empty()) worst = std::max(worst, std::abs(overlap(s.g, psi, m, n) - overlap(s.g, first, m, n)));
      check_below(call, "change of overlaps per step", worst / steps, call.allow(1e-14, 2e-7));
    }
  });
}

// On the ring, waves q and q + pi/h mix; the two eigenphases of one step are those of the closed form.
BOOST_AUTO_TEST_CASE(has_the_dispersion_of_the_closed_form) {
  for_each("lfd.kin_prop", Variants::all, [](Call& call) {
    for (const bool corrected : {false, true})
      for (const double dt : {0.035, 0.125, -0.11}) {
        Kinetic s = with_everything();
        s.dt = dt;
        s.mass_correction = corrected;
        double worst = 0, outside = 0;
        for (int d = 0; d < 3; ++d)
          for (int64_t m = 0; m < s.g.n[d] / 2; ++m) {
            const Orbitals basis[] = {wave(s.g, d, m), wave(s.g, d, m + s.g.n[d] / 2)};
            Orbitals after[] = {basis[0], basis[1]};
            for (auto& psi : after) s.direction(call, psi, d);
            for (int64_t n = 0; n < s.g.norb; ++n) {
              Complex M[2][2];
              for (int a = 0; a < 2; ++a)
                for (int b = 0; b < 2; ++b) M[a][b] = product(s.g, basis[a], after[b], n);
              for (int b = 0; b < 2; ++b) outside = std::max(outside, std::abs(std::norm(M[0][b]) + std::norm(M[1][b]) - 1));
              const double q = 2 * pi * static_cast<double>(m) / (static_cast<double>(s.g.n[d]) * s.g.h[d]) + s.momentum(d, n);
              // The eigenvalues are e^{-i E dt}: their sum and product are the trace and determinant.
              const Complex first = std::polar(1.0, -s.phase(d, q)), second = std::polar(1.0, -s.phase(d, q + pi / s.g.h[d]));
              worst = std::max(worst, std::abs(M[0][0] + M[1][1] - first - second));
              worst = std::max(worst, std::abs(M[0][0] * M[1][1] - M[0][1] * M[1][0] - first * second));
            }
          }
        check_below(call, "distance from the closed form", worst, call.allow(1e-13, 1e-6));
        check_below(call, "share of other waves", outside, call.allow(1e-13, 1e-6));
      }
  });
}

// In three dimensions the phases add up: a product of eigenvectors of the three directions turns by all
// three.
BOOST_AUTO_TEST_CASE(adds_the_phases_of_three_directions) {
  for_each("lfd.kin_prop", Variants::all, [](Call& call) {
    Kinetic s = with_everything();
    const int64_t m[] = {3, 1, 4};
    Orbitals psi(static_cast<size_t>(s.g.norb * s.g.points()), 1.0);
    std::vector<double> total(static_cast<size_t>(s.g.norb));
    for (int d = 0; d < 3; ++d) {
      // The eigenvector of smaller phase in the span of the two waves, from the exact operator of the
      // reference.
      const Orbitals basis[] = {wave(s.g, d, m[d]), wave(s.g, d, m[d] + s.g.n[d] / 2)};
      Orbitals after[] = {basis[0], basis[1]};
      Call exact = reference("lfd.kin_prop");
      for (auto& x : after) s.direction(exact, x, d);
      for (int64_t n = 0; n < s.g.norb; ++n) {
        const double q = 2 * pi * static_cast<double>(m[d]) / (static_cast<double>(s.g.n[d]) * s.g.h[d]) + s.momentum(d, n);
        total[n] += s.phase(d, q);
        const Complex lambda = std::polar(1.0, -s.phase(d, q));
        const Complex M00 = product(s.g, basis[0], after[0], n), M01 = product(s.g, basis[0], after[1], n);
        const Complex M10 = product(s.g, basis[1], after[0], n), M11 = product(s.g, basis[1], after[1], n);
        const bool upper = std::abs(M01) + std::abs(lambda - M00) > std::abs(M10) + std::abs(lambda - M11);
        const Complex c0 = upper ? M01 : lambda - M11, c1 = upper ? lambda - M00 : M10;
        const double size = std::sqrt(std::norm(c0) + std::norm(c1));
        for (int64_t i = 0; i < s.g.points(); ++i)
          psi[n + s.g.norb * i] *= (c0 * basis[0][n + s.g.norb * i] + c1 * basis[1][n + s.g.norb * i]) / size;
      }
    }
    Orbitals expected = psi;
    for (int64_t i = 0; i < s.g.points(); ++i)
      for (int64_t n = 0; n < s.g.norb; ++n) expected[n + s.g.norb * i] *= std::polar(1.0, -total[n]);
    for (int d = 0; d < 3; ++d) s.direction(call, psi, d);
    check_below(call, "distance from the closed form", distance(psi, expected) / largest(expected), call.allow(1e-13, 2e-6));
  });
}

BOOST_AUTO_TEST_CASE(directions_commute) {
  for_each("lfd.kin_prop", Variants::all, [](Call& call) {
    const Kinetic s = with_everything();
    const Orbitals start = random_orbitals(s.g, 8);
    Orbitals forward = start, backward = start, mixed = start;
    for (const int d : {0, 1, 2}) s.direction(call, forward, d);
    for (const int d : {2, 1, 0}) s.direction(call, backward, d);
    for (const char* p : {"half", "full", "half"})
      for (const int d : {1, 2, 0}) s.part(call, mixed, d, p);
    const double size = largest(start);
    check_below(call, "xyz - zyx", distance(forward, backward) / size, call.allow(1e-14, 1e-6));
    check_below(call, "xyz - parts of all directions in turn", distance(forward, mixed) / size, call.allow(1e-14, 1e-6));
  });
}

// The Gaussian packet's mass: with the corrected angle slow waves move as in the limit of small steps.
BOOST_AUTO_TEST_CASE(mass_correction_restores_the_mass) {
  for_each("lfd.kin_prop", Variants::standard, [](Call& call) {
    Kinetic s;
    s.g = {{400, 1, 1}, {0.4, 1, 1}, 1};
    s.dt = 0.128;  // theta = 0.4
    const double q = 2 * pi / 160;
    const auto energy = [&](bool corrected) {
      s.mass_correction = corrected;
      const Orbitals basis[] = {wave(s.g, 0, 1), wave(s.g, 0, 201)};
      Orbitals after[] = {basis[0], basis[1]};
      for (auto& psi : after) s.direction(call, psi, 0);
      const Complex a = product(s.g, basis[0], after[0], 0), b = product(s.g, basis[0], after[1], 0),
                    c = product(s.g, basis[1], after[0], 0), d = product(s.g, basis[1], after[1], 0);
      const Complex root = std::sqrt((a - d) * (a - d) + 4.0 * b * c);
      const double one = -std::arg((a + d + root) / 2.0), other = -std::arg((a + d - root) / 2.0);
      return std::min(std::abs(one), std::abs(other)) / s.dt / (q * q / 2);
    };
    // theta/tan(theta) = 0.9461 is the effective mass without the correction; the rest is (q h)^2/12.
    check_below(call, "plain mass off by", std::abs(1 / energy(false) - 0.4 / std::tan(0.4)), call.allow(2e-4, 2e-2));
    check_below(call, "corrected mass off by", std::abs(1 / energy(true) - 1), call.allow(2e-4, 2e-2));
  });
}

// Against the exponential of the difference operator itself, which waves diagonalise: the error falls with
// dt^2.
BOOST_AUTO_TEST_CASE(converges_with_the_square_of_the_time_step) {
  for_each("lfd.kin_prop", Variants::standard, [](Call& call) {
    if (call.single()) return;  // the errors compared lie below single precision
    Kinetic s;
    s.g = {{6, 4, 4}, {0.5, 0.6, 0.55}, 1};
    s.A = {0.1, 0.2, -0.3};
    Matrix H(s.g.points());
    add_kinetic(H, s.g, {s.A[0], s.A[1], s.A[2]});
    const Orbitals start = random_orbitals(s.g, 2);
    Orbitals exact = start;
    constexpr double time = 0.4;
    apply(exponential(H, {0, -time}), s.g, exact, 0);
    std::vector<double> error;
    for (const int steps : {16, 32, 64}) {
      s.dt = time / steps;
      Orbitals psi = start;
      for (int i = 0; i < steps; ++i)
        for (int d = 0; d < 3; ++d) s.direction(call, psi, d);
      error.push_back(distance(psi, exact));
    }
    check_below(call, "ratio 16 to 32 steps, off 4 by", std::abs(error[0] / error[1] - 4), 0.1);
    check_below(call, "ratio 32 to 64 steps, off 4 by", std::abs(error[1] / error[2] - 4), 0.1);
  });
}

// half joins (0,1), (2,3), .. by theta, full (1,2), .., (N-1,0) by 2 theta, with ep, em and the bond's phase
// of lfd.hpp.
BOOST_AUTO_TEST_CASE(joins_the_right_pairs) {
  for_each("lfd.kin_prop", Variants::all, [](Call& call) {
    for (int d = 0; d < 3; ++d)
      for (const bool full : {false, true})
        for (const int64_t point : {0, 1, 3}) {
          Kinetic s = with_everything();
          s.g.n[d] = 4;
          const int64_t up = full ? 1 : 0, pair = point % 2 == up ? (point + 1) % 4 : (point + 3) % 4;
          const double phi = s.theta(d) * (full ? 2 : 1);
          Orbitals psi(static_cast<size_t>(s.g.norb * s.g.points())), expected = psi;
          for (int64_t i = 0; i < s.g.points(); ++i)
            for (int64_t n = 0; n < s.g.norb; ++n) {
              const Complex e = std::polar(1.0, -phi), bond = std::polar(1.0, s.momentum(d, n) * s.g.h[d]);
              if (s.g.at(d, i) == point) psi[n + s.g.norb * i] = 1;
              if (s.g.at(d, i) == point) expected[n + s.g.norb * i] = (1.0 + e) / 2.0;
              if (s.g.at(d, i) == pair) expected[n + s.g.norb * i] = (1.0 - e) / 2.0 * (point % 2 == up ? std::conj(bond) : bond);
            }
          s.part(call, psi, d, full ? "full" : "half");
          check_below(call, "distance", distance(psi, expected), call.allow(1e-15, 3e-7));
        }
  });
}

// A ring of two points has the same pair in both sets; a direction of one point has no kinetic energy.
BOOST_AUTO_TEST_CASE(rings_of_two_points_and_one) {
  for_each("lfd.kin_prop", Variants::all, [](Call& call) {
    Kinetic s;
    s.g = {{2, 1, 1}, {0.5, 0.5, 0.5}, 1};
    const double phi = s.dt / (2 * 0.25);
    Orbitals psi = {1.0, 0.0};
    s.direction(call, psi, 0);
    // Half, full, half turn the pair by phi, 2 phi, phi.
    const Complex e = std::polar(1.0, -4 * phi);
    check_below(call, "ring of two", distance(psi, {(1.0 + e) / 2.0, (1.0 - e) / 2.0}), call.allow(1e-14, 1e-6));
    const Orbitals before = psi;
    s.direction(call, psi, 1);
    BOOST_CHECK(psi == before);
  });
}

BOOST_AUTO_TEST_SUITE_END()
