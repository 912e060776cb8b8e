// SPDX-License-Identifier: BSD-3-Clause
#include "ehrenfest.hpp"

#include "pseudopotential.hpp"
#include "pulse.hpp"

namespace suite::tddft {

void Ehrenfest::set_forces(IonState& ions) { ions.forces = propagation_.forces(moved(settings_.system, ions.positions), series_.steps()); }

void Ehrenfest::start(IonState& ions) {
  if (settings_.excitation == Excitation::kick) {
    const std::vector<double> masses = ion_masses(settings_);
    for (size_t i = 0; i < masses.size(); ++i)
      for (size_t d = 0; d < 3; ++d)
        ions.velocities[i][d] +=
            pseudopotential(settings_.system, settings_.system.atoms[i]).charge * settings_.kick * settings_.direction_of(0)[d] / masses[i];
  }
  set_forces(ions);
}

void Ehrenfest::advance(IonState& ions, const Positions& middle, const Positions& end) {
  propagation_.place(moved(settings_.system, middle));
  propagation_.advance(series_, settings_.ions.electron_steps);
  ions.positions = end;
  propagation_.place(moved(settings_.system, end));
  set_forces(ions);
}

Vec3 Ehrenfest::field(const IonState&) const {
  Vec3 mean{};
  const int64_t n = settings_.ions.electron_steps;
  for (int64_t step = series_.steps(); step < series_.steps() + n; ++step) {
    const Vec3 E = mean_field(settings_, 0, static_cast<double>(step) * settings_.propagation.dt);
    for (size_t d = 0; d < 3; ++d) mean[d] += E[d] / static_cast<double>(n);
  }
  return mean;
}

}  // namespace suite::tddft
