// SPDX-License-Identifier: BSD-3-Clause
#include "candidate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sys/resource.h>

#include "common/distinct_names.hpp"
#include "common/machine.hpp"
#include "common/near.hpp"
#include "installed.hpp"
#include "timed_kernel.hpp"

namespace suite::app {
namespace {

constexpr double shortest_sample_s = 2e-3;  // below this, clock resolution and thread start-up are visible
constexpr long most_runs = 1000;

long runs_in_a_sample(double run_s) {
  return std::clamp(static_cast<long>(std::ceil(shortest_sample_s / std::max(run_s, 1e-9))), 1L, most_runs);
}

// Cost of one run. libsuite skips the host arrays of a call on a device, which may be gone; here they are kept, so that all
// implementations are counted alike.
suite_cost cost_of(const Kernel& kernel) {
  const suite_kernel_table& table = kernel.table();
  std::vector<suite_array> arguments;
  for (uint32_t i = 0; i < table.argument_count; ++i) arguments.push_back(kernel.argument(table.arguments[i].name));
  std::vector<int64_t> parameters(table.parameter_count);
  suite_error error{};
  for (uint32_t i = 0; i < table.parameter_count; ++i)
    require(suite_get_parameter(kernel.handle(), table.parameters[i].name, &parameters[i], &error), error);
  suite_cost cost = kernel.cost();
  table.cost(arguments.data(), parameters.data(), &cost);
  return cost;
}

}  // namespace

Candidate::Candidate(const std::string& kernel, const std::string& implementation, const std::string& variant, const Parameters& parameters)
    : kernel_(kernel, implementation), record_(record_of(kernel_)) {
  const suite_kernel_table& table = kernel_.table();
  for (const auto& parameter : parameters) set_parameter(kernel_, parameter);
  record_.parameters = parameters;
  if (!variant.empty()) {
    const auto known = variants_of(table);
    // If no variant is named "best", the implementation's default is the best.
    const bool own_default = variant == "best" && std::find(known.begin(), known.end(), variant) == known.end();
    if (find_parameter(table, "variant") && !own_default) kernel_.choose("variant", variant);
    else if (variant != "best")
      throw Failure(SUITE_NOT_FOUND, std::string("implementation '") + table.implementation + "' of " + kernel + " has no variants; got " +
                                         in_quotes(variant));
  }
  if (implementation.find('/') != std::string::npos) record_.implementation = implementation;
  device_ = record_.backend + device_part(implementation);
  // With several processes, each may have been given a different device.
  if (const std::string given = suite_device_name(suite_call_device(kernel_.handle()));
      device_ == record_.backend && given != device_ + ":0")
    device_ = given;
  if (const suite_parameter* p = find_parameter(table, "variant"); p && p->choices) {
    int64_t value = p->value;
    suite_error error{};
    require(suite_get_parameter(kernel_.handle(), "variant", &value, &error), error);
    record_.variant = p->choices[value].name;
  }
  energy_.emplace(device_);
  name_ = distinct_names({record_.implementation}).begin()->second;
  label_ = untuned_label();
}

void Candidate::name_apart(const std::vector<std::unique_ptr<Candidate>>& candidates) {
  std::vector<std::string> implementations;
  for (const auto& candidate : candidates) implementations.push_back(candidate->record_.implementation);
  const auto names = distinct_names(implementations);
  for (const auto& candidate : candidates) {
    candidate->name_ = names.at(candidate->record_.implementation);
    candidate->label_ = candidate->untuned_label();
  }
}

std::string Candidate::untuned_label() const {
  return name_ + (record_.variant.empty() ? "" : " " + record_.variant) + parameters_text(record_.parameters);
}

void Candidate::adopt_tuned_settings() {
  if (!tuned_ || tuned_->empty()) return;
  for (const auto& earlier : record_.tuned)
    kernel_.set_parameter(earlier.name.c_str(), find_parameter(kernel_.table(), earlier.name)->value);
  record_.tuned =
      tuned_->settings_for(tuned_for(kernel_, record_.variant, record_.plugin_file, record_.device, threads_in_use()), record_.parameters);
  for (const auto& setting : record_.tuned) set_parameter(kernel_, setting);
  label_ = untuned_label() + parameters_text(record_.tuned) + (record_.tuned.empty() ? "" : " (tuned)");
}

std::vector<Output> Candidate::first_run(const SetArguments& set, const SetArguments& part) {
  set(kernel_);
  adopt_tuned_settings();
  if (part) part(kernel_);
  const suite_kernel_table& table = kernel_.table();
  for (uint32_t i = 0; i < table.argument_count; ++i) {
    // An element that the kernel never writes must not keep the correct value from another candidate's run.
    const suite_array bound = kernel_.argument(table.arguments[i].name);
    // The results of timed runs are not read.
    if ((table.arguments[i].intent & SUITE_OUT) && bound.rank >= 0) kernel_.keep(table.arguments[i].name);
    if ((table.arguments[i].intent & SUITE_INOUT) == SUITE_OUT && bound.rank > 0 && bound.data && bound.place == SUITE_HOST)
      std::memset(bound.data, 0xff, static_cast<size_t>(count_of(bound)) * suite_type_size(bound.type));
  }
  first_s_ = kernel_.run();
  runs_ = runs_in_a_sample(first_s_);
  cost_ = cost_of(kernel_);
  merit_ = kernel_.merit();
  if (suite_overheads(kernel_.handle(), &overheads_.prepare_s, &overheads_.upload_s) != SUITE_OK) overheads_ = {};
  const double begin = wall_s();
  auto outputs = outputs_of(kernel_);
  if (overheads_.upload_s > 0) overheads_.download_s = wall_s() - begin;
  warm_ = {first_s_, first_s_, 0, 0};
  return outputs;
}

bool Candidate::warm_up_turn() {
  constexpr double faster = 0.98, enough_s = 0.5;
  constexpr long most = 10;
  if (warm_.level >= 2 || warm_.samples >= most || warm_.spent_s >= enough_s) return false;
  const double begin = wall_s(), seconds = runs_of_a_sample();
  warm_.spent_s += wall_s() - begin;
  ++warm_.samples;
  warm_.level = seconds < faster * warm_.fastest_s ? 0 : warm_.level + 1;
  warm_.fastest_s = std::min(warm_.fastest_s, seconds);
  runs_ = runs_in_a_sample(warm_.fastest_s);
  return true;
}

double Candidate::runs_of_a_sample() {
  double seconds = 0;
  for (long i = 0; i < runs_; ++i) seconds += kernel_.run();
  return seconds / static_cast<double>(runs_);
}

void Candidate::accept(const Verification& verification) { record_.verification = verification; }

namespace {

// Number of times the system preempted a thread of this program.
long preemptions() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nivcsw;
}

}  // namespace

void Candidate::sample() {
  constexpr double short_s = 0.05;  // in a longer sample, another program's time slice is a small fraction
  constexpr int most = 4;
  double cpu = 0, wall = 0, seconds = 0, waited = 0;
  for (int attempt = 1;; ++attempt) {
    const long before = preemptions();
    waited = waited_s();
    cpu = cpu_s();
    wall = wall_s();
    energy_->begin();
    seconds = runs_of_a_sample();
    if (attempt == most || wall_s() - wall > short_s || preemptions() == before) break;
    ++taken_again_;
  }
  const double cpu_used = cpu_s() - cpu, wall_used = wall_s() - wall;
  if (const double share = waited_share(waited_s() - waited, cpu_used); std::isfinite(share)) waited_.push_back(share);
  energy_->end(wall_used, static_cast<double>(runs_));
  const auto& joules = energy_->joules();
  record_.energy_why = joules.empty() ? energy_->why_not() : "";
  if (!joules.empty() || !record_.energy_why.empty()) record_.energy_J = joules;
  record_.samples_s.push_back(seconds);
  record_.cpu_samples_s.push_back(cpu_used / static_cast<double>(runs_));
  record_.flops += cost_.flops;
  record_.bytes += cost_.bytes;
  record_.merit.count += merit_;
}

void Candidate::conclude() {
  if (record_.samples_s.empty()) return;
  record_.conclude();
  record_.waited_fraction = waited();
  record_.prepare_s = overheads_.prepare_s;
  record_.upload_s = overheads_.upload_s;
  record_.download_s = overheads_.download_s;
  record_.warm_up_samples = warm_.samples;
  record_.samples_taken_again = taken_again_;
}

const std::vector<Output>& Truth::of(const Candidate& candidate) {
  const Kernel reference(kernel_, "reference");
  Parameters common;
  for (const auto& parameter : candidate.record().parameters)
    if (find_parameter(reference.table(), parameter.name)) common.push_back(parameter);
  const auto [at, is_new] = known_.try_emplace(parameters_text(common));
  if (is_new) at->second = Candidate(kernel_, "reference", "", common).first_run(set_);
  return at->second;
}

}  // namespace suite::app
