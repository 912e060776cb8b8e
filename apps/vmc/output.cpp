// SPDX-License-Identifier: BSD-3-Clause
// Table, results and data files of a VMC run.
#include <cmath>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "measure/fields_json.hpp"
#include "components.hpp"
#include "hartree_fock.hpp"
#include "vmc.hpp"

namespace suite::vmc {
namespace {

double samples_of(const VmcResult& r) { return static_cast<double>(r.energy.part[part::total].samples); }

std::string csv(const std::string& x, const Curves& curves, const std::string& remark) {
  std::string text = "# " + remark + "\n" + x;
  for (const auto& curve : curves.curves) text += "," + curve.name + "," + curve.name + "_error";
  text += "\n";
  for (size_t i = 0; i < curves.x.size(); ++i) {
    text += fmt::format("{:.8g}", curves.x[i]);
    for (const auto& curve : curves.curves) text += fmt::format(",{:.8g},{:.3g}", curve.value[i], curve.error[i]);
    text += "\n";
  }
  return text;
}

std::string trace_csv(const VmcResult& r) {
  std::string text =
      "# steps: energies per walker so far; block: mean since the previous row; mean and error: of all energies so far (Ha)\n"
      "steps,block,mean,error\n";
  for (const auto& t : r.trace) text += fmt::format("{:.0f},{:.10g},{:.10g},{:.3g}\n", t.steps, t.block_mean, t.mean, t.error);
  return text;
}

}  // namespace

std::string table(const Settings& s, const VmcResult& r) {
  const Reblocked& e = r.energy.part[part::total];
  const auto n = static_cast<double>(s.system.netot());
  std::string text = "\n";
  if (r.restarted_at > 0) text += fmt::format("continued from {}, step {}\n", s.restart.string(), r.restarted_at);
  text += fmt::format(" energy        {} Ha   {} Ha per electron\n", with_error(e.mean, e.error), with_error(e.mean / n, e.error / n));
  text += fmt::format(" variance      {} Ha^2\n", with_error(e.variance, r.energy.variance_error));
  text += components_text(s.system, [&](size_t part) { return r.energy.part[part]; });
  if (!s.system.molecule) {
    const double hartree_fock_Ha = hartree_fock(s.system).total();
    text += fmt::format(" Hartree-Fock  {:.8f} Ha (exact sums); this is {} Ha from it\n", hartree_fock_Ha,
                        with_error(e.mean - hartree_fock_Ha, e.error));
  }
  text += fmt::format(
      " {:.0f} energies, correlated over {:.2g} of them{}; {:.1f} % of moves accepted, time step {:.4g} "
      "hbar/Ha\n",
      samples_of(r), e.correlation_time, e.converged ? "" : " or more: the error may be too small", 100 * r.acceptance, r.tau);
  return text + fmt::format(" inverse Slater matrices kept to {:.1e}\n", r.deviation);
}

nlohmann::ordered_json results(const Settings& s, const VmcResult& r) {
  const Reblocked& e = r.energy.part[part::total];
  const auto n = static_cast<double>(s.system.netot());
  VmcResults out;
  out.energy = {e.mean,       e.error,
                e.mean / n,   e.error / n,
                e.variance,   r.energy.variance_error,
                r.acceptance, components_of(s.system, [&](size_t part) { return r.energy.part[part]; })};
  out.reblocking = e;
  if (!s.system.molecule) out.hartree_fock = hartree_fock(s.system).total();
  out.walkers = s.vmc.walkers;
  out.steps = r.steps;
  out.time_step = r.tau;
  out.inverse_deviation = r.deviation;
  out.restarted_at_step = r.restarted_at;
  out.equilibration_s = r.equilibration_s;
  out.sampling_s = r.sampling_s;
  const double moves = (samples_of(r) - static_cast<double>(r.restarted_at * s.vmc.walkers)) * static_cast<double>(s.vmc.decorrelation) * n;
  if (r.sampling_s > 0) out.moves_per_s = moves / r.sampling_s;
  return app::json_of(out);
}

nlohmann::ordered_json results_schema() {
  return {
      {"oneOf",
       {app::schema_of<VmcResults>(), app::schema_of<DmcResults>(), app::schema_of<TwistsResults>(), app::schema_of<OptimiseResults>()}}};
}

std::vector<app::TextFile> text_files(const Settings& s, const VmcResult& r) {
  std::vector<app::TextFile> files{{"energy.csv", trace_csv(r)}};
  if (s.pair_correlation)
    files.push_back({"pair_correlation.csv", csv("r_bohr", r.pair_correlation, "pair correlation function g(r) by spin")});
  if (s.structure_factor)
    files.push_back({"structure_factor.csv", csv("k_per_bohr", r.structure_factor, "static structure factor <rho_k rho_-k>/N by spin")});
  if (s.density) files.push_back({"density.csv", csv("fraction", r.density, "electrons per bohr^3 along the vectors of the cell")});
  return files;
}

}  // namespace suite::vmc
