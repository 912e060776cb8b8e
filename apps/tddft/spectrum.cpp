// SPDX-License-Identifier: BSD-3-Clause
#include "spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lines.hpp"

namespace suite::tddft {
namespace {

using std::numbers::pi;

constexpr double light_speed = 137.035999;  // atomic units

double window_at(double t, double duration, const SpectrumSettings& s) {
  const double x = t / duration;
  return (s.window ? 1 - 3 * x * x + 2 * x * x * x : 1) * std::exp(-s.broadening * t);
}

// int_0^1 (1 - 3x^2 + 2x^3) e^{zx} dx, or of e^{zx} alone. The recursion of the powers loses digits as 1/z^4; the series converges rapidly
// where that matters.
std::complex<double> unit_transform(std::complex<double> z, bool window) {
  if (std::abs(z) < 4) {
    std::complex<double> sum = 0, power = 1;
    for (int k = 0; k < 48; ++k) {
      const double moment = window ? 1.0 / (k + 1) - 3.0 / (k + 3) + 2.0 / (k + 4) : 1.0 / (k + 1);
      sum += power * moment;
      power *= z / static_cast<double>(k + 1);
    }
    return sum;
  }
  const std::complex<double> e = std::exp(z), i0 = (e - 1.0) / z;
  if (!window) return i0;
  const auto i1 = (e - i0) / z, i2 = (e - 2.0 * i1) / z, i3 = (e - 3.0 * i2) / z;
  return i0 - 3.0 * i2 + 2.0 * i3;
}

// dt sum' g f e^{iwt} by the trapezoidal rule.
std::complex<double> transform(const Response& r, const std::vector<double>& weighted, double w) {
  // The phase advances by multiplication and is reset often enough that rounding does not accumulate.
  constexpr size_t block = 256;
  const std::complex<double> advance = std::polar(1.0, w * r.dt);
  std::complex<double> sum = 0;
  for (size_t begin = 0; begin < weighted.size(); begin += block) {
    std::complex<double> phase = std::polar(1.0, w * r.dt * static_cast<double>(begin));
    for (size_t n = begin; n < std::min(weighted.size(), begin + block); ++n) {
      sum += weighted[n] * phase;
      phase *= advance;
    }
  }
  return sum * r.dt;
}

std::vector<double> windowed(const Response& response, const SpectrumSettings& settings) {
  std::vector<double> weighted(response.g.size());
  for (size_t n = 0; n < weighted.size(); ++n)
    weighted[n] = response.g[n] * window_at(static_cast<double>(n) * response.dt, response.duration(), settings);
  return weighted;
}

// The mean of g, with a weight that oscillations hardly reach.
double persistent_part(const Response& r) {
  double sum = 0, weights = 0;
  for (size_t n = 0; n < r.g.size(); ++n) {
    const double x = static_cast<double>(n) * r.dt / r.duration(), weight = x * x * (1 - x) * (1 - x);
    sum += weight * r.g[n];
    weights += weight;
  }
  return sum / weights;
}

// int_0^t g dt' by cubic interpolation, O(dt^4); at the ends by a parabola.
std::vector<double> integral(const Response& r) {
  const auto& g = r.g;
  const size_t last = g.size() - 1;
  std::vector<double> out(g.size());
  for (size_t n = 0; n < last; ++n) {
    const double mean = n == 0          ? (5 * g[0] + 8 * g[1] - g[2]) / 12
                        : n + 1 == last ? (5 * g[last] + 8 * g[last - 1] - g[last - 2]) / 12
                                        : (13 * (g[n] + g[n + 1]) - g[n - 1] - g[n + 2]) / 24;
    out[n + 1] = out[n] + mean * r.dt;
  }
  return out;
}

// Weighted with the window and, at both ends, by the trapezoidal rule.
std::vector<double> weighted_for_transform(const Response& response, const SpectrumSettings& settings) {
  std::vector<double> weighted = windowed(response, settings);
  weighted.front() /= 2;
  weighted.back() /= 2;
  return weighted;
}

std::vector<double> energies_of(const SpectrumSettings& settings) {
  const auto count = static_cast<int64_t>(std::floor(settings.max_energy / settings.step + 1e-9));
  std::vector<double> energies;
  for (int64_t i = 0; i <= count; ++i) energies.push_back(static_cast<double>(i) * settings.step);
  return energies;
}

// int_0^oo S dw. Dipole: the slope of g at t = 0, treating the samples as those of an odd function, sum 2 (-1)^(n+1) g_n f_n/(n dt).
// Current: g(0) of an even function from the three values after the kick.
double total_strength(const Response& r, const std::vector<double>& weighted) {
  const auto& g = r.g;
  if (r.observable == Observable::current) return g.size() > 3 ? (15 * g[1] - 6 * g[2] + g[3]) / 10 : g[0];
  double sum = 0;
  for (size_t n = 1; n < g.size(); ++n) sum += (n % 2 ? 2 : -2) * weighted[n] / (static_cast<double>(n) * r.dt);
  return sum;
}

}  // namespace

std::complex<double> window_transform(double w, double duration, const SpectrumSettings& s) {
  return duration * unit_transform(std::complex<double>(-s.broadening, w) * duration, s.window);
}

double line_shape(double w, double energy, Observable observable, double duration, const SpectrumSettings& s) {
  const double below = window_transform(w - energy, duration, s).real();
  const double above = window_transform(w + energy, duration, s).real();
  return observable == Observable::dipole ? w / (pi * energy) * (below - above) : (below + above) / pi;
}

Spectrum spectrum(const Response& measured, const SpectrumSettings& settings) {
  Spectrum out;
  Response response = measured;
  const double T = response.duration();
  out.sum = total_strength(response, windowed(response, settings));
  if (response.observable == Observable::current) out.persistent = persistent_part(response);
  const bool removed = response.observable == Observable::current && settings.persistent == PersistentCurrent::remove;
  std::vector<double> polarisation;
  if (removed) {
    for (double& g : response.g) g -= out.persistent;
    polarisation = weighted_for_transform({response.observable, response.dt, integral(response)}, settings);
    out.chi.resize(energies_of(settings).size());
  }
  const std::vector<double> weighted = weighted_for_transform(response, settings);
  out.energy = energies_of(settings);
  const size_t points = out.energy.size();
  out.response.resize(points);
  out.strength.resize(points);
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < points; ++i) {
    const double w = out.energy[i];
    out.response[i] = transform(response, weighted, w);
    if (removed) out.chi[i] = transform(response, polarisation, w);
    out.strength[i] = 2 / pi * (response.observable == Observable::dipole ? w * out.response[i].imag() : out.response[i].real());
  }
  for (size_t i = 0; i + 1 < points; ++i) out.sum_in_range += (out.strength[i] + out.strength[i + 1]) / 2 * settings.step;
  // Full width of a line at half maximum: 6.24/T with the window, 3.79/T without.
  out.resolution = (settings.window ? 6.24 : 3.79) / T + 2 * settings.broadening;
  out.peaks = find_lines(out, response.observable, T, settings);
  return out;
}

std::complex<double> dielectric(const Spectrum& spectrum, double volume, size_t i) {
  if (!spectrum.chi.empty()) return 1.0 + 4 * pi / volume * spectrum.chi[i];
  if (spectrum.energy[i] == 0) return {NAN, NAN};
  return 1.0 + std::complex<double>(0, 4 * pi) * spectrum.response[i] / (volume * spectrum.energy[i]);
}

Emission emission(const std::array<Response, 3>& motion, double photon_energy, const SpectrumSettings& settings) {
  Emission out{energies_of(settings), {}, {}};
  const size_t points = out.energy.size();
  out.intensity.resize(points);
  for (size_t d = 0; d < 3; ++d) {
    const std::vector<double> weighted = weighted_for_transform(motion[d], settings);
    const int power = motion[d].observable == Observable::dipole ? 4 : 2;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < points; ++i)
      out.intensity[i][d] = 2 / (3 * pi * std::pow(light_speed, 3)) * std::pow(out.energy[i], power) *
                            std::norm(transform(motion[d], weighted, out.energy[i]));
  }
  for (size_t i = 0; i < points; ++i) {
    const auto order = static_cast<int>(std::lround(out.energy[i] / photon_energy));
    if (order == 0) continue;
    if (out.harmonics.empty() || out.harmonics.back().order != order) out.harmonics.push_back({order, order * photon_energy, 0});
    out.harmonics.back().intensity += (out.intensity[i][0] + out.intensity[i][1] + out.intensity[i][2]) * settings.step;
  }
  // One that the energies hold in part is none.
  if (!out.harmonics.empty() && out.energy.back() < (out.harmonics.back().order + 0.5) * photon_energy) out.harmonics.pop_back();
  return out;
}

}  // namespace suite::tddft
