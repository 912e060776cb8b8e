// SPDX-License-Identifier: BSD-3-Clause
#include "ions.hpp"

#include <cmath>
#include <numbers>
#include <random>

#include <fmt/core.h>

#include "pseudopotential.hpp"

namespace suite::tddft {
namespace {

constexpr double atomic_mass = 1822.888486;         // electron masses
constexpr double kelvin_Ha = 3.1668115634556e-6;    // Boltzmann's constant

// Two independent numbers of the normal distribution (Box and Muller), the same on every machine.
std::array<double, 2> normal(std::mt19937_64& random) {
  const auto uniform = [&] { return (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53; };
  const double radius = std::sqrt(-2 * std::log(uniform())), angle = 2 * std::numbers::pi * uniform();
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

double degrees_of_freedom(size_t atoms) { return atoms > 1 ? 3.0 * static_cast<double>(atoms) - 3 : 3; }

// Maxwell's distribution without motion of the centre of mass, scaled to have exactly this temperature.
std::vector<Vec3> thermal_velocities(const Settings& s, const std::vector<double>& masses) {
  std::mt19937_64 random(s.ions.seed);
  IonState state;
  Vec3 momentum{};
  double mass = 0;
  for (const double own : masses) {
    const auto xy = normal(random), z = normal(random);
    const double width = 1 / std::sqrt(own);
    const Vec3 v{xy[0] * width, xy[1] * width, z[0] * width};
    state.velocities.push_back(v);
    for (size_t d = 0; d < 3; ++d) momentum[d] += own * v[d];
    mass += own;
  }
  if (masses.size() > 1)
    for (Vec3& v : state.velocities)
      for (size_t d = 0; d < 3; ++d) v[d] -= momentum[d] / mass;
  const double wanted = 0.5 * degrees_of_freedom(masses.size()) * kelvin_Ha * s.ions.temperature;
  const double factor = std::sqrt(wanted / kinetic_energy(state, masses));
  for (Vec3& v : state.velocities)
    for (double& x : v) x *= factor;
  return state.velocities;
}

}  // namespace

std::vector<double> ion_masses(const Settings& s) {
  std::vector<double> masses;
  for (size_t i = 0; i < s.system.atoms.size(); ++i)
    masses.push_back(atomic_mass * (s.ions.masses.empty() ? standard_mass(s.system.atoms[i].element) : s.ions.masses[i]));
  return masses;
}

IonState ions_at_start(const Settings& s) {
  IonState ions;
  for (const Atom& atom : s.system.atoms) ions.positions.push_back(atom.position);
  ions.velocities = s.ions.velocities;
  if (ions.velocities.empty()) ions.velocities.assign(ions.positions.size(), Vec3{});
  if (s.ions.temperature > 0) ions.velocities = thermal_velocities(s, ion_masses(s));
  return ions;
}

double kinetic_energy(const IonState& ions, const std::vector<double>& masses) {
  double sum = 0;
  for (size_t i = 0; i < masses.size(); ++i)
    for (const double v : ions.velocities[i]) sum += 0.5 * masses[i] * v * v;
  return sum;
}

double temperature(const Settings& s, double kinetic) { return 2 * kinetic / (degrees_of_freedom(s.system.atoms.size()) * kelvin_Ha); }

System moved(const System& system, const Positions& positions) {
  System other = system;
  for (size_t i = 0; i < positions.size(); ++i) other.atoms[i].position = positions[i];
  return other;
}

void VelocityVerlet::kick(IonState& ions, const Vec3& field) const {
  for (size_t i = 0; i < masses_.size(); ++i)
    for (size_t d = 0; d < 3; ++d)
      ions.velocities[i][d] += settings_.ions.dt / (2 * masses_[i]) *
                               (ions.forces[i][d] + pseudopotential(settings_.system, settings_.system.atoms[i]).charge * field[d]);
}

void VelocityVerlet::check_inside(const IonState& ions, const Positions& end) const {
  if (settings_.system.boundary != Boundary::isolated) return;
  for (size_t i = 0; i < end.size(); ++i)
    for (int d = 0; d < 3; ++d)
      if (!(std::abs(end[i][static_cast<size_t>(d)]) <= settings_.system.grid.length(d) / 2))
        throw Failure(SUITE_INVALID_ARGUMENT,
                      fmt::format("atom {} ({}) leaves the cell along {} after {:.2f} fs; a larger cell holds it longer", i + 1,
                                  settings_.system.atoms[i].element, "xyz"[d],
                                  static_cast<double>(ions.step + 1) * settings_.ions.dt * atomic_time_fs));
}

void VelocityVerlet::step(IonState& ions, Driver& driver) const {
  const Vec3 field = driver.field(ions);
  kick(ions, field);
  Positions middle = ions.positions, end = ions.positions;
  for (size_t i = 0; i < end.size(); ++i)
    for (size_t d = 0; d < 3; ++d) {
      const double whole = settings_.ions.dt * ions.velocities[i][d];
      middle[i][d] += whole / 2;
      end[i][d] += whole;
      ions.work += pseudopotential(settings_.system, settings_.system.atoms[i]).charge * field[d] * whole;
    }
  check_inside(ions, end);
  driver.advance(ions, middle, end);
  kick(ions, field);
  ++ions.step;
}

}  // namespace suite::tddft
