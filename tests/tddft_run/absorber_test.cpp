// SPDX-License-Identifier: BSD-3-Clause
// Absorbing layers against exact steps of one dimension, free packets, the transfer through the potential, and a potential whose continuum is
// known in closed form.
#include <boost/test/unit_test.hpp>

#include "absorber.hpp"
#include "spectrum.hpp"
#include "well.hpp"

using namespace suite;
using namespace suite::tddft;
using test::Line, test::World;
using Complex = std::complex<double>;
using std::numbers::pi;

namespace {

// Depth s in the layer over its width at x in a cell of length L, and what a step is to leave of the amplitude there.
double part_left(const Absorber& a, double L, double x, double dt) {
  const double s = (std::abs(x) - L / 2 + a.width) / a.width;
  if (s <= 0) return 1;
  if (a.kind == Absorber::Kind::mask) return std::pow(std::cos(pi * s / 2), 0.125);
  return std::exp(-dt * a.height * (1 - std::cos(pi * s)) / 2);
}

TimeSeries follow(const Settings& s, const GroundState& g, Propagation& propagation) {
  TimeSeries series;
  propagation.rest(g);
  propagation.settle(0, s.propagation.settling_steps);
  propagation.start(0, series);
  while (series.steps() < s.propagation.steps) {
    propagation.advance(series, std::min(s.propagation.interval, s.propagation.steps - series.steps()));
    propagation.sample(series);
  }
  return series;
}

// One electron on a line of so many points, in the potential v and the state psi, both functions of x.
struct OnALine {
  Settings s;
  GroundState g;
  std::vector<double> x;

  template <class V, class Psi> OnALine(int points, double h, double dt, const Absorber& absorber, V&& v, Psi&& psi) {
    s.system.grid.points = {points, 1, 1};
    s.system.grid.h = {h, 1, 1};
    s.system.electrons = 1;
    s.ground_state.functional = "none";
    s.propagation.field = "frozen";
    s.propagation.dt = dt;
    s.propagation.interval = 100;
    s.propagation.absorber = absorber;
    s.direction = {1, 0, 0};
    g.bands = 1, g.orbitals = 1;
    g.f = {1}, g.k = {0, 0, 0}, g.eigenvalues_Ha = {0};
    g.vH.assign(static_cast<size_t>(points), 0.0);
    g.vxc = g.vH;
    for (int i = 0; i < points; ++i) {
      x.push_back(s.system.grid.coordinate(0, i));
      g.vloc.push_back(v(x.back()));
      g.psi.push_back(psi(x.back()));
      g.rho.push_back(std::norm(g.psi.back()));
    }
  }
  TimeSeries run(World& world, std::vector<double>* density = nullptr) const {
    const auto propagation = make_propagation(s, g, {1, 0, 0}, world.context);
    const TimeSeries series = follow(s, g, *propagation);
    if (density) *density = propagation->density();
    return series;
  }
};

// |r|^2 + |t|^2 of a wave of momentum k at the layer and its mirror image behind the face of the cell, by Numerov's method from the far side.
double returned(const Absorber& a, double k, double dt) {
  const double h = 1e-3, w = a.width;
  const auto f = [&](double x) {  // psi'' = -f psi
    const double left = part_left(a, 2 * w, std::max(0.0, w - std::abs(x - w)), dt);
    return k * k + Complex(0, -2 * std::log(std::max(left, 1e-4)) / dt);
  };
  const auto weight = [&](double x) { return 1.0 + h * h / 12 * f(x); };
  const int n = static_cast<int>(2 * w / h) + 10;
  const auto at = [&](int i) { return (i - 5) * h; };
  Complex next = std::polar(1.0, k * at(n)), here = std::polar(1.0, k * at(n - 1));
  for (int i = n - 1; i > 0; --i) {
    const Complex before = ((12.0 - 10.0 * weight(at(i))) * here - weight(at(i + 1)) * next) / weight(at(i - 1));
    next = here, here = before;
  }
  // here = psi(at(0)) = in e^{ikx} + back e^{-ikx}, next = psi(at(1))
  const Complex p0 = std::polar(1.0, k * at(0)), p1 = std::polar(1.0, k * at(1)), det = p0 * std::conj(p1) - p1 * std::conj(p0);
  const Complex in = (here * std::conj(p1) - next * std::conj(p0)) / det, back = (p0 * next - p1 * here) / det;
  return (std::norm(back) + 1) / std::norm(in);
}

constexpr Absorber potential{Absorber::Kind::potential, 2.5, 0.8}, mask{Absorber::Kind::mask, 2.5, 0};

}  // namespace

// Number of electrons and dipole of every step, in a well whose electrons reach the layers, which differ along the three axes.
BOOST_AUTO_TEST_CASE(absorbed_electrons_are_those_of_the_exact_steps) {
  for (const Absorber& absorber : {potential, mask})
    for (const Kinetic kinetic : {Kinetic::differences, Kinetic::fourier})
      for (const bool velocity : {false, true}) {
        Settings s = test::well_settings();
        s.ground_state.implementation = "reference";
        s.system.kinetic = kinetic;
        s.propagation.absorber = absorber;
        s.propagation.velocity_gauge = velocity;
        s.kick = 0.6;
        World world("reference");
        const GroundState g = solve_ground_state(s.system, s.ground_state);
        const auto propagation = make_propagation(s, g, sum_rule(s, g, world.context), world.context);
        const TimeSeries series = follow(s, g, *propagation);
        BOOST_TEST(propagation->norm_error() <= 0);
        BOOST_TEST(series.electrons.back() < 1.95);
        if (velocity && kinetic == Kinetic::differences) continue;  // where a kick is no change of gauge
        const Line lines[] = {Line(s, 0), Line(s, 1), Line(s, 2)};
        Eigen::VectorXcd psi[3];
        for (int d = 0; d < 3; ++d) psi[d] = lines[d].ground.cast<Complex>();
        for (int i = 0; i < psi[2].size(); ++i) psi[2][i] *= std::polar(1.0, -s.kick * lines[2].x(i));
        double largest = 0;
        for (size_t n = 0; n < series.dipole.size(); ++n) {
          const double norms[] = {psi[0].squaredNorm(), psi[1].squaredNorm(), psi[2].squaredNorm()};
          const double electrons = 2 * norms[0] * norms[1] * norms[2];
          largest = std::max(largest, std::abs(series.electrons[n] - electrons));
          for (size_t d = 0; d < 3; ++d)
            largest = std::max(largest, std::abs(series.dipole[n][d] - electrons / norms[d] * lines[d].mean(psi[d])));
          for (int d = 0; d < 3; ++d) {
            psi[d] = lines[d].step * psi[d];
            for (int i = 0; i < psi[d].size(); ++i)
              psi[d][i] *= part_left(absorber, s.system.grid.length(d), lines[d].x(i), s.propagation.dt);
          }
        }
        BOOST_TEST_MESSAGE("largest difference " << largest);
        // As without an absorber; in the other gauge what the periodic cell makes of waves at its faces.
        BOOST_TEST(largest <= (velocity ? 1e-4 : 1e-8));
      }
}

// Not in the steps before t = 0.
BOOST_AUTO_TEST_CASE(nothing_is_absorbed_while_electrons_settle) {
  Settings s = test::well_settings();
  s.ground_state.implementation = "reference";
  s.propagation.absorber = potential;
  s.propagation.settling_steps = 20;
  World world("reference");
  const GroundState g = solve_ground_state(s.system, s.ground_state);
  const auto propagation = make_propagation(s, g, {2, 2, 2}, world.context);
  const TimeSeries series = follow(s, g, *propagation);
  BOOST_TEST(std::abs(series.electrons[0] - 2) <= 1e-12);
  BOOST_TEST(series.electrons[1] < 2 - 1e-6);
  for (size_t n = 1; n < series.electrons.size(); ++n) BOOST_TEST(series.electrons[n] < series.electrons[n - 1]);
}

// Before it meets a layer, a packet spreads as a free one.
BOOST_AUTO_TEST_CASE(a_packet_within_the_layers_is_free) {
  const double k0 = 1, sigma = 4, t = 20;
  const auto packet = [&](double x) {
    return Complex(std::exp(-(x + 20) * (x + 20) / (4 * sigma * sigma)) / std::pow(2 * pi * sigma * sigma, 0.25));
  };
  OnALine line(
      300, 0.4, 0.05, {Absorber::Kind::potential, 10, 0.5}, [](double) { return 0.0; }, packet);
  line.s.kick = -k0;
  line.s.propagation.steps = 400;
  World world("cpu");
  std::vector<double> density;
  const TimeSeries series = line.run(world, &density);
  BOOST_TEST(std::abs(series.electrons.back() - 1) <= 1e-6);
  const double width = sigma * std::hypot(1, t / (2 * sigma * sigma));
  for (size_t i = 0; i < density.size(); ++i) {
    const double y = line.x[i] + 20 - k0 * t;
    BOOST_TEST(std::abs(density[i] - std::exp(-y * y / (2 * width * width)) / (width * std::sqrt(2 * pi))) <= 1e-6);
  }
}

// What comes back of a packet from the layer, or through it on the other side of the periodic grid, is what the complex potential reflects and
// lets through of its waves; the rest has been absorbed.
BOOST_AUTO_TEST_CASE(what_comes_back_is_what_the_complex_potential_reflects) {
  struct Case {
    Absorber absorber;
    double k0;
  };
  const double sigma = 6, dt = 0.05, h = 0.25;
  for (const auto& [absorber, k0] : {Case{{Absorber::Kind::potential, 4, 0.3}, 1}, Case{{Absorber::Kind::potential, 3, 1.5}, 0.9},
                                     Case{{Absorber::Kind::mask, 3, 0}, 1}, Case{{Absorber::Kind::potential, 10, 0.5}, 1}}) {
    const auto packet = [&](double x) {
      return Complex(std::exp(-(x - 50) * (x - 50) / (4 * sigma * sigma)) / std::pow(2 * pi * sigma * sigma, 0.25));
    };
    OnALine line(
        800, h, dt, absorber, [](double) { return 0.0; }, packet);
    line.s.kick = -k0;
    line.s.propagation.steps = 2600;
    World world("cpu");
    const TimeSeries series = line.run(world);
    double expected = 0;
    const double spread = 1 / (2 * sigma), step = spread / 40;
    for (double k = k0 - 5 * spread; k < k0 + 5 * spread; k += step)
      expected += std::exp(-(k - k0) * (k - k0) / (2 * spread * spread)) / (spread * std::sqrt(2 * pi)) * step * returned(absorber, k, dt);
    BOOST_TEST_MESSAGE("width " << absorber.width << ": " << series.electrons.back() << " come back, " << expected << " expected");
    BOOST_TEST(std::abs(series.electrons.back() - expected) <= 0.02 * expected + 1e-6);
  }
}

// v = -3/cosh^2 x has the levels -2 and -1/2 and waves (1 + k^2 - 3 tanh^2 x + 3ik tanh x) e^{ikx}. With absorbing layers its spectrum is that
// line and a smooth continuum; without them the continuum is the lines of a box.
BOOST_AUTO_TEST_CASE(the_continuum_of_a_known_potential_is_smooth) {
  const auto ground = [](double x) { return std::sqrt(0.75) / (std::cosh(x) * std::cosh(x)); };
  // 2 E times |<k|x|0>|^2 of both directions of k, per energy.
  const auto strength = [&](double E) {
    const double k = std::sqrt(2 * (E - 2)), dx = 0.01;
    Complex sum = 0;
    for (double x = -25; x < 25; x += dx) {
      const double t = std::tanh(x);
      sum += Complex(1 + k * k - 3 * t * t, 3 * k * t) * std::polar(1.0, k * x) * x * ground(x) * dx;
    }
    return 2 * E * 2 * std::norm(sum) / ((1 + k * k) * (4 + k * k) * 2 * pi) / k;
  };
  double f = 0;
  for (double x = -25; x < 25; x += 0.01) f += 0.01 * x * ground(x) * std::sqrt(1.5) * std::tanh(x) / std::cosh(x);
  f = 2 * 1.5 * f * f;
  double largest[2];
  for (const bool absorbs : {false, true}) {
    OnALine line(
        400, 0.15, 0.008, {absorbs ? Absorber::Kind::potential : Absorber::Kind::none, 15, 0.8},
        [](double x) { return -3 / (std::cosh(x) * std::cosh(x)); }, [&](double x) { return Complex(ground(x)); });
    line.s.kick = 1e-3;
    line.s.propagation.steps = 10000;
    World world("cpu");
    const TimeSeries series = line.run(world);
    Response response{Observable::dipole, line.s.propagation.dt, {}};
    for (const Vec3& r : series.dipole) response.g.push_back(-(r[0] - series.dipole[0][0]) / line.s.kick);
    SpectrumSettings settings;
    settings.max_energy = 5, settings.step = 0.01;
    const Spectrum found = spectrum(response, settings);
    largest[absorbs] = 0;
    for (size_t i = 0; i < found.energy.size(); ++i)
      if (found.energy[i] > 2.4 && found.energy[i] < 4)
        largest[absorbs] = std::max(largest[absorbs], std::abs(found.strength[i] / strength(found.energy[i]) - 1));
    BOOST_TEST_MESSAGE("largest deviation of the continuum " << largest[absorbs] << ", f-sum " << found.sum);
    BOOST_TEST(std::abs(found.sum - 1) <= 5e-3);
    BOOST_REQUIRE(!found.peaks.empty());
    BOOST_TEST_MESSAGE("line " << found.peaks[0].energy << " strength " << found.peaks[0].strength << " exact 1.5 " << f);
    BOOST_TEST(std::abs(found.peaks[0].energy - 1.5) <= 1e-3);
    BOOST_TEST(std::abs(found.peaks[0].strength - f) <= 5e-3);
    if (absorbs) BOOST_TEST(found.peaks.size() == 1);
  }
  BOOST_TEST(largest[0] >= 0.5);
  // Ripples of twice the root of what comes back, up to 1e-4 here, and the line's tail behind the window, 0.003 of the continuum beside it.
  BOOST_TEST(largest[1] <= 0.02);
}
