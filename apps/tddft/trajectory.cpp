// SPDX-License-Identifier: BSD-3-Clause
#include "trajectory.hpp"

#include <fmt/core.h>

#include "base/checkpoint/checkpoint.hpp"
#include "forces.hpp"

namespace suite::tddft {
namespace {

constexpr int64_t numbers_of_sample = 3;  // step, energy, work

double time_of(const Settings& s, const IonState& ions) { return static_cast<double>(ions.step) * s.ions.dt * atomic_time_fs; }

}  // namespace

IonEnergies energies_of(const Settings& s, const Trajectory& trajectory, const std::vector<double>& work_on_electrons) {
  IonEnergies out;
  const std::vector<double> masses = ion_masses(s);
  for (size_t n = 0; n < trajectory.samples.size(); ++n) {
    const IonState& ions = trajectory.samples[n];
    const double kinetic = kinetic_energy(ions, masses);
    out.time_fs.push_back(time_of(s, ions));
    out.potential.push_back(ions.energy);
    out.kinetic.push_back(kinetic);
    out.conserved.push_back(ions.energy + kinetic - ions.work - (work_on_electrons.empty() ? 0 : work_on_electrons[n]));
  }
  return out;
}

std::string trajectory_file(const Settings& s, const Trajectory& trajectory) {
  const Grid& grid = s.system.grid;
  const bool periodic = s.system.boundary == Boundary::periodic;
  const double velocity = bohr_angstrom / atomic_time_fs, force = hartree_eV / bohr_angstrom;
  std::string text;
  for (const IonState& ions : trajectory.samples) {
    text += fmt::format("{}\n", ions.positions.size());
    if (periodic)
      text += fmt::format("Lattice=\"{:.10f} 0 0 0 {:.10f} 0 0 0 {:.10f}\" pbc=\"T T T\" ", grid.length(0) * bohr_angstrom,
                          grid.length(1) * bohr_angstrom, grid.length(2) * bohr_angstrom);
    else text += "pbc=\"F F F\" ";
    text += fmt::format("Properties=species:S:1:pos:R:3:velo:R:3:forces:R:3 time_fs={:.6f} energy={:.10f}\n", time_of(s, ions),
                        ions.energy * hartree_eV);
    for (size_t i = 0; i < ions.positions.size(); ++i) {
      text += s.system.atoms[i].element;
      for (const double x : ions.positions[i]) text += fmt::format(" {:.10f}", x * bohr_angstrom);
      for (const double v : ions.velocities[i]) text += fmt::format(" {:.8e}", v * velocity);
      for (const double f : ions.forces[i]) text += fmt::format(" {:.8e}", f * force);
      text += '\n';
    }
  }
  return text;
}

std::string ions_file(const Settings& s, const Trajectory& trajectory, const IonEnergies& energies) {
  std::string text =
      "# potential: of the electrons and of the ions among themselves; conserved: with the kinetic energy of the ions, without the work of "
      "a "
      "laser\n# t (fs)  potential  kinetic  conserved (Ha)  temperature (K)  sum of forces x y z (Ha/bohr)\n";
  for (size_t n = 0; n < trajectory.samples.size(); ++n) {
    const Vec3 total = total_force(trajectory.samples[n].forces);
    text += fmt::format("{:.6f} {:.12f} {:.12f} {:.12f} {:.3f} {:.3e} {:.3e} {:.3e}\n", energies.time_fs[n], energies.potential[n],
                        energies.kinetic[n], energies.conserved[n], temperature(s, energies.kinetic[n]), total[0], total[1], total[2]);
  }
  return text;
}

void write_trajectory(hdf5::Writer& file, const std::string& group, const Trajectory& trajectory) {
  std::vector<IonState> all = trajectory.samples;
  all.push_back(trajectory.now);
  std::vector<Vec3> positions, velocities, forces;
  std::vector<double> numbers;
  for (const IonState& ions : all) {
    positions.insert(positions.end(), ions.positions.begin(), ions.positions.end());
    velocities.insert(velocities.end(), ions.velocities.begin(), ions.velocities.end());
    forces.insert(forces.end(), ions.forces.begin(), ions.forces.end());
    numbers.insert(numbers.end(), {static_cast<double>(ions.step), ions.energy, ions.work});
  }
  app::write_rows(file, group + "/positions", positions);
  app::write_rows(file, group + "/velocities", velocities);
  app::write_rows(file, group + "/forces", forces);
  file.write(group + "/samples", numbers.data(), {static_cast<int64_t>(all.size()), numbers_of_sample});
}

Trajectory read_trajectory(const hdf5::File& file, const std::string& group, size_t atoms) {
  const auto positions = app::read_rows(file, group + "/positions"), velocities = app::read_rows(file, group + "/velocities"),
             forces = app::read_rows(file, group + "/forces");
  const auto numbers = file.read<double>(group + "/samples", {hdf5::any, numbers_of_sample});
  const size_t samples = numbers.size() / numbers_of_sample;
  if (samples == 0 || positions.size() != samples * atoms || velocities.size() != positions.size() || forces.size() != positions.size())
    file.fail(group, "its positions, velocities and forces are not those of every sample");
  Trajectory trajectory;
  for (size_t n = 0; n < samples; ++n) {
    const auto part = [&](const std::vector<Vec3>& all) {
      return std::vector<Vec3>(all.begin() + static_cast<int64_t>(n * atoms), all.begin() + static_cast<int64_t>((n + 1) * atoms));
    };
    IonState ions;
    ions.step = static_cast<int64_t>(numbers[numbers_of_sample * n]);
    ions.energy = numbers[numbers_of_sample * n + 1];
    ions.work = numbers[numbers_of_sample * n + 2];
    ions.positions = part(positions), ions.velocities = part(velocities), ions.forces = part(forces);
    trajectory.samples.push_back(std::move(ions));
  }
  trajectory.now = trajectory.samples.back();
  trajectory.samples.pop_back();
  return trajectory;
}

}  // namespace suite::tddft
