// SPDX-License-Identifier: BSD-3-Clause
// Classical ions: their state, where it begins, and velocity Verlet (Phys. Rev. 159, 98 (1967)). What exerts the forces is a Driver.
#pragma once

#include <cstdint>
#include <vector>

#include "settings.hpp"

namespace suite::tddft {

using Positions = std::vector<Vec3>;

// One moment of the ions, in Hartree atomic units; vectors of every atom.
struct IonState {
  int64_t step = 0;  // of the ions
  Positions positions;
  std::vector<Vec3> velocities, forces;
  double energy = 0;  // of the electrons and of the ions among themselves
  double work = 0;    // done by an external field on the ions
};

// What has the ions in its hands: electrons in their ground state (born_oppenheimer.hpp), electrons that follow their own equation
// (ehrenfest.hpp). One that hops between surfaces has the same place: it may change the velocities too.
class Driver {
public:
  virtual ~Driver() = default;
  // Moves the electrons and the ions from ions.positions over `middle`, where the ions are after half the step, to `end`, and sets the
  // positions, forces and energy of the ions there. The velocities are those of the middle.
  virtual void advance(IonState& ions, const Positions& middle, const Positions& end) = 0;
  // Mean of the external electric field over the coming step. It is not part of the forces.
  virtual Vec3 field(const IonState&) const { return {}; }
};

// In electron masses: ions.masses, or the atomic weights.
std::vector<double> ion_masses(const Settings& settings);

// Positions of the input, velocities given or of a temperature; without forces and energy.
IonState ions_at_start(const Settings& settings);

double kinetic_energy(const IonState& ions, const std::vector<double>& masses);
// Of the kinetic energy, whose centre of mass is at rest with more than one atom; K.
double temperature(const Settings& settings, double kinetic_energy);

// The system with its ions at these positions.
System moved(const System& system, const Positions& positions);

class VelocityVerlet {
public:
  explicit VelocityVerlet(const Settings& settings) : settings_(settings), masses_(ion_masses(settings)) {}
  // Throws Failure if an ion leaves an isolated cell.
  void step(IonState& ions, Driver& driver) const;

private:
  void kick(IonState& ions, const Vec3& field) const;
  void check_inside(const IonState& ions, const Positions& end) const;

  const Settings& settings_;
  std::vector<double> masses_;
};

}  // namespace suite::tddft
