// SPDX-License-Identifier: BSD-3-Clause
// The object "results" of result.json, with one table for each method.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "measure/fields.hpp"
#include "casino_control.hpp"
#include "statistics.hpp"

namespace suite::vmc {

struct PartResult {
  double mean = 0, error = 0;
};

struct CasinoResult {
  std::string file;
  std::vector<std::string> used;
  std::map<std::string, std::string> overridden;
  std::vector<std::string> unused, ignored;
};
CasinoResult result_of(const CasinoReport& report);

// Members appended by every method.
struct Ending {
  std::optional<CasinoResult> casino_input;
  std::vector<std::string> files;  // in the run's folder
};

struct EnergyResult {
  double mean = 0, error = 0, of_electron = 0, error_of_electron = 0, variance = 0, variance_error = 0, acceptance = 0;
  std::vector<std::pair<std::string, PartResult>> components;
};

struct VmcResults {
  EnergyResult energy;
  Reblocked reblocking;
  std::optional<double> hartree_fock;
  int64_t walkers = 0, steps = 0;
  double time_step = 0, inverse_deviation = 0;
  int64_t restarted_at_step = 0;
  double equilibration_s = 0, sampling_s = 0;
  std::optional<double> moves_per_s;
  Ending ending;
};

struct PopulationResult {
  double smallest = 0, mean = 0, largest = 0;
};

struct TimeStepResult {
  double time_step = 0, mean = 0, error = 0, variance = 0, acceptance = 0, effective_time_step = 0;
  PopulationResult population;
  Reblocked reblocking;
};

struct ExtrapolatedResult {
  double mean = 0, error = 0, slope = 0, slope_error = 0, chi_squared = 0;
};

struct TrialResult {
  double mean = 0, error = 0, variance = 0, variance_error = 0, acceptance = 0, time_step = 0;
  Reblocked reblocking;
};

struct DmcResults {
  std::optional<EnergyResult> energy;  // at the shortest time step
  std::optional<double> time_step;
  std::vector<TimeStepResult> time_steps;
  std::optional<ExtrapolatedResult> extrapolated;
  int64_t walkers = 0;
  TrialResult trial;
  double inverse_deviation = 0;
  int64_t restarted_at_step = 0;
  double equilibration_s = 0, sampling_s = 0;
  Ending ending;
};

struct TwistResult {
  std::vector<double> twist;
  double weight = 1, mean = 0, error = 0, variance = 0, acceptance = 0;
};

struct TwistsResults {
  std::string method;
  double mean = 0, error = 0, of_electron = 0, error_of_electron = 0, spread = 0;
  std::optional<PartResult> extrapolated;
  std::vector<std::pair<std::string, PartResult>> components;
  std::vector<TwistResult> twists;
  Ending ending;
};

struct NextStep {
  double before = 0, after = 0;
  int64_t iterations = 0;
};

struct CycleResult {
  double mean = 0, error = 0, variance = 0, acceptance = 0;
  std::optional<NextStep> step;
};

struct OptimiseResults {
  std::vector<CycleResult> cycles;
  double mean = 0, error = 0, of_electron = 0, variance = 0, variance_error = 0, acceptance = 0;
  int64_t best_cycle = 0;
  std::vector<std::pair<std::string, double>> parameters;
  Ending ending;
};

nlohmann::ordered_json results_schema();

}  // namespace suite::vmc

namespace suite::app {

inline constexpr Limits from_zero{.low = 0};

// clang-format off
template <> inline constexpr auto fields<vmc::PartResult> = std::tuple{
    Field{&vmc::PartResult::mean,  "mean_Ha",  "Ha", ""},
    Field{&vmc::PartResult::error, "error_Ha", "Ha", "", from_zero},
};
template <> inline constexpr auto fields<vmc::Reblocked> = std::tuple{
    Field{&vmc::Reblocked::samples,          "samples",           "", "", from_zero},
    Field{&vmc::Reblocked::correlation_time, "correlation_time",  "", "in samples", {.or_null = true}},
    Field{&vmc::Reblocked::block_length,     "block_length",      "", "", from_zero},
    Field{&vmc::Reblocked::error_of_error,   "error_of_error_Ha", "Ha", "", {.or_null = true}},
    Field{&vmc::Reblocked::converged,        "converged",         "", "false: the error may be too small"},
};
template <> inline constexpr auto fields<vmc::CasinoResult> = std::tuple{
    Field{&vmc::CasinoResult::file,       "file",       "", "", {.least = 1}},
    Field{&vmc::CasinoResult::used,       "used",       "", ""},
    Field{&vmc::CasinoResult::overridden, "overridden", "", "keyword: the input key that takes precedence"},
    Field{&vmc::CasinoResult::unused,     "unused",     "", "for other kinds of run"},
    Field{&vmc::CasinoResult::ignored,    "ignored",    "", ""},
};
template <> inline constexpr auto fields<vmc::Ending> = std::tuple{
    Field{&vmc::Ending::casino_input, "casino_input", "", "effect of the keywords of system.casino_input other than those of the system"},
    Field{&vmc::Ending::files,        "files",        "", "in the run's folder", {.items_not_empty = true, .omit_empty = true}},
};
template <> inline constexpr auto fields<vmc::EnergyResult> = std::tuple{
    Field{&vmc::EnergyResult::mean,              "energy_Ha",              "Ha", ""},
    Field{&vmc::EnergyResult::error,             "error_Ha",               "Ha", "standard error", from_zero},
    Field{&vmc::EnergyResult::of_electron,       "energy_per_electron_Ha", "Ha", ""},
    Field{&vmc::EnergyResult::error_of_electron, "error_per_electron_Ha",  "Ha", "", from_zero},
    Field{&vmc::EnergyResult::variance,          "variance",               "Ha^2", "of the local energy", from_zero},
    Field{&vmc::EnergyResult::variance_error,    "variance_error",         "Ha^2", "standard error of the variance", from_zero},
    Field{&vmc::EnergyResult::acceptance,        "acceptance",             "1", "", from_zero},
    Field{&vmc::EnergyResult::components,        "components",             "", "of the energy"},
};
template <> inline constexpr auto fields<vmc::VmcResults> = std::tuple{
    Constant{"method", "vmc"},
    Flat{&vmc::VmcResults::energy},
    Field{&vmc::VmcResults::reblocking,        "reblocking",        "", ""},
    Field{&vmc::VmcResults::hartree_fock,      "hartree_fock_Ha",   "Ha", "of the electron gas, by exact sums"},
    Field{&vmc::VmcResults::walkers,           "walkers",           "", "", from_zero},
    Field{&vmc::VmcResults::steps,             "steps",             "", "", from_zero},
    Field{&vmc::VmcResults::time_step,         "time_step",         "hbar/Ha", ""},
    Field{&vmc::VmcResults::inverse_deviation, "inverse_deviation", "1", "of the inverse Slater matrices", from_zero},
    Field{&vmc::VmcResults::restarted_at_step, "restarted_at_step", "", "", from_zero},
    Field{&vmc::VmcResults::equilibration_s,   "equilibration_s",   "s", "", from_zero},
    Field{&vmc::VmcResults::sampling_s,        "sampling_s",        "s", "", from_zero},
    Field{&vmc::VmcResults::moves_per_s,       "moves_per_s",       "1/s", "", from_zero},
    Flat{&vmc::VmcResults::ending},
};
template <> inline constexpr auto fields<vmc::PopulationResult> = std::tuple{
    Field{&vmc::PopulationResult::smallest, "smallest", "", "", from_zero},
    Field{&vmc::PopulationResult::mean,     "mean",     "", "", from_zero},
    Field{&vmc::PopulationResult::largest,  "largest",  "", "", from_zero},
};
template <> inline constexpr auto fields<vmc::TimeStepResult> = std::tuple{
    Field{&vmc::TimeStepResult::time_step,           "time_step",           "hbar/Ha", ""},
    Field{&vmc::TimeStepResult::mean,                "energy_Ha",           "Ha", ""},
    Field{&vmc::TimeStepResult::error,               "error_Ha",            "Ha", "", from_zero},
    Field{&vmc::TimeStepResult::variance,            "variance",            "Ha^2", "", from_zero},
    Field{&vmc::TimeStepResult::acceptance,          "acceptance",          "1", "", from_zero},
    Field{&vmc::TimeStepResult::effective_time_step, "effective_time_step", "hbar/Ha", ""},
    Field{&vmc::TimeStepResult::population,          "population",          "", "number of walkers in the statistics steps"},
    Field{&vmc::TimeStepResult::reblocking,          "reblocking",          "", ""},
};
template <> inline constexpr auto fields<vmc::ExtrapolatedResult> = std::tuple{
    Field{&vmc::ExtrapolatedResult::mean,        "energy_Ha",   "Ha", "at the time step 0"},
    Field{&vmc::ExtrapolatedResult::error,       "error_Ha",    "Ha", "", from_zero},
    Field{&vmc::ExtrapolatedResult::slope,       "slope",       "Ha^2/hbar", ""},
    Field{&vmc::ExtrapolatedResult::slope_error, "slope_error", "Ha^2/hbar", ""},
    Field{&vmc::ExtrapolatedResult::chi_squared, "chi_squared", "1", ""},
};
template <> inline constexpr auto fields<vmc::TrialResult> = std::tuple{
    Field{&vmc::TrialResult::mean,           "energy_Ha",      "Ha", ""},
    Field{&vmc::TrialResult::error,          "error_Ha",       "Ha", "", from_zero},
    Field{&vmc::TrialResult::variance,       "variance",       "Ha^2", "", from_zero},
    Field{&vmc::TrialResult::variance_error, "variance_error", "Ha^2", "", from_zero},
    Field{&vmc::TrialResult::acceptance,     "acceptance",     "1", "", from_zero},
    Field{&vmc::TrialResult::time_step,      "time_step",      "hbar/Ha", ""},
    Field{&vmc::TrialResult::reblocking,     "reblocking",     "", ""},
};
template <> inline constexpr auto fields<vmc::DmcResults> = std::tuple{
    Constant{"method", "dmc"},
    Flat{&vmc::DmcResults::energy},
    Field{&vmc::DmcResults::time_step,         "time_step",         "hbar/Ha", "shortest time step"},
    Field{&vmc::DmcResults::time_steps,        "time_steps",        "", "", {.omit_empty = true}},
    Field{&vmc::DmcResults::extrapolated,      "extrapolated",      "", "linear in the time step"},
    Field{&vmc::DmcResults::walkers,           "walkers",           "", "", from_zero},
    Field{&vmc::DmcResults::trial,             "vmc",               "", "of the trial function, sampled before DMC"},
    Field{&vmc::DmcResults::inverse_deviation, "inverse_deviation", "1", "of the inverse Slater matrices", from_zero},
    Field{&vmc::DmcResults::restarted_at_step, "restarted_at_step", "", "", from_zero},
    Field{&vmc::DmcResults::equilibration_s,   "equilibration_s",   "s", "", from_zero},
    Field{&vmc::DmcResults::sampling_s,        "sampling_s",        "s", "", from_zero},
    Flat{&vmc::DmcResults::ending},
};
template <> inline constexpr auto fields<vmc::TwistResult> = std::tuple{
    Field{&vmc::TwistResult::twist,      "twist",      "", "in reciprocal vectors of the supercell", {.least = 3}},
    Field{&vmc::TwistResult::weight,     "weight",     "", "", from_zero},
    Field{&vmc::TwistResult::mean,       "energy_Ha",  "Ha", ""},
    Field{&vmc::TwistResult::error,      "error_Ha",   "Ha", "", from_zero},
    Field{&vmc::TwistResult::variance,   "variance",   "Ha^2", "of the local energy", from_zero},
    Field{&vmc::TwistResult::acceptance, "acceptance", "1", "", from_zero},
};
template <> inline constexpr auto fields<vmc::TwistsResults> = std::tuple{
    Field{&vmc::TwistsResults::method,            "method",                 "", "vmc or dmc"},
    Field{&vmc::TwistsResults::mean,              "energy_Ha",              "Ha", "weighted mean of the twists, with dmc at the shortest time step"},
    Field{&vmc::TwistsResults::error,             "error_Ha",               "Ha", "standard error of the sampling at these twists", from_zero},
    Field{&vmc::TwistsResults::of_electron,       "energy_per_electron_Ha", "Ha", ""},
    Field{&vmc::TwistsResults::error_of_electron, "error_per_electron_Ha",  "Ha", "", from_zero},
    Field{&vmc::TwistsResults::spread,            "spread_Ha",              "Ha", "standard deviation between the twists", from_zero},
    Field{&vmc::TwistsResults::extrapolated,      "extrapolated",           "", "weighted mean of the energies at the time step 0"},
    Field{&vmc::TwistsResults::components,        "components",             "", "weighted means"},
    Field{&vmc::TwistsResults::twists,            "twists",                 "", ""},
    Flat{&vmc::TwistsResults::ending},
};
template <> inline constexpr auto fields<vmc::NextStep> = std::tuple{
    Field{&vmc::NextStep::before,     "before",     "", "the target"},
    Field{&vmc::NextStep::after,      "after",      "", "target predicted for the next cycle"},
    Field{&vmc::NextStep::iterations, "iterations", "", "", from_zero},
};
template <> inline constexpr auto fields<vmc::CycleResult> = std::tuple{
    Field{&vmc::CycleResult::mean,       "energy_Ha",    "Ha", ""},
    Field{&vmc::CycleResult::error,      "error_Ha",     "Ha", "", from_zero},
    Field{&vmc::CycleResult::variance,   "variance_Ha2", "Ha^2", "", from_zero},
    Field{&vmc::CycleResult::acceptance, "acceptance",   "1", "", from_zero},
    Field{&vmc::CycleResult::step,       "step",         "", "to the next cycle"},
};
template <> inline constexpr auto fields<vmc::OptimiseResults> = std::tuple{
    Field{&vmc::OptimiseResults::cycles,         "cycles",                 "", ""},
    Field{&vmc::OptimiseResults::mean,           "energy_Ha",              "Ha", "of the best cycle"},
    Field{&vmc::OptimiseResults::error,          "error_Ha",               "Ha", "standard error", from_zero},
    Field{&vmc::OptimiseResults::of_electron,    "energy_per_electron_Ha", "Ha", ""},
    Field{&vmc::OptimiseResults::variance,       "variance",               "Ha^2", "of the local energy", from_zero},
    Field{&vmc::OptimiseResults::variance_error, "variance_error",         "Ha^2", "standard error of the variance", from_zero},
    Field{&vmc::OptimiseResults::acceptance,     "acceptance",             "1", "", from_zero},
    Field{&vmc::OptimiseResults::best_cycle,     "best_cycle",             "", "from 0", from_zero},
    Field{&vmc::OptimiseResults::parameters,     "parameters",             "", "of its Jastrow factor"},
    Flat{&vmc::OptimiseResults::ending},
};
// clang-format on

}  // namespace suite::app
