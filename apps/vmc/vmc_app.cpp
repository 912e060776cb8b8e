// SPDX-License-Identifier: BSD-3-Clause
#include "vmc_app.hpp"

#include <algorithm>
#include <numeric>
#include <ostream>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/stop.hpp"
#include "common/near.hpp"
#include "common/quantities.hpp"
#include "crystal/crystal.hpp"
#include "measure/fields_json.hpp"
#include "molecule/molecule.hpp"
#include "molecule/slater_functions.hpp"
#include "results.hpp"
#include "run.hpp"
#include "sample.hpp"
#include "settings.hpp"
#include "start_from.hpp"
#include "twists.hpp"

namespace suite::vmc {
namespace {

std::string factor_text(const Jastrow& j) {
  if (!j.any()) return "Slater determinants alone";
  std::string text = "Slater-Jastrow";
  if (j.has_u())
    text += fmt::format(", u: {} with {} x {} coefficients up to {:.5g} bohr", j.form == Form::polynomial ? "polynomial" : "B-spline",
                        j.nset_u, j.nalpha, j.L_u);
  if (j.has_chi()) text += fmt::format(", chi: {} x {} coefficients up to {:.5g} bohr", j.nset_chi, j.nbeta, j.L_chi.front());
  if (j.has_f()) text += fmt::format(", f: {} free coefficients up to {:.5g} bohr", parameters(j, Free::only_f()).size(), j.L_f.front());
  if (j.has_p()) text += fmt::format(", p: {} stars with {} G", j.nstar, j.ngvec());
  return text;
}

// Describes the effect of the keywords of a CASINO input.
std::string method_text(const Settings& s) {
  const VmcSettings& v = s.vmc;
  const std::string step = v.tau > 0         ? fmt::format("time step {:g} hbar/Ha", v.tau)
                           : v.first_tau > 0 ? fmt::format("time step tuned, starting at {:g} hbar/Ha", v.first_tau)
                                             : std::string("time step tuned");
  const std::string begin = fmt::format("{} sweeps of equilibration, {}", v.equilibration, step);
  if (s.method == Method::optimise)
    return fmt::format("optimise: {}; {} cycles of {} configurations, target {}", begin, s.optimise.cycles, s.optimise.configurations,
                       s.optimise.target);
  const std::string sampled = fmt::format("{} energies {} sweeps apart", v.steps, v.decorrelation);
  if (s.method == Method::vmc) return fmt::format("vmc: {} walkers, {}, {} of each", v.walkers, begin, sampled);
  std::string steps;
  for (const double tau : s.dmc.time_steps) steps += (steps.empty() ? "" : ", ") + fmt::format("{:g}", tau);
  return fmt::format("dmc: {} walkers, {}, {} of each; DMC {} + {} steps of {} hbar/Ha", s.dmc.target, begin, sampled, s.dmc.equilibration,
                     s.dmc.steps, steps);
}

std::string molecule_text(const System& y) {
  const auto& charges = y.molecule->charge;
  const double charge = std::accumulate(charges.begin(), charges.end(), 0.0) - static_cast<double>(y.netot());
  const bool slater = y.molecule->slater();
  return fmt::format("system   molecule {}{}: {} ({} up, {} down), {} {} functions{}{}\n", y.molecule->formula(),
                     charge == 0 ? "" : fmt::format(", charge {:+g}", charge), app::counted(static_cast<long>(y.netot()), "electron"),
                     y.nele[0], y.nele[1], y.molecule->nao(), slater ? "Slater" : "Gaussian",
                     slater              ? fmt::format(", cusps at the nuclei off by at most {:.2g} %", 100 * worst_cusp(*y.molecule))
                     : y.molecule->cusps ? " with cusps at the nuclei"
                                         : "",
                     y.molecule->potential.empty() ? "" : ", pseudopotentials");
}

std::string crystal_text(const System& y) {
  const Crystal& c = *y.molecule->crystal;
  double error = 0;
  bool waves = false;
  for (const auto& spin : c.spin)
    if (spin) error = std::max(error, spin->error), waves = waves || !spin->plain();
  const bool gamma = c.twist == std::array<double, 3>{};
  return fmt::format(
      "system   crystal {}: {} ({} up, {} down), cell of {:.6g} bohr^3{}{}{}\n"
      "         splines on a mesh of {} x {} x {}{}, relative error of the orbitals {:.1e}\n",
      y.molecule->formula(), app::counted(static_cast<long>(y.netot()), "electron"), y.nele[0], y.nele[1], y.volume(),
      c.copies > 1 ? fmt::format(", {} cells of the file", c.copies) : "",
      gamma ? "" : fmt::format(", twist ({:g}, {:g}, {:g})", c.twist[0], c.twist[1], c.twist[2]),
      y.molecule->potential.empty() ? "" : ", pseudopotentials", c.mesh[0], c.mesh[1], c.mesh[2],
      c.complex ? ", complex, times exp(i k.r)"
      : waves   ? ", times exp(i k.r)"
                : "",
      error);
}

std::string twists_text(const Settings& s) {
  if (s.twists.size() < 2) return "";
  return fmt::format("         and {} more, whose energies are averaged\n", app::counted(s.twists.size() - 1, "twist"));
}

void describe(const Settings& s, std::ostream& out) {
  const System& y = s.system;
  if (y.crystal()) out << crystal_text(y) << twists_text(s);
  else if (y.molecule) out << molecule_text(y);
  else
    out << fmt::format("system   {} electrons ({} up, {} down), r_s {:g}, {} cell of {:.6g} bohr^3\n", y.netot(), y.nele[0], y.nele[1],
                       y.rs, name_of(y.lattice), y.volume());
  out << "trial    " << factor_text(s.jastrow) << "\n";
  if (s.casino.any()) out << "method   " << method_text(s) << "\n" << s.casino.text();
}

MethodOutput run_method(const Settings& s, app::Context& context) {
  switch (s.method) {
    case Method::dmc: return run_dmc(s, context);
    case Method::optimise: return run_optimise(s, context);
    default: return run_vmc(s, context);
  }
}

class VmcApp final : public app::App, public app::StarterFromFiles {
public:
  const char* name() const override { return "vmc"; }
  const char* summary() const override {
    return "quantum Monte Carlo of the electron gas, molecules and crystals: VMC, DMC, optimisation of the "
           "Jastrow factor";
  }
  const std::vector<app::Key>& keys() const override { return input_keys(); }

  app::Starter::Start from(const std::filesystem::path& source, const std::filesystem::path& folder) const override {
    return start_from(source, folder);
  }

  void check(const app::Input& input, std::ostream& out) const override { describe(read_settings(input), out); }

  nlohmann::ordered_json results_schema() const override { return vmc::results_schema(); }

  nlohmann::ordered_json run(const app::Input& input, app::Context& context) const override {
    const Settings settings = read_settings(input);
    context.outcome.warnings = settings.casino.warnings();
    for (const auto& key : settings.unused) context.outcome.warnings.push_back("'" + key + "' has no effect with this method");
    if (settings.casino.any()) context.out << "method   " << method_text(settings) << "\n" << settings.casino.text();
    MethodOutput outcome = settings.twists.empty() ? run_method(settings, context) : run_twists(settings, context, run_method);
    if (settings.casino.any()) outcome.results["casino_input"] = app::json_of(result_of(settings.casino));
    context.out << outcome.table;
    app::write_files(context, outcome.files, outcome.results);
    if (settings.method != Method::optimise && outcome.continue_file) outcome.results["files"].push_back(outcome.continue_file);
    if (outcome.stopped_by)
      throw app::Stopped(outcome.stopped_by, outcome.results,
                         std::string("to continue: --set ") + outcome.continue_key + "=" +
                             app::shell_word((context.folder / outcome.continue_file).string()));
    return outcome.results;
  }

  Sample sample(const app::Input& input) const override { return typical_call(read_settings(input)); }
};

}  // namespace
}  // namespace suite::vmc

std::unique_ptr<suite::app::App> suite::app::make_vmc() { return std::make_unique<suite::vmc::VmcApp>(); }
