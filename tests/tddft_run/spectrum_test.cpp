// SPDX-License-Identifier: BSD-3-Clause
// Spectra of signals whose response is known in closed form.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <numbers>

#include "lines.hpp"
#include "spectrum.hpp"

using namespace suite::tddft;

namespace {

struct Line {
  double energy, strength;
};

// What electrons with these excitations do after a kick.
Response response(const std::vector<Line>& lines, Observable observable, double dt, int steps) {
  Response r{observable, dt, {}};
  for (int n = 0; n <= steps; ++n) {
    double g = 0;
    for (const auto& l : lines)
      g +=
          observable == Observable::dipole ? l.strength / l.energy * std::sin(l.energy * n * dt) : l.strength * std::cos(l.energy * n * dt);
    r.g.push_back(g);
  }
  return r;
}

SpectrumSettings settings(double max_energy, double step) {
  SpectrumSettings s;
  s.max_energy = max_energy;
  s.step = step;
  return s;
}

bool within(double found, double expected, double tolerance) { return std::abs(found - expected) <= tolerance; }

}  // namespace

// With exp(-eta t) and T -> oo an excitation gives alpha(w) = F/(w0^2 - (w + i eta)^2). Trapezoidal rule:
// dt^2/12 times the jump of the slope at t = 0.
BOOST_AUTO_TEST_CASE(a_damped_line_is_a_lorentzian) {
  const double w0 = 0.3, F = 2, eta = 0.01;
  SpectrumSettings s = settings(0.6, 0.001);
  s.window = false;
  s.broadening = eta;
  const auto found = spectrum(response({{w0, F}}, Observable::dipole, 0.05, 60000), s);
  for (size_t i = 0; i < found.energy.size(); ++i) {
    const std::complex<double> z(found.energy[i], eta);
    BOOST_TEST(std::abs(found.response[i] - F / (w0 * w0 - z * z)) <= 1e-3);
  }
}

BOOST_AUTO_TEST_CASE(the_conductivity_of_a_damped_line) {
  const double w0 = 0.3, F = 2, eta = 0.01;
  SpectrumSettings s = settings(0.6, 0.001);
  s.window = false;
  s.broadening = eta;
  const auto found = spectrum(response({{w0, F}}, Observable::current, 0.05, 60000), s);
  const std::complex<double> i_unit(0, 1);
  for (size_t i = 0; i < found.energy.size(); ++i) {
    const std::complex<double> z(found.energy[i], eta);
    BOOST_TEST(std::abs(found.response[i] - i_unit * z * F / (z * z - w0 * w0)) <= 1e-3);
  }
}

// A current that persists beside two lines: found, left out of everything but the f-sum, and with it removed the dielectric function is that
// of the lines, 1 + (4 pi/V) sum F/(w0^2 - (w + i eta)^2), down to w = 0.
BOOST_AUTO_TEST_CASE(a_persistent_current_is_told_from_the_lines) {
  const double eta = 0.01, volume = 300, c = -0.8;
  const std::vector<Line> lines{{0.15, 2}, {0.4, 3}};
  Response r = response(lines, Observable::current, 0.05, 20000);
  for (double& g : r.g) g += c;
  SpectrumSettings s = settings(0.6, 0.001);
  s.window = false;
  s.broadening = eta;
  for (const auto what : {PersistentCurrent::automatic, PersistentCurrent::keep, PersistentCurrent::remove}) {
    s.persistent = what;
    const auto found = spectrum(r, s);
    BOOST_TEST(within(found.persistent, c, 1e-4));
    BOOST_TEST(within(found.sum, 5 + c, 1e-3));
    BOOST_TEST(found.chi.empty() == (what != PersistentCurrent::remove));
    BOOST_TEST(std::isnan(dielectric(found, volume, 0).real()) == found.chi.empty());
    for (size_t i = 1; i < found.energy.size(); ++i) {
      const std::complex<double> z(found.energy[i], eta), i_unit(0, 1);
      std::complex<double> chi = 0;
      for (const auto& line : lines) chi += line.strength / (line.energy * line.energy - z * z);
      const std::complex<double> expected = 1.0 + 4 * std::numbers::pi / volume * chi;
      const std::complex<double> sigma = -i_unit * z * chi + i_unit * c / z;  // divided by w, not z, where it was kept
      const std::complex<double> kept = 1.0 + 4 * std::numbers::pi * i_unit * sigma / (volume * found.energy[i]);
      BOOST_TEST(std::abs(dielectric(found, volume, i) - (found.chi.empty() ? kept : expected)) <=
                 2e-3 * std::abs(expected) + 2e-3 / found.energy[i]);
    }
  }
}

// The transform of the window against quadrature, on both sides of where its evaluation changes (|w T| = 4).
BOOST_AUTO_TEST_CASE(the_transform_of_the_window) {
  const double T = 200;
  SpectrumSettings s;
  for (const double broadening : {0.0, 0.004}) {
    s.broadening = broadening;
    for (const double w : {0.0, 0.001, 0.0199, 0.0201, 0.1, 1.0}) {
      const int n = 200000;
      std::complex<double> sum = 0;
      for (int i = 0; i <= n; ++i) {
        const double x = static_cast<double>(i) / n, f = (1 - 3 * x * x + 2 * x * x * x) * std::exp(-broadening * x * T);
        sum += (i == 0 || i == n ? 0.5 : 1.0) * f * std::polar(1.0, w * x * T);
      }
      BOOST_TEST(std::abs(window_transform(w, T, s) - sum * T / static_cast<double>(n)) <= 1e-7 * T);
    }
  }
}

// 20 fs resolve 0.2 eV; the known shape gives the lines far better, also of neighbours at 1.3 widths.
BOOST_AUTO_TEST_CASE(lines_are_found_with_energy_and_strength) {
  const std::vector<Line> lines{{0.0767, 0.622}, {0.0867, 1.046}, {0.150, 0.1}, {0.300, 0.6}};
  for (const auto observable : {Observable::dipole, Observable::current}) {
    const auto found = spectrum(response(lines, observable, 0.1, 8270), settings(0.5, 0.0002));
    // Side maxima of the strong lines' shapes come after the true lines by strength.
    BOOST_REQUIRE(found.peaks.size() >= lines.size());
    for (const auto& line : lines) {
      const auto peak = std::min_element(found.peaks.begin(), found.peaks.end(), [&](const Peak& a, const Peak& b) {
        return std::abs(a.energy - line.energy) < std::abs(b.energy - line.energy);
      });
      BOOST_TEST(peak->fitted);
      BOOST_TEST(within(peak->energy, line.energy, 2e-5));
      BOOST_TEST(within(peak->strength, line.strength, 0.01 * line.strength));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_single_line_is_exact) {
  const auto found = spectrum(response({{0.2, 1.5}}, Observable::dipole, 0.05, 20000), settings(0.5, 0.0005));
  BOOST_REQUIRE(found.peaks.size() == 1);
  // what the trapezoidal rule leaves: (w dt)^2/12
  BOOST_TEST(within(found.peaks[0].energy, 0.2, 1e-6));
  BOOST_TEST(within(found.peaks[0].strength, 1.5, 1e-4));
}

// All strength of all lines, within and beyond the range of the spectrum, is in the first moments after the
// kick.
BOOST_AUTO_TEST_CASE(the_sum_of_all_strengths_is_the_number_of_electrons) {
  const std::vector<Line> lines{{0.1, 1.0}, {0.4, 2.0}, {3.0, 0.5}};
  const auto dipole = spectrum(response(lines, Observable::dipole, 0.05, 20000), settings(0.6, 0.001));
  BOOST_TEST(within(dipole.sum, 3.5, 1e-3));
  BOOST_TEST(within(dipole.sum_in_range, 3.0, 2e-2));
  const auto current = spectrum(response(lines, Observable::current, 0.05, 20000), settings(0.6, 0.001));
  BOOST_TEST(within(current.sum, 3.5, 1e-3));
}

BOOST_AUTO_TEST_CASE(silence_has_no_lines) {
  const auto found = spectrum(Response{Observable::dipole, 0.1, std::vector<double>(1000, 0.0)}, settings(0.5, 0.001));
  BOOST_TEST(found.peaks.empty());
  BOOST_TEST(found.sum == 0);
  for (double value : found.strength) BOOST_TEST(value == 0);
}

// A dipole a sin(n w t) under an envelope s(t) sends out 2/(3 c^3) (n w)^4 a^2/2 int f^2 s^2 dt, a current the same with (n w)^2. Lines of 50
// periods do not meet.
BOOST_AUTO_TEST_CASE(harmonics_have_the_energy_of_larmor) {
  const double w = 0.1, c = 137.035999, dt = 0.2, amplitude[] = {0, 2, 0, 0.5, 0.01};
  const auto steps = static_cast<size_t>(std::lround(50 * 2 * std::numbers::pi / w / dt));
  for (const Observable observable : {Observable::dipole, Observable::current}) {
    std::array<Response, 3> motion;
    for (size_t d = 0; d < 3; ++d) motion[d] = {observable, dt, std::vector<double>(steps + 1, 0.0)};
    double square = 0;
    for (size_t n = 0; n <= steps; ++n) {
      const double x = static_cast<double>(n) / static_cast<double>(steps), t = static_cast<double>(n) * dt;
      const double envelope = std::pow(std::sin(std::numbers::pi * x), 2);
      square += std::pow((1 - 3 * x * x + 2 * x * x * x) * envelope, 2) * dt;
      for (int order = 1; order <= 4; ++order) motion[1].g[n] += envelope * amplitude[order] * std::sin(order * w * t);
      motion[2].g[n] = 2 * motion[1].g[n];
    }
    const Emission found = emission(motion, w, settings(0.47, 1e-4));
    BOOST_REQUIRE(found.harmonics.size() == 4);  // the energies end before half of the fifth photon
    for (const auto& h : found.harmonics) {
      const double frequency = h.order * w, power = observable == Observable::dipole ? 4 : 2;
      const double expected = (1 + 4) / (3 * c * c * c) * std::pow(frequency, power) * std::pow(amplitude[h.order], 2) * square;
      BOOST_TEST(within(h.energy, frequency, 1e-12));
      BOOST_TEST(within(h.intensity, expected, 3e-3 * expected + 1e-8 * found.harmonics.front().intensity),
                 h.order << " " << h.intensity << " " << expected);
    }
    for (const Vec3& s : found.intensity) {
      BOOST_TEST(s[0] == 0);
      BOOST_TEST(within(s[2], 4 * s[1], 1e-12 * s[2]));
    }
  }
}
