// SPDX-License-Identifier: BSD-3-Clause
#include "benchmark.hpp"

#include <algorithm>
#include <array>
#include <ostream>
#include <vector>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "measure/fields_json.hpp"
#include "measure/timed_kernel.hpp"
#include "results.hpp"

namespace suite::tddft {
namespace {

using app::device_of, app::TimedKernel;

// "electron" in the source is the rest of lfd.propagate without the field. The two cannot be separated inside a call, so the field is timed
// separately on the same data.
constexpr int64_t most_field_samples = 20;

struct Times {
  double total = 0, field = 0, energy = 0;
  double electron() const { return total - field - energy; }
};

struct Published {
  int64_t orbitals;
  const char* machine;
  double total, electron, field;
};
// Tables of the source (compiler xlr; its case 1 lists no energy).
constexpr Published published[] = {{32, "Power9, original code", 95.7997, 46.7649, 42.0905},
                                   {32, "V100, asynchronous offload", 6.74293, 0.449227, 5.56158},
                                   {64, "Power9, original code", 314.458, 92.8069, 208.392},
                                   {64, "V100, asynchronous offload", 29.0229, 0.831752, 27.457}};

bool like_the_source(const Settings& s) {
  const Benchmark& b = *s.benchmark;
  const PropagationSettings& p = s.propagation;
  return b.grid.points == std::array{32, 32, 32} && p.steps == 1000 &&
         ((b.orbitals == 64 && p.field_steps == 1100) || (b.orbitals == 32 && p.field_steps == 220));
}

bool is_wave_equation(const std::string& field) { return field == "loop" || field == "fused" || field == "closed"; }

// Seconds per time step spent in the field, measured separately.
class FieldAlone {
public:
  FieldAlone(const Settings& s, Kernel& propagate, const app::Context& context, const Device& device)
      : name_(is_wave_equation(s.benchmark->field) ? "lfd.field_prop" : "lfd.spectral_field_solve"),
        kernel_(name_, context.implementation, is_wave_equation(s.benchmark->field) ? s.benchmark->field : "", device) {
    if (const std::string& field = s.benchmark->field; field == "isolated" || field == "continuum") kernel_->choose("laplacian", field);
    for (const char* argument : {"vH", "rho", "h"}) kernel_->set(argument, propagate.argument(argument));
    if (!is_wave_equation(s.benchmark->field)) return;
    for (const char* argument : {"kappa", "gamma", "field_steps"})
      if (propagate.argument(argument).rank >= 0) kernel_->set(argument, propagate.argument(argument));
  }
  double sample() {
    kernel_.run();
    return kernel_.record().samples_s.back();
  }
  const app::Row& record() const { return kernel_.record(); }

private:
  std::string name_;
  TimedKernel kernel_;
};

// Data exchanged between the kernels stay on the device, in shared arrays.
class SharedState {
public:
  SharedState(Kernel& propagate, const Device& device) : device_(device.handle()) {
    for (const char* name : {"psi", "vH", "rho"}) {
      const suite_array host = propagate.argument(name);
      suite_array& there = arrays_.emplace_back(host);
      there.data = nullptr;
      suite_error error{};
      require(suite_allocate(device_, &there, &error), error);
      require(suite_upload(device_, &there, &host, &error), error);
      propagate.set(name, there);
    }
  }
  SharedState(const SharedState&) = delete;
  ~SharedState() {
    for (auto& array : arrays_) suite_release(device_, &array);
  }

private:
  suite_device* device_;
  std::vector<suite_array> arrays_;
};

class EnergyAlone {
public:
  EnergyAlone(const Settings& s, Kernel& propagate, const app::Context& context, const Device& device)
      : kernel_("lfd.calc_energy", context.implementation, "", device), orbital_(2 * static_cast<size_t>(s.benchmark->orbitals)) {
    kernel_->choose("functional", s.ground_state.functional);
    for (const char* argument : {"psi", "f", "h", "vloc", "vH", "rho"}) kernel_->set(argument, propagate.argument(argument));
    kernel_->set("ekin", orbital_.data(), {s.benchmark->orbitals});
    kernel_->set("enl", orbital_.data() + s.benchmark->orbitals, {s.benchmark->orbitals});
    kernel_->set("energy", parts_.data(), {5});
    for (const char* unread : {"ekin", "enl"}) kernel_->keep(unread);
  }
  double operator()() {
    kernel_.run();
    kernel_->get("energy", parts_.data(), {5});
    return parts_[0] + parts_[1] + parts_[2] + parts_[3] + parts_[4];
  }
  const app::Row& record() const { return kernel_.record(); }

private:
  TimedKernel kernel_;
  std::vector<double> orbital_;
  std::array<double, 5> parts_{};
};

std::string text_of(const Settings& s, const Times& t, int64_t field_samples) {
  std::string text = fmt::format("\n{:<44}{:>12}{:>12}{:>12}{:>12}\n", "seconds", "total", "electron", "field", "energy");
  text += fmt::format("{:<44}{:12.4f}{:12.4f}{:12.4f}{:12.4f}\n", "this run", t.total, t.electron(), t.field, t.energy);
  if (like_the_source(s))
    for (const auto& p : published)
      if (p.orbitals == s.benchmark->orbitals)
        text += fmt::format("{:<44}{:12.4f}{:12.4f}{:12.4f}\n", (std::string("published: ") + p.machine), p.total, p.electron, p.field);
  if (s.benchmark->field != "frozen")
    text += fmt::format("field: {} calls by themselves, scaled to {} steps; electron: the rest\n", field_samples, s.propagation.steps);
  return text;
}

}  // namespace

std::string benchmark_size(const Settings& s, int64_t steps) {
  const auto& grid = s.benchmark->grid;
  const PropagationSettings& p = s.propagation;
  std::string size = fmt::format("Nx={},Ny={},Nz={},Norb={},nsteps={},field_steps={},h={:.12g},dt={:.12g},gamma={:.12g}", grid.points[0],
                                 grid.points[1], grid.points[2], s.benchmark->orbitals, steps, p.field_steps, grid.h[0], p.dt, p.gamma);
  return size + (p.single ? ",precision=single" : "");
}

void choose_benchmark(const Settings& s, Kernel& propagate) {
  propagate.choose("field", s.benchmark->field);
  propagate.choose("functional", s.ground_state.functional);
  propagate.choose("mass_correction", s.propagation.mass_correction ? "on" : "off");
}

nlohmann::ordered_json run_benchmark(const Settings& s, app::Context& context) {
  if (context.world.size() > 1)
    throw Failure(SUITE_UNSUPPORTED, fmt::format("the benchmark runs on one process; {} were started", context.world.size()));
  const Device device = device_of("lfd.propagate", context.implementation);
  TimedKernel propagate("lfd.propagate", context.implementation, context.variant, device, context.parameters);
  const int64_t chunk = std::min(s.benchmark->energy_interval, s.propagation.steps), chunks = s.propagation.steps / chunk;
  if (chunks * chunk != s.propagation.steps)
    throw Failure(SUITE_INVALID_ARGUMENT,
                  fmt::format("benchmark.steps, {}, must be a multiple of benchmark.energy_interval, {}", s.propagation.steps, chunk));
  propagate->generate(benchmark_size(s, chunk), 1);
  choose_benchmark(s, propagate.kernel());
  const SharedState state(propagate.kernel(), device);
  EnergyAlone energy(s, propagate.kernel(), context, device);
  std::vector<double> energies;
  Times times;
  context.progress.start("steps", s.propagation.steps);
  for (int64_t i = 0; i < chunks; ++i) {
    propagate.run();
    energies.push_back(energy());
    context.progress.advance((i + 1) * chunk);
  }
  context.progress.finish();
  const auto sum = [](const std::vector<double>& values) {
    double total = 0;
    for (double v : values) total += v;
    return total;
  };
  times.energy = sum(energy.record().samples_s);
  times.total = sum(propagate.record().samples_s) + times.energy;
  context.kernels.push_back(propagate.record());
  context.kernels.push_back(energy.record());
  const int64_t samples = std::min(most_field_samples, s.propagation.steps);
  if (s.benchmark->field != "frozen") {
    FieldAlone field(s, propagate.kernel(), context, device);
    std::vector<double> seconds;
    for (int64_t i = 0; i < samples; ++i) seconds.push_back(field.sample());
    std::sort(seconds.begin(), seconds.end());
    times.field = seconds[seconds.size() / 2] * static_cast<double>(s.propagation.steps);
    context.kernels.push_back(field.record());
  }
  context.out << text_of(s, times, samples);
  return app::json_of(BenchmarkResults{times.total, times.electron(), times.field, times.energy, energies});
}

}  // namespace suite::tddft
