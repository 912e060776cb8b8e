// SPDX-License-Identifier: BSD-3-Clause
// The kernels of a cuda plugin whose device code runs in the executor, against `reference`, over the sizes that they generate for
// tests: with their defaults at each size, with each other choice of a parameter and both ends of each knob at every third. What the
// executor finds wrong ends a launch, so that its sentence is the failure.
//   test_ptx_agreement FILE.so [--kernel NAME] [--sizes N]   of the first N sizes only
#include <chrono>
#include <cstring>
#include <iostream>
#include <limits>
#include <set>
#include <sstream>
#include <vector>

#include <suite/suite.hpp>

#include "../plugins/cases.hpp"

namespace {

using namespace suite::test;
using suite::Failure;
using suite::Kernel;

Cases cases;
int differences = 0, compared = 0;

void say(const std::string& text) {
  ++differences;
  std::cout << "DIFFERS " << text << std::endl;
}

// What is set, and how it is said.
struct Setting {
  std::string parameter, choice;  // no choice: a knob
  int64_t value = 0;
  double tolerance = 0;
  bool of_reference = false;  // it says what is computed
};

// False past the last size.
bool compare(Kernel& kernel, const std::string& name, int index, const Setting& setting) {
  Choices choices;
  if (setting.of_reference) choices[setting.parameter] = setting.choice;
  const Case* const c = cases.get(name, index, seeds[0], choices);
  if (!c) return false;
  std::map<std::string, Owned> arguments = c->before;
  for (auto& [argument, owned] : arguments) owned.array.data = owned.bytes.data();
  std::string what = name + " test:" + std::to_string(index);
  if (!setting.parameter.empty())
    what += " " + setting.parameter + "=" + (setting.choice.empty() ? std::to_string(setting.value) : setting.choice);
  const auto begin = std::chrono::steady_clock::now();
  kernel.forget();
  Cases::bind(kernel, arguments);
  try {
    kernel.run();
  } catch (const Failure& failure) {
    if (failure.status() == SUITE_UNSUPPORTED) std::cout << "SKIPPED " << what << ": " << failure.what() << std::endl;
    else say(what + ": " + failure.what());
    return true;
  }
  const auto& table = kernel.table();
  double worst = 0;
  for (uint32_t i = 0; i < table.argument_count; ++i) {
    const auto truth = c->after.find(table.arguments[i].name);
    if (truth == c->after.end()) continue;
    Owned result(truth->second.array);
    kernel.get(table.arguments[i].name, result.array);
    const Distance d = distance(result, truth->second);
    const double allowed = suite::allowed(table.arguments[i], suite::tolerance_factor(kernel), setting.tolerance);
    worst = std::max(worst, d.relative / allowed);
    if (!(d.relative <= allowed)) {
      std::ostringstream said;
      said << what << ": " << truth->first << element(result.array, d.where) << " is " << number(result.array, result.bytes.data(), d.where)
           << ", the reference has " << number(result.array, truth->second.bytes.data(), d.where) << ": relative " << d.relative << " > "
           << allowed;
      say(said.str());
    }
    ++compared;
  }
  std::cout << what << ": largest error " << worst << " of the tolerance, "
            << std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() << " s" << std::endl;
  return true;
}

// The choices and ends of knobs that are not the default.
std::vector<Setting> settings_of(const suite_kernel_table& table) {
  std::vector<Setting> all;
  for (uint32_t p = 0; p < table.parameter_count; ++p) {
    const suite_parameter& parameter = table.parameters[p];
    for (int64_t n = 0; parameter.choices && n < parameter.choice_count; ++n)
      if (n != parameter.value)
        all.push_back({parameter.name, parameter.choices[n].name, n, parameter.choices[n].tolerance, parameter.changes_result != 0});
    if (!parameter.choices)
      for (const int64_t end : {parameter.low, parameter.high})
        if (end != parameter.value) all.push_back({parameter.name, "", end, 0, false});
  }
  return all;
}

void all_of(const std::string& file, const std::string& name, int sizes) {
  const auto plain = std::make_unique<Kernel>(name, file);
  for (int index = 0; index < sizes && compare(*plain, name, index, {}); ++index) {}
  int turn = 0;
  for (const Setting& setting : settings_of(plain->table())) {
    Kernel kernel(name, file);
    if (setting.choice.empty()) kernel.set_parameter(setting.parameter.c_str(), setting.value);
    else kernel.choose(setting.parameter.c_str(), setting.choice);
    for (int index = turn++ % 3; index < sizes && compare(kernel, name, index, setting); index += 3) {}
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::string file, only;
  int sizes = std::numeric_limits<int>::max();
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--kernel" && i + 1 < argc) only = argv[++i];
    else if (word == "--sizes" && i + 1 < argc) sizes = std::atoi(argv[++i]);
    else file = word;
  }
  std::set<std::string> names;
  suite_visit(
      [](void* with, const char*, const suite_plugin* plugin, const char*) {
        for (uint32_t k = 0; plugin && k < plugin->kernel_count; ++k)
          if (!std::strcmp(plugin->kernels[k]->implementation, "reference"))
            static_cast<std::set<std::string>*>(with)->insert(plugin->kernels[k]->kernel);
      },
      &names);
  for (const std::string& name : names) {
    if (!only.empty() && name != only) continue;
    try {
      all_of(file, name, sizes);
    } catch (const Failure& failure) {
      // Other families' kernels are not in the file.
      if (failure.status() != SUITE_NOT_FOUND) say(name + ": " + failure.what());
      else if (file.find("suite_" + name.substr(0, name.find('.')) + "_") != std::string::npos)
        std::cout << "not compared: " << failure.what() << std::endl;
    }
  }
  std::cout << compared << " arrays compared, " << differences << " differ" << std::endl;
  return differences == 0 && compared > 0 ? 0 : 1;
}
