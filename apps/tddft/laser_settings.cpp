// SPDX-License-Identifier: BSD-3-Clause
// The pulses of a laser in the section excitation of an input.
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "settings.hpp"

namespace suite::tddft {
namespace {

constexpr const char* keys_of_pulse[] = {"intensity", "amplitude", "photon_energy", "pulse", "phase", "ellipticity", "minor_direction"};

const std::string first = "excitation.", second = "excitation.second.";

double amplitude_of(const app::Input& input, const std::string& section) {
  const std::string intensity = section + "intensity", amplitude = section + "amplitude";
  if (input.has(intensity) && input.has(amplitude)) {
    input.fail(intensity, "'intensity' and 'amplitude' exclude each other; give one of them");
    return 0;
  }
  if (input.has(intensity)) return std::sqrt(input.quantity(intensity, "W/cm^2") / atomic_intensity_W_cm2);
  if (input.has(amplitude)) return input.quantity(amplitude, "Ha/bohr");
  input.fail_missing(intensity, "the peak intensity of the pulse (or give 'amplitude', its peak field)");
  return 0;
}

// The other axis of the ellipse.
std::optional<Vec3> minor_axis(const app::Input& input, const Settings& s, const std::string& section, const Vec3& direction,
                               const std::optional<Vec3>& otherwise) {
  const std::string key = section + "minor_direction";
  if (!input.has(key) && !otherwise) {
    input.fail_missing(key, "the other axis of the elliptical polarisation");
    return std::nullopt;
  }
  const auto minor = input.has(key) ? direction_under(input, key, s.system.grid) : otherwise;
  if (!minor) return std::nullopt;
  double cosine = 0;
  for (size_t d = 0; d < 3; ++d) cosine += (*minor)[d] * direction[d];
  if (!(std::abs(cosine) <= 1e-6)) {
    input.fail(input.has(key) ? key : section + "direction",
               fmt::format("'minor_direction' is at {:.4g} degrees to 'direction'; the axes of an ellipse are perpendicular",
                           std::acos(std::min(1.0, std::abs(cosine))) * 180 / std::numbers::pi));
    return std::nullopt;
  }
  return minor;
}

// Appends the one or two linear pulses of a section. minor: the axis of the pulse before, if it has one; replaced by that of this pulse.
void read_pulse(const app::Input& input, Settings& s, const std::string& section, const Vec3& direction, std::optional<Vec3>& minor) {
  Laser laser;
  laser.direction = direction;
  laser.amplitude = amplitude_of(input, section);
  if (!input.has(section + "photon_energy")) input.fail_missing(section + "photon_energy", "the photon energy of the pulse");
  else laser.photon_energy = input.energy_eV(section + "photon_energy") / hartree_eV;
  if (!input.has(section + "pulse")) input.fail_missing(section + "pulse", "the length of the pulse");
  else laser.duration = input.time_fs(section + "pulse") / atomic_time_fs;
  laser.phase = input.quantity(section + "phase", "deg") * std::numbers::pi / 180;
  laser.maximum = laser.duration / 2;
  const double ellipticity = input.real(section + "ellipticity");
  if (ellipticity == 0) {
    if (input.has(section + "minor_direction"))
      input.fail(section + "minor_direction", "'minor_direction' is an axis of an elliptical polarisation, and 'ellipticity' is 0");
    return s.pulses.push_back(laser);
  }
  minor = minor_axis(input, s, section, direction, minor);
  if (!minor) return;
  // The intensity is that of both axes together.
  laser.amplitude /= std::hypot(1, ellipticity);
  s.pulses.push_back(laser);
  laser.amplitude *= ellipticity;
  laser.phase -= std::numbers::pi / 2;
  laser.direction = *minor;
  s.pulses.push_back(laser);
}

bool has_second(const app::Input& input) {
  for (const char* key : keys_of_pulse)
    if (input.has(second + key)) return true;
  return input.has(second + "direction") || input.has(second + "delay");
}

}  // namespace

void read_pulses(const app::Input& input, Settings& s) {
  std::optional<Vec3> minor;
  read_pulse(input, s, first, s.direction, minor);
  if (!has_second(input)) return;
  const size_t own = s.pulses.size();
  const std::string key = second + "direction";
  const auto direction = input.has(key) ? direction_under(input, key, s.system.grid) : s.direction;
  if (!direction) return;
  read_pulse(input, s, second, *direction, minor);
  const double delay = input.time_fs(second + "delay") / atomic_time_fs;
  if (own == 0 || s.pulses.size() == own) return;
  const double maximum = s.pulses.front().maximum + delay, begin = maximum - s.pulses.back().duration / 2;
  if (begin < -1e-9)
    return input.fail(
        second + "delay",
        fmt::format("the second pulse would begin {:.4g} fs before t = 0, where the run does; its 'delay' can be {:.4g} fs or "
                    "more",
                    -begin * atomic_time_fs, (delay - begin) * atomic_time_fs));
  for (size_t i = own; i < s.pulses.size(); ++i) s.pulses[i].maximum = maximum;
}

void refuse_pulses(const app::Input& input) {
  const std::string why = "this applies to 'type: laser'; this input has 'type: " + input.text("excitation.type") + "'";
  for (const char* key : keys_of_pulse) input.refuse({(first + key).c_str()}, why);
  input.refuse_section("excitation.second", why);
}

}  // namespace suite::tddft
