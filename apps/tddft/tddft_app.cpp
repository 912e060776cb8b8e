// SPDX-License-Identifier: BSD-3-Clause
#include "tddft_app.hpp"

#include <ostream>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/starter_from_files.hpp"
#include "base/stop.hpp"
#include "common/near.hpp"
#include "benchmark.hpp"
#include "calculation.hpp"
#include "figures.hpp"
#include "laws.hpp"
#include "output.hpp"
#include "sample.hpp"
#include "settings.hpp"
#include "stability.hpp"
#include "start_from.hpp"

namespace suite::tddft {
namespace {

std::string composition(const System& system) {
  std::vector<std::pair<std::string, int>> counts;
  for (const auto& atom : system.atoms) {
    if (counts.empty() || counts.back().first != atom.element) counts.emplace_back(atom.element, 0);
    ++counts.back().second;
  }
  std::string text;
  for (const auto& [element, count] : counts) text += element + (count > 1 ? std::to_string(count) : "");
  if (system.sphere) text = fmt::format("jellium sphere of {:g} charges, rs {:g} bohr", system.sphere->charge, system.sphere->rs);
  if (text.empty()) text = system.well ? "harmonic well" : "homogeneous electrons";
  return text;
}

std::string ions_advice(const Settings& s) {
  if (!s.moving()) return "";
  const double fs = s.ions.dt * atomic_time_fs;
  return fmt::format("ions     {}, {} steps of {:.4g} fs, {:.4g} fs\n",
                     s.ions.dynamics == Dynamics::ground_state
                         ? "on the ground state of the electrons"
                         : fmt::format("with the electrons, {} of whose steps are one of the ions", s.ions.electron_steps),
                     s.ions.steps, fs, static_cast<double>(s.ions.steps) * fs);
}

std::string pseudopotential_files(const Settings& s) {
  std::string text;
  for (const auto& file : s.pseudopotentials) {
    const Pseudopotential& p = *s.system.pseudopotentials.at(file.element);
    const std::string functional = p.functional.empty() ? "" : ", made for " + p.functional;
    const std::string core = p.core_charge > 0 ? fmt::format(", nonlinear core correction of {:.4g} electrons", p.core_charge) : "";
    text += fmt::format("potential {} of {}{}: {:g} electrons{}{}, needs {:.2g} bohr\n", file.element, file.file,
                        file.entry.empty() ? "" : ":" + file.entry, p.charge, functional, core, p.spacing());
  }
  return text;
}

void describe(const Settings& s, std::ostream& out) {
  const Grid& g = s.benchmark ? s.benchmark->grid : s.system.grid;
  const std::string grid =
      fmt::format("{}x{}x{} points of {:.4g}, {:.4g}, {:.4g} bohr", g.points[0], g.points[1], g.points[2], g.h[0], g.h[1], g.h[2]);
  if (s.benchmark) {
    out << fmt::format("system   generated, {} orbitals, {}\n", s.benchmark->orbitals, grid);
  } else {
    const size_t k = all_k_points(s.system).size(), joined = s.system.k_points.size();
    out << "system   " << composition(s.system) << fmt::format(", {:g} electrons, ", s.system.electrons)
        << (s.system.spins() == 2 ? fmt::format("{} unpaired, ", s.system.unpaired) : std::string())
        << (s.system.boundary == Boundary::periodic ? "periodic" : "isolated")
        << (k > 1 ? fmt::format(", {} k points ({} in the ground state)", k, joined) : std::string()) << ", " << grid << "\n";
  }
  out << pseudopotential_files(s) << ions_advice(s);
  if (s.ions.dynamics != Dynamics::ground_state) out << stability_advice(s);
}

// Errors found by the system itself are reported at the section that describes it.
void check_system(const Settings& s, const app::Input& input) {
  if (s.benchmark || s.system.grid.size() == 0) return;
  input.holds("system.cell", [&] { check(s.system); });
}

Settings settings_of(const app::Input& input) {
  Settings s = read_settings(input);
  input.finish();
  check_system(s, input);
  input.finish();
  return s;
}

class TddftApp final : public app::App, public app::StarterFromFiles {
public:
  const char* name() const override { return "tddft"; }
  const char* summary() const override {
    return "real-time time-dependent density functional theory on a grid: absorption spectra, laser pulses";
  }
  const std::vector<app::Key>& keys() const override { return input_keys(); }

  void check(const app::Input& input, std::ostream& out) const override { describe(settings_of(input), out); }

  nlohmann::ordered_json results_schema() const override { return tddft::results_schema(); }

  nlohmann::ordered_json run(const app::Input& input, app::Context& context) const override {
    const Settings settings = settings_of(input);
    if (settings.benchmark) return run_benchmark(settings, context);
    const Calculation calculation = calculate(settings, context);
    const Solution solution = solve(settings, calculation);
    add_outcome(solution, context.outcome);
    context.out << ground_state_table(settings, calculation) << table(solution);
    nlohmann::ordered_json out = results(solution);
    const std::string title = input.text("title").empty() ? composition(settings.system) : input.text("title");
    app::write_files(context, text_files(solution), out);
    app::write_files(context, density_files(solution, title), out);
    app::write_files(context, figures(solution, title), out);
    if (!calculation.progress.runs.empty() || !calculation.progress.trajectory.empty() || calculation.stopped_by)
      out["files"].push_back("checkpoint.h5");
    if (calculation.stopped_by)
      throw app::Stopped(calculation.stopped_by, out,
                         "to continue: --set restart.file=" + app::shell_word((context.folder / "checkpoint.h5").string()));
    return out;
  }

  Sample sample(const app::Input& input) const override { return typical_call(settings_of(input)); }

  app::Starter::Start from(const std::filesystem::path& source, const std::filesystem::path& folder) const override {
    return start_from(source, folder);
  }
};

}  // namespace
}  // namespace suite::tddft

std::unique_ptr<suite::app::App> suite::app::make_tddft() { return std::make_unique<suite::tddft::TddftApp>(); }
