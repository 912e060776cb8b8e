// SPDX-License-Identifier: BSD-3-Clause
#include "contender.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>
#include <sys/resource.h>

#include "common/distinct_names.hpp"
#include "common/machine.hpp"
#include "common/near.hpp"
#include "common/timed_kernel.hpp"
#include "sizes.hpp"
#include "table.hpp"

namespace suite::app {
namespace {

constexpr double shortest_sample_s = 2e-3;  // below, the clock and the start of threads show
constexpr long most_runs = 1000;

long runs_in_a_sample(double run_s) {
  return std::clamp(static_cast<long>(std::ceil(shortest_sample_s / std::max(run_s, 1e-9))), 1L, most_runs);
}

bool is_output(const suite_argument& argument) { return (argument.intent & SUITE_OUT) != 0; }

// Element i as a number; complex types have two per element.
double component(const Output& output, int64_t i) {
  const char* p = output.bytes.data();
  auto at = [&]<class T>(T value) {
    std::memcpy(&value, p + i * static_cast<int64_t>(sizeof value), sizeof value);
    return static_cast<double>(value);
  };
  switch (output.array.type) {
    case SUITE_INT32: return at(int32_t{});
    case SUITE_INT64: return at(int64_t{});
    case SUITE_REAL32:
    case SUITE_COMPLEX64: return at(float{});
    default: return at(double{});
  }
}

int components(int32_t type) { return type == SUITE_COMPLEX64 || type == SUITE_COMPLEX128 ? 2 : 1; }

std::string element_name(const Output& output, int64_t index) {
  std::string name = output.name;
  for (int d = 0; d < output.array.rank; ++d) {
    name += (d ? "," : "(") + std::to_string(index % output.array.extent[d] + 1);
    index /= output.array.extent[d];
  }
  return output.array.rank ? name + ")" : name;
}

std::string value_text(const Output& output, int64_t index) {
  // The sign of a NaN says nothing.
  auto number = [](double x) {
    std::ostringstream text;
    text.precision(12);
    text << (std::isnan(x) ? std::abs(x) : x);
    return text.str();
  };
  if (components(output.array.type) == 1) return number(component(output, index));
  return "(" + number(component(output, 2 * index)) + ", " + number(component(output, 2 * index + 1)) + ")";
}

template <class F> void each_kernel(F&& seen) {
  suite_visit(
      [](void* with, const char*, const suite_plugin* plugin, const char*) {
        if (plugin)
          for (uint32_t i = 0; i < plugin->kernel_count; ++i) (*static_cast<std::remove_reference_t<F>*>(with))(*plugin->kernels[i]);
      },
      &seen);
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

// What one run has to do. libsuite does not look at host arrays of a call on a device, which may be gone; here they are kept,
// so that all implementations are counted alike.
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

std::vector<Output> outputs_of(Kernel& kernel) {
  std::vector<Output> outputs;
  const suite_kernel_table& table = kernel.table();
  for (uint32_t i = 0; i < table.argument_count; ++i) {
    const suite_argument& argument = table.arguments[i];
    if (!is_output(argument)) continue;
    const suite_array bound = kernel.argument(argument.name);
    if (bound.rank < 0 || !bound.data) continue;
    Output output{argument.name, bound, {}};
    output.bytes.resize(static_cast<size_t>(count_of(bound)) * suite_type_size(bound.type));
    suite_array here = bound;
    here.data = output.bytes.data();
    here.place = SUITE_HOST;
    kernel.get(argument.name, here);
    outputs.push_back(std::move(output));
  }
  return outputs;
}

Verification verify(const Kernel& kernel, const std::vector<Output>& expected, const std::vector<Output>& found, double least_tolerance) {
  const suite_kernel_table& table = kernel.table();
  const double of_choices = std::max(tolerance_of_choices(kernel), least_tolerance), factor = tolerance_factor(kernel);
  Verification result{"verified", 0, ""};
  double worst_excess = 0;
  for (const auto& want : expected) {
    const auto got = std::find_if(found.begin(), found.end(), [&](const Output& o) { return o.name == want.name; });
    if (got == found.end() || got->bytes.size() != want.bytes.size()) return {"failed", INFINITY, want.name + " was not computed"};
    double tolerance = 0;
    for (uint32_t i = 0; i < table.argument_count; ++i)
      if (want.name == table.arguments[i].name) tolerance = allowed(table.arguments[i], factor, of_choices);
    const int c = components(want.array.type);
    const int64_t n = count_of(want.array);
    auto magnitude = [&](int64_t i) { return c == 2 ? std::hypot(component(want, 2 * i), component(want, 2 * i + 1)) : std::abs(component(want, i)); };
    double largest = 0;
    for (int64_t i = 0; i < n; ++i) largest = std::max(largest, magnitude(i));
    for (int64_t i = 0; i < n; ++i) {
      double distance = 0;
      for (int k = 0; k < c; ++k) distance = std::hypot(distance, component(*got, c * i + k) - component(want, c * i + k));
      const double relative = largest > 0 ? distance / largest : distance;
      if (relative > result.max_relative_error) result.max_relative_error = relative;
      if (!(relative <= tolerance)) {
        result.status = "failed";
        const double excess = std::isfinite(relative) ? relative : INFINITY;
        if (result.detail.empty() || excess > worst_excess) {
          worst_excess = excess;
          result.detail = element_name(want, i) + " is " + value_text(*got, i) + ", the reference has " + value_text(want, i);
          if (std::isfinite(relative))
            result.detail += ": off by " + scientific(excess) + " of the largest element, " + scientific(tolerance) + " is allowed";
        }
        if (!std::isfinite(relative)) result.max_relative_error = INFINITY;
      }
    }
  }
  if (expected.empty()) return {"failed", INFINITY, "the reference computed nothing"};
  return result;
}

Contender::Contender(const std::string& kernel, const std::string& implementation, const std::string& variant, const Parameters& parameters)
    : kernel_(kernel, implementation), record_(record_of(kernel_)) {
  const suite_kernel_table& table = kernel_.table();
  for (const auto& parameter : parameters) set_parameter(kernel_, parameter);
  record_.parameters = parameters;
  if (!variant.empty()) {
    const auto known = variants_of(table);
    // Where none is named so, the best is the one that the implementation starts with.
    const bool own_default = variant == "best" && std::find(known.begin(), known.end(), variant) == known.end();
    if (find_parameter(table, "variant") && !own_default) kernel_.choose("variant", variant);
    else if (variant != "best")
      throw Failure(SUITE_NOT_FOUND, std::string("implementation '") + table.implementation + "' of " + kernel + " has no variants; got " + in_quotes(variant));
  }
  if (implementation.find('/') != std::string::npos) record_.implementation = implementation;
  device_ = record_.backend + device_part(implementation);
  // Of several processes each may have been given another one.
  if (const std::string given = suite_device_name(suite_call_device(kernel_.handle())); device_ == record_.backend && given != device_ + ":0") device_ = given;
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

void Contender::name_apart(const std::vector<std::unique_ptr<Contender>>& contenders) {
  std::vector<std::string> implementations;
  for (const auto& contender : contenders) implementations.push_back(contender->record_.implementation);
  const auto names = distinct_names(implementations);
  for (const auto& contender : contenders) {
    contender->name_ = names.at(contender->record_.implementation);
    contender->label_ = contender->untuned_label();
  }
}

std::string Contender::untuned_label() const {
  return name_ + (record_.variant.empty() ? "" : " " + record_.variant) +
         parameters_text(record_.parameters);
}

void Contender::adopt_tuned_settings() {
  if (!tuned_ || tuned_->empty()) return;
  for (const auto& earlier : record_.tuned) kernel_.set_parameter(earlier.name.c_str(), find_parameter(kernel_.table(), earlier.name)->value);
  record_.tuned = tuned_->settings_for(tuned_for(kernel_, record_.variant, record_.plugin_file, record_.device, threads_in_use()), record_.parameters);
  for (const auto& setting : record_.tuned) set_parameter(kernel_, setting);
  label_ = untuned_label() + parameters_text(record_.tuned) + (record_.tuned.empty() ? "" : " (tuned)");
}

std::vector<Output> Contender::first_run(const SetArguments& set) {
  set(kernel_);
  adopt_tuned_settings();
  const suite_kernel_table& table = kernel_.table();
  for (uint32_t i = 0; i < table.argument_count; ++i) {
    // An element that the kernel never writes must not keep the right value of another contender's run.
    const suite_array bound = kernel_.argument(table.arguments[i].name);
    // Nobody looks at the results of the runs that are timed.
    if (is_output(table.arguments[i]) && bound.rank >= 0) kernel_.keep(table.arguments[i].name);
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

bool Contender::warm_up_turn() {
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

double Contender::runs_of_a_sample() {
  double seconds = 0;
  for (long i = 0; i < runs_; ++i) seconds += kernel_.run();
  return seconds / static_cast<double>(runs_);
}

void Contender::accept(const Verification& verification) {
  record_.verification = verification;
}

namespace {

// How often the system took a processor from a thread of this program.
long preemptions() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nivcsw;
}

}  // namespace

void Contender::sample() {
  constexpr double short_s = 0.05;  // in a longer one a turn of another program is a small part
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

void Contender::conclude() {
  if (record_.samples_s.empty()) return;
  record_.conclude();
  record_.waited_fraction = waited();
  record_.prepare_s = overheads_.prepare_s;
  record_.upload_s = overheads_.upload_s;
  record_.download_s = overheads_.download_s;
  record_.warm_up_samples = warm_.samples;
  record_.samples_taken_again = taken_again_;
}

const std::vector<Output>& Truth::of(const Contender& contender) {
  const Kernel reference(kernel_, "reference");
  Parameters common;
  for (const auto& parameter : contender.record().parameters)
    if (find_parameter(reference.table(), parameter.name)) common.push_back(parameter);
  const auto [at, is_new] = known_.try_emplace(parameters_text(common));
  if (is_new) at->second = Contender(kernel_, "reference", "", common).first_run(set_);
  return at->second;
}

std::vector<std::string> variants_of(const suite_kernel_table& table) {
  std::vector<std::string> names;
  if (const suite_parameter* p = find_parameter(table, "variant"); p && p->choices)
    for (const suite_choice& choice : std::span(p->choices, p->choice_count)) names.push_back(choice.name);
  return names;
}

GeneratedArguments::GeneratedArguments(const std::string& kernel, const std::string& size, uint64_t seed) : owner_(kernel, "reference") {
  const suite_kernel_table& table = owner_.table();
  const double need = memory_B(arguments_of(table, size));
  uint64_t free = 0, total = 0;
  suite_error error{};
  require(suite_device_memory(suite_call_device(owner_.handle()), &free, &total, &error), error);
  if (need > static_cast<double>(free))
    throw Failure(SUITE_OUT_OF_MEMORY, "size '" + size + "' of " + kernel + " needs " + bytes_text(need) + "; " + bytes_text(static_cast<double>(free)) +
                                           " of " + bytes_text(static_cast<double>(total)) + " are free. Arguments of " +
                                           fixed(100 * static_cast<double>(free) / need, 2) + " % of that would fit");
  owner_.generate(size, seed);
  for (uint32_t i = 0; i < table.argument_count; ++i) {
    const suite_array bound = owner_.argument(table.arguments[i].name);
    if ((table.arguments[i].intent & SUITE_INOUT) != SUITE_INOUT || bound.rank < 0 || !bound.data) continue;
    const auto* data = static_cast<const char*>(bound.data);
    state_.push_back({table.arguments[i].name, bound, {data, data + static_cast<size_t>(count_of(bound)) * suite_type_size(bound.type)}});
  }
}

std::string GeneratedArguments::small_size() const { return is_single() ? "small,precision=single" : "small"; }

void GeneratedArguments::give(Kernel& kernel) {
  const suite_kernel_table& table = owner_.table();
  for (const auto& start : state_) std::memcpy(start.array.data, start.bytes.data(), start.bytes.size());
  for (uint32_t i = 0; i < table.argument_count; ++i) {
    const suite_array bound = owner_.argument(table.arguments[i].name);
    if (bound.rank >= 0 && bound.data) kernel.set(table.arguments[i].name, bound);
  }
}

std::optional<std::string> find_implementation_on(const std::string& kernel, const std::string& backend) {
  const size_t colon = backend.find(':');
  const std::string name = backend.substr(0, colon), device = colon == std::string::npos ? "" : backend.substr(colon);
  std::vector<std::string> names;
  each_kernel([&](const suite_kernel_table& table) {
    if (kernel == table.kernel && name == table.backend && std::string(table.implementation) != "reference") add_once(names, table.implementation);
  });
  if (names.empty()) return std::nullopt;
  const bool same = std::find(names.begin(), names.end(), name) != names.end();
  return (same ? name : names.front()) + device;
}

std::string implementation_on(const std::string& kernel, const std::string& backend) {
  if (const auto found = find_implementation_on(kernel, backend)) return *found;
  std::vector<std::string> backends;
  each_kernel([&](const suite_kernel_table& table) {
    if (kernel == table.kernel) add_once(backends, table.backend);
  });
  std::string list;
  for (const auto& name : backends) list += (list.empty() ? "" : ", ") + name;
  throw Failure(SUITE_NOT_FOUND, "no implementation of " + kernel + " runs on backend " + in_quotes(backend.substr(0, backend.find(':'))) +
                                     (list.empty() ? "" : " (it runs on: " + list + ")"));
}

std::vector<std::string> implementations_of(const std::string& kernel) {
  std::vector<std::string> names;
  each_kernel([&](const suite_kernel_table& table) {
    if (kernel == table.kernel) add_once(names, table.implementation);
  });
  std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return std::pair(a != "reference", a) < std::pair(b != "reference", b);
  });
  return names;
}

std::vector<std::string> implementations_beside_reference(const std::string& kernel) {
  auto names = implementations_of(kernel);
  std::erase(names, "reference");
  return names;
}

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  each_kernel([&](const suite_kernel_table& table) { add_once(names, table.kernel); });
  std::sort(names.begin(), names.end());
  return names;
}

void require_kernel(const std::string& kernel) {
  const auto names = kernel_names();
  if (std::find(names.begin(), names.end(), kernel) != names.end()) return;
  const auto family_of = [](const std::string& name) { return name.substr(0, name.find('.')); };
  const std::string family = family_of(kernel), sentence = "no kernel " + in_quotes(kernel);
  std::vector<std::string> families;
  std::string kernels_of_family, list;
  for (const auto& name : names) {
    add_once(families, family_of(name));
    if (family_of(name) == family) kernels_of_family += (kernels_of_family.empty() ? "" : ", ") + name;
  }
  for (const auto& name : families) list += (list.empty() ? "" : ", ") + name;
  if (names.empty()) throw Failure(SUITE_NOT_FOUND, sentence + "; no usable plugin was found");
  if (kernels_of_family.empty())
    throw Failure(SUITE_NOT_FOUND, sentence + did_you_mean(kernel, names) + " (families: " + list + "; 'suite list' has their kernels)");
  throw Failure(SUITE_NOT_FOUND, sentence + (kernel == family ? "; it is a family" : did_you_mean(kernel, names)) + " (kernels of " + family + ": " + kernels_of_family + ")");
}

}  // namespace suite::app
