// SPDX-License-Identifier: BSD-3-Clause
// Output of a run as text: tables for the terminal, data files with units in their first lines, the results of result.json, and figures.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "calculation.hpp"
#include "spectrum.hpp"

namespace suite::tddft {

// A calculation and its spectra: averaged over all runs, and, for a single run not along an axis, each component separately.
struct Solution {
  const Settings& settings;
  const Calculation& calculation;
  std::optional<Spectrum> spectrum;  // for kicks with at least 16 steps
  struct Component {
    int axis;
    Spectrum spectrum;
  };
  std::vector<Component> components;
  std::optional<Emission> emission;  // under a laser, with at least 16 steps
};
Solution solve(const Settings& settings, const Calculation& calculation);

std::vector<app::TextFile> text_files(const Solution& solution);

// density.cube or density.xsf, and of a propagation the same at its end, density_end. title: of the run.
std::vector<app::TextFile> density_files(const Solution& solution, const std::string& title);

std::string ground_state_table(const Settings& settings, const Calculation& calculation);
std::string table(const Solution& solution);
nlohmann::ordered_json results(const Solution& solution);
nlohmann::ordered_json results_schema();

}  // namespace suite::tddft
