// SPDX-License-Identifier: BSD-3-Clause
#include "vmc_app.hpp"

#include <ostream>

#include <nlohmann/json.hpp>

#include "../common/print.hpp"
#include "../common/stop.hpp"
#include "run.hpp"
#include "sample.hpp"
#include "settings.hpp"

namespace suite::vmc {
namespace {

using app::print;

std::string factor_text(const Jastrow& j) {
  if (!j.has_u() && !j.has_p()) return "Slater determinants alone";
  std::string text = "Slater-Jastrow";
  if (j.has_u())
    text += print(", u: %s with %d x %d coefficients up to %.5g bohr",
                  j.form == Form::polynomial ? "polynomial" : "B-spline", j.nset_u, j.nalpha, j.L_u);
  if (j.has_p()) text += print(", p: %d stars with %lld G", j.nstar, static_cast<long long>(j.ngvec()));
  return text;
}

void describe(const Settings& s, std::ostream& out) {
  const System& y = s.system;
  out << print("system   %lld electrons (%d up, %d down), r_s %g, %s cell of %.6g bohr^3\n",
               static_cast<long long>(y.netot()), y.nele[0], y.nele[1], y.rs, name_of(y.lattice), y.volume())
      << "trial    " << factor_text(s.jastrow) << "\n";
}

Settings settings_of(const app::Input& input) {
  Settings s = read_settings(input);
  input.finish();
  return s;
}

Outcome run_method(const Settings& s, app::Context& context) {
  switch (s.method) {
    case Method::dmc:
      return run_dmc(s, context);
    case Method::optimise:
      return run_optimise(s, context);
    default:
      return run_vmc(s, context);
  }
}

class VmcApp final : public app::App {
public:
  const char* name() const override { return "vmc"; }
  const char* summary() const override {
    return "quantum Monte Carlo of the homogeneous electron gas: VMC, DMC, optimisation of the Jastrow "
           "factor";
  }
  const std::vector<app::Key>& keys() const override { return input_keys(); }

  void check(const app::Input& input, std::ostream& out) const override { describe(settings_of(input), out); }

  nlohmann::ordered_json run(const app::Input& input, app::Context& context) const override {
    const Settings settings = settings_of(input);
    Outcome outcome = run_method(settings, context);
    context.out << outcome.table;
    app::leave_files(context, outcome.files, outcome.results);
    if (settings.method != Method::optimise) outcome.results["files"].push_back(outcome.go_on_file);
    if (outcome.stopped_by)
      throw app::Stopped(outcome.stopped_by, outcome.results,
                         std::string("go on from here with --set ") + outcome.go_on_key + "=" +
                             (context.folder / outcome.go_on_file).string());
    return outcome.results;
  }

  Sample sample(const app::Input& input) const override { return typical_call(settings_of(input)); }
};

}  // namespace
}  // namespace suite::vmc

std::unique_ptr<suite::app::App> suite::app::make_vmc() { return std::make_unique<suite::vmc::VmcApp>(); }
