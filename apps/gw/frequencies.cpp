// SPDX-License-Identifier: BSD-3-Clause
#include "frequencies.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "contour_rule.hpp"
#include "full_frequency.hpp"
#include "multipole_fit.hpp"

namespace suite::gw {

namespace {

[[noreturn]] void refuse_frequencies(const std::string& sentence) { throw Failure(SUITE_INVALID_ARGUMENT, sentence); }

// The largest |E - E_n'| of a residue, at any k; E of `outer`. Corrections may have changed the order of bands.
double residue_reach_eV(const Settings& s, const Wavefunctions& outer, const Wavefunctions& w) {
  const std::vector<double> shifts = energy_shifts_of(s);
  const auto [low, high] = std::minmax_element(shifts.begin(), shifts.end());
  double reach = 0;
  for (int spin = 0; spin < w.spins(); ++spin) {
    double top = -1e300, bottom = 1e300, lowest = 1e300, highest = -1e300;
    for (int k = 0; k < static_cast<int>(w.kpoints().size()); ++k)
      for (int band = 0; band < s.nbands; ++band) {
        const double f = w.levels().occupation(k, band, spin);
        if (f > 0) top = std::max(top, w.energy(k, band, spin));
        if (f < 1) bottom = std::min(bottom, w.energy(k, band, spin));
      }
    for (const int k : chosen_kpoints(s, outer))
      for (int band = s.band_min - 1; band < s.band_max; ++band) {
        lowest = std::min(lowest, outer.energy(k, band, spin));
        highest = std::max(highest, outer.energy(k, band, spin));
      }
    reach = std::max({reach, (top - lowest) * rydberg_eV - *low, (highest - bottom) * rydberg_eV + *high});
  }
  return reach;
}

// A little beyond the plasma frequency of the valence electrons: poles that lie higher up are found from below.
double usual_range_eV(const Wavefunctions& w) {
  return 1.25 * std::sqrt(16 * std::numbers::pi * w.electrons() / w.crystal().volume) * rydberg_eV;
}

}  // namespace

void complete_frequencies(Settings& s) {
  EpsilonSettings& e = s.epsilon;
  if (!s.full_frequency() || !s.makes_epsilon()) return;
  if (!s.contour()) {
    const auto z =
        sampling_frequencies(s.poles, e.sampling_range_eV > 0 ? e.sampling_range_eV : usual_range_eV(Wavefunctions(s.wavefunctions)));
    e.imaginary_frequencies_eV = {z[0].imag()};
    e.complex_frequencies_eV.assign(z.begin() + 1, z.end());
    return;
  }
  if (e.imaginary_frequencies_eV.empty())
    for (int i = 1; i < e.imaginary_points; ++i)
      e.imaginary_frequencies_eV.push_back(e.imaginary_frequency_Ry * rydberg_eV * i / (e.imaginary_points - i));
  if (!e.real_frequencies_eV.empty()) {
    if (e.real_frequencies_eV[0] > 0) e.real_frequencies_eV.insert(e.real_frequencies_eV.begin(), 0.0);
    return;
  }
  const Wavefunctions w(s.wavefunctions, KGrid::grid, s.levels, s.nbands);
  if (s.nbands == 0) s.nbands = w.nbands();
  const auto outer = open_outer(s);
  require_bands(s, outer ? *outer : w);
  const int steps = static_cast<int>(std::ceil(residue_reach_eV(s, outer ? *outer : w, w) / e.real_step_eV + 1e-6));
  constexpr int most = 100000;
  if (steps > most)
    refuse_frequencies(fmt::format("real_step: {} steps of {:g} eV would be needed, more than {}", steps, e.real_step_eV, most));
  for (int i = 0; i <= steps; ++i) e.real_frequencies_eV.push_back(i * e.real_step_eV);
}

void require_frequencies(const Plan& plan) {
  const auto& z = plan.eps.frequencies();
  const size_t imaginary = plan.eps.on_imaginary_axis();
  const std::string where = plan.settings.eps0_name();
  if (!plan.settings.contour()) {
    if (z.size() != 2 * static_cast<size_t>(plan.settings.poles))
      refuse_frequencies(
          fmt::format("{} poles need eps^-1 at {} frequencies; {} has {}", plan.settings.poles, 2 * plan.settings.poles, where, z.size()));
    return;
  }
  if (imaginary < 2 || imaginary == z.size())
    refuse_frequencies(fmt::format("contour deformation needs eps^-1 at zero, imaginary and real frequencies; {} has {} beside zero", where,
                                   z.size() == 1   ? "none"
                                   : imaginary < 2 ? "real ones alone"
                                                   : "imaginary ones alone"));
  for (size_t i = 1; i < z.size(); ++i)
    if (i < imaginary ? !(z[i].imag() > z[i - 1].imag() && z[i].real() == 0) : i > imaginary && !(z[i].real() > z[i - 1].real()))
      refuse_frequencies(fmt::format("contour deformation needs frequencies that increase; {} has {:g}{:+g}i eV after {:g}{:+g}i eV", where,
                                     z[i].real(), z[i].imag(), z[i - 1].real(), z[i - 1].imag()));
  if (!(std::abs(z[imaginary].real()) <= 1e-6))
    refuse_frequencies(
        fmt::format("contour deformation needs real frequencies from 0 on; those of {} begin at {:g} eV", where, z[imaginary].real()));
  double reach = 0;
  for (const Plan::Item& item : plan.items) {
    const auto& external = plan.externals[static_cast<size_t>(item.external)];
    for (int n1 = 0; n1 < plan.settings.nbands; ++n1)
      for (int n = external.first; n < external.end; ++n)
        for (const double shift : plan.energy_shifts) {
          const double x = beside_level(plan.external_eV(external, n) + shift - plan.internal_eV(item, n1));
          if (residue_share(x, plan.occupation_of(item, n1), plan.settings.contour_rule) != 0) reach = std::max(reach, std::abs(x));
        }
  }
  if (!(reach <= z.back().real() + 1e-6))
    refuse_frequencies(fmt::format("contour deformation needs real frequencies up to {:.3f} eV for these bands; those of {} end at {:g} eV",
                                   reach, where, z.back().real()));
}

}  // namespace suite::gw
