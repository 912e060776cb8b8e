// SPDX-License-Identifier: BSD-3-Clause
// Settings of a tddft input, in Hartree atomic units.
#pragma once

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/app.hpp"
#include "base/units.hpp"
#include "absorber.hpp"
#include "ground_state.hpp"
#include "pseudopotential_file.hpp"
#include "system.hpp"

namespace suite::tddft {

using app::atomic_intensity_W_cm2, app::atomic_time_fs, app::bohr_angstrom, app::hartree_eV;

enum class DensityFile { none, cube, xsf };

enum class Excitation { none, kick, laser };

// A linearly polarised pulse: E = -dA/dt with A = -(E0/w) cos^2(pi (t - m)/T) sin(w (t - m) + phase) along `direction` while |t - m| < T/2.
// An elliptically polarised one is the sum of two.
struct Laser {
  double amplitude = 0;  // E0, Ha/bohr
  double photon_energy = 0;  // w, Ha
  double duration = 0;  // T, hbar/Ha
  double phase = 0;  // rad
  double maximum = 0;  // m, hbar/Ha
  Vec3 direction{};  // normalised
};

struct PropagationSettings {
  double dt = 0;  // hbar/Ha
  int64_t steps = 0;
  int64_t settling_steps = 0;  // before t = 0, without a field; their length grows from 0 to dt
  bool velocity_gauge = false;
  std::string field = "isolated";  // a choice of lfd.propagate
  int field_steps = 1;
  double kappa = 0;  // bohr^2; 0: the kernel's default
  double gamma = 0;
  bool mass_correction = true;
  bool single = false;  // precision
  int64_t interval = 20;  // steps between energies; length of one call of lfd.propagate
  Absorber absorber;
};

// What moves the ions: nothing, the ground state of the electrons at every place of the ions, or the moving electrons.
enum class Dynamics { none, ground_state, ehrenfest };

struct IonSettings {
  Dynamics dynamics = Dynamics::none;
  double dt = 0;  // hbar/Ha
  int64_t steps = 0;
  int64_t electron_steps = 1;  // Ehrenfest: steps of the electrons in one of the ions
  std::vector<double> masses;  // of each atom, atomic mass units; empty: of the elements
  std::vector<Vec3> velocities;  // at the start, bohr Ha/hbar; empty: at rest
  double temperature = 0;  // of velocities drawn at random, K; 0: none
  uint64_t seed = 1;  // of these velocities
  double force_tolerance = 0;  // Ha/bohr
};

// Of a crystal, what becomes of the current that stays after a kick: automatic removes it of an insulator's ground state.
enum class PersistentCurrent { automatic, keep, remove };

struct SpectrumSettings {
  bool window = true;  // 1 - 3 (t/T)^2 + 2 (t/T)^3
  PersistentCurrent persistent = PersistentCurrent::automatic;
  double broadening = 0;  // Ha: additional factor exp(-broadening t)
  double max_energy = 0, step = 0;  // Ha
  double threshold = 0.03;  // of a peak, relative to the highest one
};

// The published benchmark on generated orbitals: no atoms, no ground state.
struct Benchmark {
  Grid grid;
  int64_t orbitals = 64;
  std::string field = "loop";
  int64_t energy_interval = 100;
};

struct Settings {
  System system;
  std::vector<PseudopotentialFile> pseudopotentials;
  bool filter = true;  // all of them, for the grid
  GroundStateSettings ground_state;
  PropagationSettings propagation;
  IonSettings ions;
  Excitation excitation = Excitation::kick;
  Vec3 direction{0, 0, 1};  // normalised
  bool all_directions = false;
  double kick = 0;  // bohr^-1
  bool opposite = false;  // the kick of spin down is against that of spin up
  std::vector<Laser> pulses;
  SpectrumSettings spectrum;
  DensityFile density_file = DensityFile::none;
  int64_t checkpoint_interval = 0;  // steps; 0: at the end and when interrupted
  std::filesystem::path restart;
  std::optional<Benchmark> benchmark;

  bool moving() const { return ions.dynamics != Dynamics::none; }
  int runs() const { return all_directions ? 3 : 1; }
  Vec3 direction_of(int run) const {
    if (!all_directions) return direction;
    return {run == 0 ? 1.0 : 0.0, run == 1 ? 1.0 : 0.0, run == 2 ? 1.0 : 0.0};
  }
  // Whether something moves the electrons along an axis in this run.
  bool drives(int run, size_t axis) const {
    if (excitation != Excitation::laser) return excitation == Excitation::none || direction_of(run)[axis] != 0;
    return std::any_of(pulses.begin(), pulses.end(), [&](const Laser& pulse) { return pulse.direction[axis] != 0; });
  }
};

// The keys of an input, in the order of the help.
const std::vector<app::Key>& input_keys();

// Reads the settings of an input. Reports errors with input.fail(); the caller calls finish().
Settings read_settings(const app::Input& input);

// Refuses functionals that this build does not have, and numbers of unpaired electrons that do not fit the others. Report errors with
// input.fail().
void check_functional(const app::Input& input, const Settings& settings);
void check_spins(const app::Input& input, const Settings& settings);
void check_opposite_spins(const app::Input& input, const Settings& settings);

// The normalised direction under a key. Reports errors with input.fail(), one of an axis where the grid has a single point among them.
std::optional<Vec3> direction_under(const app::Input& input, const std::string& key, const Grid& grid);

// The pulses of a laser, with its direction already read. Reports errors with input.fail().
void read_pulses(const app::Input& input, Settings& settings);
void refuse_pulses(const app::Input& input);

// Keys of the section ions, with settings of the electrons already read. Reports errors with input.fail().
void read_ions(const app::Input& input, Settings& settings);

// Conventional atomic weight; 0 for an element that has none.
double standard_mass(std::string_view element);

// The choice `functional` of lfd.propagate and lfd.calc_energy; "none" where exchange and correlation are those of GridXc.
std::string functional_of_kernels(const Settings& settings);

// All settings that affect the numbers, except the length of the run, as text: propagations with equal texts may continue each other.
std::string fingerprint(const Settings& settings);

}  // namespace suite::tddft
