// SPDX-License-Identifier: BSD-3-Clause
// The object "results" of result.json.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "measure/fields.hpp"
#include "system.hpp"

namespace suite::tddft {

struct EnergiesResult {
  double kinetic = 0, local = 0, nonlocal = 0, hartree = 0, xc = 0, ions = 0;
};

// Integrals of the density of spin up minus that of spin down.
struct MagnetisationResult {
  double total = 0, absolute = 0;
};

struct GroundStateResult {
  double total_energy = 0;
  EnergiesResult energies;
  std::vector<double> eigenvalues, occupations;
  double lowest_empty = 0;
  int iterations = 0;
  double residual = 0;
  std::vector<Vec3> forces;
  std::optional<MagnetisationResult> magnetisation;
  std::optional<double> core;
};

struct GridResult {
  std::array<int, 3> points{};
  std::array<double, 3> spacing{};
};

// From a file.
struct PseudopotentialResult {
  std::string element, file, entry, sha256, functional;
  double charge = 0;
  std::optional<double> core;
};

struct PropagationResult {
  int64_t steps = 0, settling_steps = 0;
  double time_step_fs = 0, energy_drift = 0;
  double energy_slope = 0;  // NaN if there are too few steps
  double electrons_drift = 0, work = 0, energy_gained = 0, wall_s = 0;
  std::optional<double> electrons_absorbed;
  int64_t restarted_at_step = 0;
};

struct PeakResult {
  double energy_eV = 0, strength = 0;
  bool fitted = false;
};

struct HarmonicResult {
  int order = 0;
  double energy_eV = 0, emitted = 0;
};

struct DielectricResult {
  std::vector<double> energy_eV, real, imaginary;
};

struct ComponentResult {
  std::vector<PeakResult> peaks;
  double f_sum = 0;
};

struct SpectrumResult {
  std::vector<PeakResult> peaks;
  double f_sum = 0, f_sum_in_range = 0, resolution_eV = 0;
  std::optional<DielectricResult> dielectric_function;
  std::optional<double> persistent;
};

struct IonsResult {
  int64_t steps = 0;
  double time_step_fs = 0, energy_drift = 0;
  double energy_slope = 0;  // NaN if there are too few samples
  double kinetic = 0, temperature = 0;
  std::vector<Vec3> positions, velocities, forces;
};

struct TddftResults {
  GroundStateResult ground_state;
  GridResult grid;
  std::vector<PseudopotentialResult> pseudopotentials;
  std::optional<PropagationResult> propagation;
  std::optional<IonsResult> ions;
  std::optional<SpectrumResult> spectrum;
  std::optional<double> f_sum_of_grid;
  std::vector<std::pair<std::string, ComponentResult>> components;  // keys "x", "y", "z"
  std::vector<HarmonicResult> harmonics;
  std::string dipole_file;
  std::vector<std::string> files;  // in the run's folder
};

struct BenchmarkResults {
  double total_s = 0, electron_s = 0, field_s = 0, energy_s = 0;
  std::vector<double> energies_Ha;
};

inline constexpr const char* axis_words[] = {"x", "y", "z"};

}  // namespace suite::tddft

namespace suite::app {

// clang-format off
template <> inline constexpr auto fields<tddft::EnergiesResult> = std::tuple{
    Field{&tddft::EnergiesResult::kinetic,  "kinetic",  "Ha", ""},
    Field{&tddft::EnergiesResult::local,    "local",    "Ha", "in the local potential of the ions"},
    Field{&tddft::EnergiesResult::nonlocal, "nonlocal", "Ha", "in the nonlocal potential"},
    Field{&tddft::EnergiesResult::hartree,  "hartree",  "Ha", ""},
    Field{&tddft::EnergiesResult::xc,       "xc",       "Ha", ""},
    Field{&tddft::EnergiesResult::ions,     "ions",     "Ha", "of the ions among themselves"},
};
template <> inline constexpr auto fields<tddft::MagnetisationResult> = std::tuple{
    Field{&tddft::MagnetisationResult::total,    "total",    "1", "electrons of spin up minus those of spin down"},
    Field{&tddft::MagnetisationResult::absolute, "absolute", "1", "integral of the absolute value of the difference of the densities", {.low = 0}},
};
template <> inline constexpr auto fields<tddft::GroundStateResult> = std::tuple{
    Field{&tddft::GroundStateResult::total_energy, "total_energy_Ha", "Ha", ""},
    Field{&tddft::GroundStateResult::energies,     "energies_Ha",     "", "parts of it"},
    Field{&tddft::GroundStateResult::eigenvalues,  "eigenvalues_Ha",  "Ha", "of two spins: up, then down"},
    Field{&tddft::GroundStateResult::occupations,  "occupations",     "", "times the weight of the k point", {.low = 0}},
    Field{&tddft::GroundStateResult::lowest_empty, "lowest_empty_Ha", "Ha", ""},
    Field{&tddft::GroundStateResult::iterations,   "iterations",      "", "", {.low = 0}},
    Field{&tddft::GroundStateResult::residual,     "residual_Ha",     "Ha", ""},
    Field{&tddft::GroundStateResult::forces,       "forces_Ha_per_bohr", "Ha/bohr", "on every atom", {.omit_empty = true}},
    Field{&tddft::GroundStateResult::magnetisation, "magnetisation", "", "with two spins"},
    Field{&tddft::GroundStateResult::core,         "core_charge_on_grid", "1", "electrons of the nonlinear core corrections", {.low = 0}},
};
template <> inline constexpr auto fields<tddft::GridResult> = std::tuple{
    Field{&tddft::GridResult::points,  "points",       "", "", {.low = 0}},
    Field{&tddft::GridResult::spacing, "spacing_bohr", "bohr", ""},
};
template <> inline constexpr auto fields<tddft::PseudopotentialResult> = std::tuple{
    Field{&tddft::PseudopotentialResult::element,    "element",    "", ""},
    Field{&tddft::PseudopotentialResult::file,       "file",       "", ""},
    Field{&tddft::PseudopotentialResult::entry,      "entry",      "", "of the file", {.omit_empty = true}},
    Field{&tddft::PseudopotentialResult::sha256,     "sha256",     "", "of the file"},
    Field{&tddft::PseudopotentialResult::functional, "functional", "", "that it is made for", {.omit_empty = true}},
    Field{&tddft::PseudopotentialResult::charge,     "charge",     "1", "of the ion"},
    Field{&tddft::PseudopotentialResult::core,       "core_charge", "1", "electrons of its nonlinear core correction"},
};
template <> inline constexpr auto fields<tddft::PropagationResult> = std::tuple{
    Field{&tddft::PropagationResult::steps,             "steps",                  "", "", {.low = 0}},
    Field{&tddft::PropagationResult::settling_steps,    "settling_steps",         "", "", {.low = 0}},
    Field{&tddft::PropagationResult::time_step_fs,      "time_step_fs",           "fs", ""},
    Field{&tddft::PropagationResult::energy_drift,      "energy_drift_Ha",        "Ha", ""},
    Field{&tddft::PropagationResult::energy_slope,      "energy_slope_Ha_per_fs", "Ha/fs", "null if there are too few steps", {.or_null = true}},
    Field{&tddft::PropagationResult::electrons_drift,   "electrons_drift",        "", ""},
    Field{&tddft::PropagationResult::work,              "work_Ha",                "Ha", "of the laser"},
    Field{&tddft::PropagationResult::energy_gained,     "energy_gained_Ha",       "Ha", ""},
    Field{&tddft::PropagationResult::wall_s,            "wall_s",                 "s", "", {.low = 0}},
    Field{&tddft::PropagationResult::electrons_absorbed, "electrons_absorbed",    "", "by an absorber; of several runs the most"},
    Field{&tddft::PropagationResult::restarted_at_step, "restarted_at_step",      "", "", {.low = 0}},
};
template <> inline constexpr auto fields<tddft::PeakResult> = std::tuple{
    Field{&tddft::PeakResult::energy_eV, "energy_eV", "eV", ""},
    Field{&tddft::PeakResult::strength,  "strength",  "1", "oscillator strength of the line, in electrons"},
    Field{&tddft::PeakResult::fitted,    "fitted",    "", "false: taken from the maximum"},
};
template <> inline constexpr auto fields<tddft::HarmonicResult> = std::tuple{
    Field{&tddft::HarmonicResult::order,     "order",      "", "", {.low = 1}},
    Field{&tddft::HarmonicResult::energy_eV, "energy_eV",  "eV", "of that many photons of the first pulse"},
    Field{&tddft::HarmonicResult::emitted,   "emitted_Ha", "Ha", "energy of the light sent out with it", {.low = 0}},
};
template <> inline constexpr auto fields<tddft::DielectricResult> = std::tuple{
    Field{&tddft::DielectricResult::energy_eV, "energy_eV", "eV", ""},
    Field{&tddft::DielectricResult::real,      "real",      "1", ""},
    Field{&tddft::DielectricResult::imaginary, "imaginary", "1", ""},
};
template <> inline constexpr auto fields<tddft::ComponentResult> = std::tuple{
    Field{&tddft::ComponentResult::peaks, "peaks", "", ""},
    Field{&tddft::ComponentResult::f_sum, "f_sum", "1", ""},
};
template <> inline constexpr auto fields<tddft::SpectrumResult> = std::tuple{
    Field{&tddft::SpectrumResult::peaks,          "peaks",          "", ""},
    Field{&tddft::SpectrumResult::f_sum,          "f_sum",          "1", "over all energies"},
    Field{&tddft::SpectrumResult::f_sum_in_range, "f_sum_in_range", "1", "over the energies of the spectrum"},
    Field{&tddft::SpectrumResult::resolution_eV,  "resolution_eV",  "eV", ""},
    Field{&tddft::SpectrumResult::dielectric_function, "dielectric_function", "", "of a crystal, along the kick, at every whole eV"},
    Field{&tddft::SpectrumResult::persistent,     "persistent_current", "1", "of a crystal: current that stays after the kick, over the kick's momentum per electron"},
};
template <> inline constexpr auto fields<tddft::IonsResult> = std::tuple{
    Field{&tddft::IonsResult::steps,        "steps",                  "", "", {.low = 0}},
    Field{&tddft::IonsResult::time_step_fs, "time_step_fs",           "fs", ""},
    Field{&tddft::IonsResult::energy_drift, "energy_drift_Ha",        "Ha", "largest change of the energy of electrons and ions minus work"},
    Field{&tddft::IonsResult::energy_slope, "energy_slope_Ha_per_fs", "Ha/fs", "null if there are too few samples", {.or_null = true}},
    Field{&tddft::IonsResult::kinetic,      "mean_kinetic_energy_Ha", "Ha", "of the ions, over the samples"},
    Field{&tddft::IonsResult::temperature,  "mean_temperature_K",     "K", "of that energy"},
    Field{&tddft::IonsResult::positions,    "positions_bohr",         "bohr", "at the end"},
    Field{&tddft::IonsResult::velocities,   "velocities_bohr_Ha_per_hbar", "bohr Ha/hbar", "at the end"},
    Field{&tddft::IonsResult::forces,       "forces_Ha_per_bohr",     "Ha/bohr", "at the end"},
};
template <> inline constexpr auto fields<tddft::TddftResults> = std::tuple{
    Field{&tddft::TddftResults::ground_state,  "ground_state",  "", ""},
    Field{&tddft::TddftResults::grid,          "grid",          "", ""},
    Field{&tddft::TddftResults::pseudopotentials, "pseudopotentials", "", "from files", {.omit_empty = true}},
    Field{&tddft::TddftResults::propagation,   "propagation",   "", ""},
    Field{&tddft::TddftResults::ions,          "ions",          "", "that moved"},
    Flat{&tddft::TddftResults::spectrum},
    Field{&tddft::TddftResults::f_sum_of_grid, "f_sum_of_grid", "1", "exact f-sum on this grid"},
    Field{&tddft::TddftResults::components,    "components",    "", "along x, y and z", {.names = tddft::axis_words, .omit_empty = true}},
    Field{&tddft::TddftResults::harmonics,     "harmonics",     "", "of a laser", {.omit_empty = true}},
    Field{&tddft::TddftResults::dipole_file,   "dipole_file",   "", "", {.least = 1, .omit_empty = true}},
    Field{&tddft::TddftResults::files,         "files",         "", "in the run's folder", {.items_not_empty = true, .omit_empty = true}},
};
template <> inline constexpr auto fields<tddft::BenchmarkResults> = std::tuple{
    Field{&tddft::BenchmarkResults::total_s,     "total_s",     "s", ""},
    Field{&tddft::BenchmarkResults::electron_s,  "electron_s",  "s", "time of the rest, without field and energy"},
    Field{&tddft::BenchmarkResults::field_s,     "field_s",     "s", ""},
    Field{&tddft::BenchmarkResults::energy_s,    "energy_s",    "s", ""},
    Field{&tddft::BenchmarkResults::energies_Ha, "energies_Ha", "Ha", ""},
};
// clang-format on

}  // namespace suite::app
