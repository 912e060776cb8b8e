// SPDX-License-Identifier: BSD-3-Clause
// The kernels of a cuda plugin whose device code runs in the executor, against `reference`, over the sizes that they generate for
// tests: with their defaults at each size, with each other choice of a parameter and both ends of each knob at every third. What the
// executor finds wrong ends a launch, so that its sentence is the failure.
//   test_ptx_agreement FILE.so [--kernel NAME] [--sizes N]   of the first N sizes only
//   test_ptx_agreement FILE.so [--cases LIST] [--whole]      the cases that a file lists (plugins/FAMILY/gpu/ptx_cases.txt), or with --whole all.
//                                                            They launch every kernel of the plugin but for those that the list names
//   test_ptx_agreement FILE.so --choose                      tries all and prints such a list: quick cases that launch every kernel
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <vector>

#include <suite/suite.hpp>

#include "../plugins/cases.hpp"

namespace {

using namespace suite::test;
using suite::Failure;
using suite::Kernel;

constexpr int most_sizes = 1000;
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
  std::string text() const { return parameter.empty() ? "" : " " + parameter + "=" + (choice.empty() ? std::to_string(value) : choice); }
};

std::string file;  // of the plugin

// How often each of its kernels was launched.
std::map<std::string, uint64_t> launches() {
  static const auto function = [] {
    void* const runtime = ::dlopen("libsuite_ptx_cudart.so", RTLD_NOW | RTLD_NOLOAD);
    return reinterpret_cast<const char* (*)(const char*)>(runtime ? ::dlsym(runtime, "suite_ptx_launches") : nullptr);
  }();
  std::map<std::string, uint64_t> counts;
  if (!function) return counts;
  std::istringstream lines(function(file.c_str()));
  uint64_t count = 0;
  for (std::string name; lines >> count && std::getline(lines >> std::ws, name);) counts[name] = count;
  return counts;
}

// The cases that are tried, all where it has none, and the kernels that are launched by no case, or by none of these.
struct List {
  std::set<std::string> cases, never, not_here;
  bool given = false, whole = true;
};
List list;
std::set<std::string> unknown_cases;

// What a case takes, and what it launches.
struct Tried {
  std::string what, setting;
  double seconds;
  std::set<std::string> kernels;
};
std::vector<Tried> tried;

// False past the last size. regular: whether the case is one of all.
bool compare(Kernel& kernel, const std::string& name, int index, const Setting& setting, bool regular) {
  const std::string what = name + " test:" + std::to_string(index) + setting.text();
  if (!(list.whole && regular) && !list.cases.contains(what)) return index < most_sizes;
  unknown_cases.erase(what);
  Choices choices;
  if (setting.of_reference) choices[setting.parameter] = setting.choice;
  const Case* const c = cases.get(name, index, seeds[0], choices);
  if (!c) return false;
  std::map<std::string, Owned> arguments = c->before;
  for (auto& [argument, owned] : arguments) owned.array.data = owned.bytes.data();
  const auto before = launches();
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
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::cout << what << ": largest error " << worst << " of the tolerance, " << seconds << " s" << std::endl;
  tried.push_back({what, name + setting.text(), seconds, {}});
  for (const auto& [launched, count] : launches())
    if (const auto at = before.find(launched); count > (at == before.end() ? 0 : at->second)) tried.back().kernels.insert(launched);
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

void all_of(const std::string& name, int sizes) {
  const auto plain = std::make_unique<Kernel>(name, file);
  for (int index = 0; index < sizes && compare(*plain, name, index, {}, true); ++index) {}
  int turn = 0;
  for (const Setting& setting : settings_of(plain->table())) {
    Kernel kernel(name, file);
    if (setting.choice.empty()) kernel.set_parameter(setting.parameter.c_str(), setting.value);
    else kernel.choose(setting.parameter.c_str(), setting.choice);
    const int third = turn++ % 3;
    for (int index = 0; index < sizes && compare(kernel, name, index, setting, index % 3 == third); ++index) {}
  }
}

// What is launched is what the list says.
void check_launches() {
  for (const std::string& what : unknown_cases) say(what + " is in the list of cases, but there is no such case");
  const auto counts = launches();
  if (counts.empty()) say("the executor knows no kernel of " + file);
  for (const auto& [kernel, count] : counts) {
    const bool never = list.never.contains(kernel);
    if (count == 0 && !never && (list.whole || !list.not_here.contains(kernel)))
      say("no case launches " + kernel + "; --choose finds one, or a line 'never " + kernel + "' says that there is none");
    if (count > 0 && never) say(kernel + " is launched, but the list says never");
  }
  for (const auto* names : {&list.never, &list.not_here})
    for (const std::string& kernel : *names)
      if (!counts.contains(kernel)) say(kernel + " is in the list, but the plugin has no such kernel");
}

// Quick cases that launch every kernel that any does: again and again the one with most kernels that are still missing, for its time. Then,
// for each setting that has none, the quickest of those that launch most kernels.
void print_choice() {
  std::set<std::string> missing, chosen, settings;
  for (const auto& [kernel, count] : launches()) {
    if (count == 0) std::cout << "never " << kernel << '\n';
    else missing.insert(kernel);
  }
  const auto choose = [&](const Tried& t) {
    for (const std::string& kernel : t.kernels) missing.erase(kernel);
    chosen.insert(t.what);
    settings.insert(t.setting);
  };
  const auto gain = [&missing](const Tried& t) {
    const auto fresh = std::count_if(t.kernels.begin(), t.kernels.end(), [&](const std::string& k) { return missing.contains(k); });
    return static_cast<double>(fresh) / (0.05 + t.seconds);
  };
  while (!missing.empty())
    choose(*std::max_element(tried.begin(), tried.end(), [&](const Tried& a, const Tried& b) { return gain(a) < gain(b); }));
  std::sort(tried.begin(), tried.end(), [](const Tried& a, const Tried& b) {
    return a.kernels.size() != b.kernels.size() ? a.kernels.size() > b.kernels.size() : a.seconds < b.seconds;
  });
  for (const Tried& t : tried)
    if (!settings.contains(t.setting)) choose(t);
  for (const std::string& what : chosen) std::cout << what << '\n';
}

List read_list(const std::string& path) {
  List made;
  made.given = true;
  std::ifstream text(path);
  if (!text) say("cannot read " + path);
  for (std::string line; std::getline(text, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line.starts_with("never ")) made.never.insert(line.substr(6));
    else if (line.starts_with("validation ")) made.not_here.insert(line.substr(11));
    else made.cases.insert(line);
  }
  return made;
}

}  // namespace

int main(int argc, char** argv) {
  std::string only;
  int sizes = most_sizes;
  bool choose = false, whole = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--kernel" && i + 1 < argc) only = argv[++i];
    else if (word == "--sizes" && i + 1 < argc) sizes = std::atoi(argv[++i]);
    else if (word == "--cases" && i + 1 < argc) list = read_list(argv[++i]);
    else if (word == "--choose") choose = true;
    else if (word == "--whole") whole = true;
    else file = word;
  }
  list.given = list.given || whole;
  list.whole = whole || list.cases.empty();
  unknown_cases = list.cases;
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
      all_of(name, sizes);
    } catch (const Failure& failure) {
      // Other families' kernels are not in the file.
      if (failure.status() != SUITE_NOT_FOUND) say(name + ": " + failure.what());
      else if (file.find("suite_" + name.substr(0, name.find('.')) + "_") != std::string::npos)
        std::cout << "not compared: " << failure.what() << std::endl;
    }
  }
  if (choose) print_choice();
  if (list.given) check_launches();
  std::cout << compared << " arrays compared, " << differences << " differ" << std::endl;
  return differences == 0 && compared > 0 ? 0 : 1;
}
