// SPDX-License-Identifier: BSD-3-Clause
// Time series recorded during a propagation.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "system.hpp"

namespace suite::tddft {

// Energies between two calls of lfd.propagate.
struct EnergySample {
  int64_t step = 0;
  std::array<double, 5> parts{};  // kinetic, local, nonlocal, Hartree, exchange-correlation; Ha
  double work = 0;                // done by the field on the electrons since t = 0, Ha
  // Of the ions: their energy among themselves, their kinetic energy and the work done on them.
  double ions = 0, ion_kinetic = 0, ion_work = 0;
  double total() const { return electrons() + ions + ion_kinetic; }
  double total_work() const { return work + ion_work; }
  double electrons() const { return parts[0] + parts[1] + parts[2] + parts[3] + parts[4]; }  // energy, Ha
};

// Series of one run. Index n is t = n dt, from 0.
struct TimeSeries {
  std::vector<Vec3> dipole;       // int r rho, bohr
  std::vector<Vec3> spin_dipole;  // of the density of spin up minus that of spin down; empty without spins
  std::vector<double> electrons;  // int rho
  std::vector<Vec3> absorbed;     // int r rho of what an absorber has taken away, where it did, bohr; empty without one
  std::vector<Vec3> current;      // d/dt int r rho; bohr Ha/hbar
  std::vector<EnergySample> energies;
  int64_t steps() const { return static_cast<int64_t>(dipole.size()) - 1; }
  // Whose change is the motion of electrons alone.
  double dipole_with_absorbed(size_t n, size_t d) const { return dipole[n][d] + (absorbed.empty() ? 0 : absorbed[n][d]); }
};

}  // namespace suite::tddft
