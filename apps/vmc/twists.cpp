// SPDX-License-Identifier: BSD-3-Clause
#include "twists.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "common/near.hpp"
#include "measure/fields_json.hpp"
#include "results.hpp"

namespace suite::vmc {
namespace {

using nlohmann::ordered_json;

std::string text_of(const std::array<double, 3>& twist) { return fmt::format("({:g}, {:g}, {:g})", twist[0], twist[1], twist[2]); }

std::string folder_of(size_t index) { return fmt::format("twist_{}", index + 1); }

// Weighted mean of independent numbers.
class WeightedAverage {
public:
  void add(double weight, double mean, double error) {
    weight_ += weight, sum_ += weight * mean, squares_ += weight * mean * mean, errors_ += weight * weight * error * error;
  }
  PartResult result() const { return {sum_ / weight_, std::sqrt(errors_) / weight_}; }
  double spread() const { return std::sqrt(std::max(0.0, squares_ / weight_ - std::pow(sum_ / weight_, 2))); }

private:
  double weight_ = 0, sum_ = 0, squares_ = 0, errors_ = 0;
};

class Twists {
public:
  Twists(const Settings& settings, app::Context& context) : settings_(settings), context_(context) {
    out_.method = settings.method == Method::dmc ? "dmc" : "vmc";
  }

  // One twist, and what it says of the run.
  void run(size_t index, MethodOutput (*run_method)(const Settings&, app::Context&)) {
    const TwistSystem& at = settings_.twists[index];
    Settings own = settings_;
    own.twists.clear();
    own.system = at.system;
    own.seed += static_cast<int64_t>(index);
    const std::string name = folder_of(index);
    if (!settings_.restart.empty()) {
      own.restart = checkpoint_beside(settings_.restart, index);
      if (!std::filesystem::exists(own.restart)) own.restart.clear();  // the run had not come to it
    }
    if (context_.world.root()) std::filesystem::create_directories(context_.folder / name);
    context_.world.barrier();
    app::Outcome outcome;
    app::Context context{context_.world,   context_.progress, context_.out, context_.folder / name, context_.implementation,
                         context_.variant, context_.kernels,  outcome,      context_.parameters,    context_.deterministic};
    MethodOutput found = sampled(own, context, index, run_method);
    for (const auto& file : found.results["files"]) out_.ending.files.push_back(name + "/" + file.get<std::string>());
    out_.ending.files.push_back(name + "/" + found.continue_file);
    for (app::ConsistencyCheck& check : outcome.checks) {
      check.name += ", twist " + text_of(at.twist);
      context_.outcome.checks.push_back(std::move(check));
    }
    for (const std::string& warning : outcome.warnings) context_.outcome.warnings.push_back("twist " + text_of(at.twist) + ": " + warning);
    add(at, found.results);
  }

  MethodOutput result() {
    const PartResult mean = energy_.result();
    const auto n = static_cast<double>(settings_.system.netot());
    out_.mean = mean.mean, out_.error = mean.error;
    out_.of_electron = mean.mean / n, out_.error_of_electron = mean.error / n;
    out_.spread = energy_.spread();
    for (const auto& [name, average] : components_) out_.components.push_back({name, average.result()});
    if (extrapolated_count_ == settings_.twists.size()) out_.extrapolated = extrapolated_.result();
    app::Observable energies{"energies of the twists", "Ha", {}, {}, exact_to, {}};
    for (const TwistResult& twist : out_.twists) {
      energies.values.push_back(twist.mean), energies.errors.push_back(twist.error);
      energies.labels.push_back("twist " + text_of({twist.twist[0], twist.twist[1], twist.twist[2]}));
    }
    context_.outcome.observables.push_back({"energy, mean of the twists", "Ha", {mean.mean}, {}, exact_to, {mean.error}});
    context_.outcome.observables.push_back(std::move(energies));
    MethodOutput output;
    output.table = table();
    output.results = app::json_of(out_);
    output.continue_file = nullptr;
    return output;
  }

private:
  // What the method finds. Where a signal stops it, the twists that are done can be continued from.
  MethodOutput sampled(const Settings& own, app::Context& context, size_t index,
                       MethodOutput (*run_method)(const Settings&, app::Context&)) {
    int signal = 0;
    std::string last = folder_of(index);
    try {
      MethodOutput found = run_method(own, context);
      app::write_files(context, found.files, found.results);
      if (!found.stopped_by) return found;
      signal = found.stopped_by;
    } catch (const app::Stopped& stopped) {  // before the twist had a checkpoint
      if (index == 0) throw;
      signal = stopped.signal();
      last = folder_of(index - 1);
    }
    throw app::Stopped(signal, {},
                       fmt::format("it was at twist {} of {}; to continue: --set restart.file={}", index + 1, settings_.twists.size(),
                                   app::shell_word((context_.folder / last / "checkpoint.h5").string())));
  }

  static constexpr double exact_to = 1e-8;  // Ha

  void add(const TwistSystem& at, const ordered_json& results) {
    const double mean = results.at("energy_Ha"), error = results.at("error_Ha");
    out_.twists.push_back({{at.twist.begin(), at.twist.end()}, at.weight, mean, error, results.at("variance"), results.at("acceptance")});
    energy_.add(at.weight, mean, error);
    if (components_.empty())
      for (const auto& [name, part] : results.at("components").items()) components_.push_back({name, {}});
    for (auto& [name, average] : components_) {
      const auto& part = results.at("components").at(name);
      average.add(at.weight, part.at("mean_Ha"), part.at("error_Ha"));
    }
    if (!results.contains("extrapolated")) return;
    ++extrapolated_count_;
    extrapolated_.add(at.weight, results["extrapolated"].at("energy_Ha"), results["extrapolated"].at("error_Ha"));
  }

  std::string table() const {
    std::string text = fmt::format("\n {:<28} {:<8} {:<20} {:<12} {}\n", "twist", "weight", "energy (Ha)", "variance", "accepted");
    for (const TwistResult& t : out_.twists)
      text += fmt::format(" {:<28} {:<8g} {:<20} {:<12.5g} {:.3f}\n", text_of({t.twist[0], t.twist[1], t.twist[2]}), t.weight,
                          with_error(t.mean, t.error), t.variance, t.acceptance);
    text += fmt::format(" mean energy   {} Ha   {} Ha per electron; standard deviation between twists {:.4g} Ha\n",
                        with_error(out_.mean, out_.error), with_error(out_.of_electron, out_.error_of_electron), out_.spread);
    if (out_.extrapolated)
      text += fmt::format(" at the time step 0  {} Ha\n", with_error(out_.extrapolated->mean, out_.extrapolated->error));
    for (const auto& [name, part] : out_.components) text += fmt::format(" {:<13} {} Ha\n", name, with_error(part.mean, part.error));
    return text;
  }

  const Settings& settings_;
  app::Context& context_;
  TwistsResults out_;
  WeightedAverage energy_, extrapolated_;
  size_t extrapolated_count_ = 0;
  std::vector<std::pair<std::string, WeightedAverage>> components_;
};

}  // namespace

std::filesystem::path checkpoint_beside(const std::filesystem::path& other, size_t index) {
  return other.parent_path().parent_path() / folder_of(index) / "checkpoint.h5";
}

MethodOutput run_twists(const Settings& settings, app::Context& context, MethodOutput (*run_method)(const Settings&, app::Context&)) {
  Twists twists(settings, context);
  for (size_t i = 0; i < settings.twists.size(); ++i) twists.run(i, run_method);
  return twists.result();
}

}  // namespace suite::vmc
