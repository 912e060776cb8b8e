// SPDX-License-Identifier: BSD-3-Clause
// What was recorded of ions that move.
#pragma once

#include <string>
#include <vector>

#include "hdf5/hdf5.hpp"
#include "ions.hpp"

namespace suite::tddft {

// The ions now, and at every sample from t = 0 on.
struct Trajectory {
  IonState now;
  std::vector<IonState> samples;
  bool empty() const { return samples.empty(); }
};

// Energies of a trajectory as a function of time, Ha: conserved is that of electrons and ions together without the work of a laser.
struct IonEnergies {
  std::vector<double> time_fs, potential, kinetic, conserved;
};
IonEnergies energies_of(const Settings& settings, const Trajectory& trajectory, const std::vector<double>& work_on_electrons);

// Extended XYZ: positions in angstrom, velocities in angstrom/fs, forces in eV/angstrom, energies in eV.
std::string trajectory_file(const Settings& settings, const Trajectory& trajectory);
std::string ions_file(const Settings& settings, const Trajectory& trajectory, const IonEnergies& energies);

void write_trajectory(hdf5::Writer& file, const std::string& group, const Trajectory& trajectory);
// Throws Failure if the arrays do not fit to this number of atoms.
Trajectory read_trajectory(const hdf5::File& file, const std::string& group, size_t atoms);

}  // namespace suite::tddft
