// SPDX-License-Identifier: BSD-3-Clause
// What is installed. Reads the tables of the plugins; no kernel is created or executed.
#include <algorithm>
#include <iostream>
#include <map>
#include <sstream>

#include <nlohmann/json.hpp>
#include <suite/suite.hpp>

#include "common/json_text.hpp"
#include "contender.hpp"
#include "exit_codes.hpp"
#include "registry.hpp"
#include "session.hpp"
#include "steps.hpp"
#include "table.hpp"
#include "verbs.hpp"

namespace suite::app {
namespace {

using nlohmann::ordered_json;

struct Seen {
  std::string file, why;
  const suite_plugin* plugin = nullptr;
};

std::vector<Seen> visit() {
  std::vector<Seen> seen;
  suite_visit(
      [](void* with, const char* file, const suite_plugin* plugin, const char* why) {
        static_cast<std::vector<Seen>*>(with)->push_back({file, why ? why : "", plugin});
      },
      &seen);
  return seen;
}

std::vector<std::string> warnings() {
  std::vector<std::string> lines;
  suite_warnings([](void* with, const char* line) { static_cast<std::vector<std::string>*>(with)->push_back(line); }, &lines);
  return lines;
}

struct DeviceLine {
  std::string name, description, problem;
  uint64_t free = 0, total = 0;
};

std::vector<DeviceLine> devices(const suite_backend& backend) {
  std::vector<DeviceLine> lines;
  int count = 0;
  suite_error error{};
  if (backend.device_count(&count, &error) != SUITE_OK) return {{backend.name, "", error.message, 0, 0}};
  if (count == 0) return {{backend.name, "", "no device on this machine", 0, 0}};
  for (int i = 0; i < count; ++i) {
    DeviceLine line;
    line.name = backend.name + (count > 1 ? ":" + std::to_string(i) : "");
    suite_device* device = nullptr;
    if (suite_device_open(line.name.c_str(), &device, &error) != SUITE_OK) {
      line.problem = error.message;
    } else {
      line.description = suite_device_describe(device);
      if (suite_device_memory(device, &line.free, &line.total, &error) != SUITE_OK) line.problem = error.message;
      suite_device_close(device);
    }
    lines.push_back(line);
  }
  return lines;
}

std::string type_text(int32_t type) {
  if (!(type & SUITE_TYPE_SET)) return suite_type_name(type);
  std::string list;
  for (int t = SUITE_INT32; t <= SUITE_COMPLEX128; ++t)
    if (type & (1 << t)) list += std::string(list.empty() ? "" : " or ") + suite_type_name(t);
  return list;
}

std::string intent_text(const suite_argument& a) {
  const std::string name = a.intent == SUITE_CONSTANT ? "constant" : a.intent == SUITE_IN ? "in" : a.intent == SUITE_OUT ? "out" : "inout";
  return name + (a.when_unset ? ", optional" : "");
}

ordered_json text_or_null(const char* text) { return text ? ordered_json(text) : ordered_json(nullptr); }

// "mixed: sums of up to 32 bands in single precision; tolerance 1e-5", "v2: ... [V100 1.73 s; A100 1.1 s]".
std::string choice_text(const suite_choice& c) {
  std::string text = std::string(c.name) + ": " + c.meaning;
  if (c.tolerance > 0) text += "; tolerance " + scientific(c.tolerance);
  if (c.published_count > 0) text += " [" + published_text({c.published, c.published_count}) + "]";
  return text;
}

ordered_json choice_json(const suite_choice& c) {
  ordered_json published = ordered_json::array();
  for (const suite_published& p : std::span(c.published, c.published_count))
    published.push_back({{"device", p.device}, {"low", p.low}, {"high", p.high}, {"unit", p.unit}, {"of", text_or_null(p.of)}, {"source", p.source}});
  return {{"name", c.name}, {"meaning", c.meaning}, {"tolerance", c.tolerance}, {"after", text_or_null(c.after)},
          {"expected", name_of(static_cast<suite_effect>(c.expected))}, {"published", published}};
}

ordered_json parameter_json(const suite_parameter& p) {
  ordered_json j{{"name", p.name}, {"meaning", p.meaning}, {"unit", p.unit}, {"value", p.value}, {"low", p.low}, {"high", p.high},
                 {"changes_result", p.changes_result != 0}, {"choices", ordered_json::array()}};
  for (const suite_choice& c : std::span(p.choices, p.choice_count)) j["choices"].push_back(choice_json(c));
  return j;
}

std::string parameter_text(const suite_parameter& p) {
  const std::string name = "  " + std::string(p.name);
  if (!p.choices) {
    const std::string unit = std::strcmp(p.unit, "1") ? " " + std::string(p.unit) : "";
    return name + " " + std::to_string(p.low) + ".." + std::to_string(p.high) + unit + " (default " + std::to_string(p.value) + "): " + p.meaning + "\n";
  }
  std::string text = name + " (default " + p.choices[p.value].name + "): " + p.meaning + "\n";
  for (const suite_choice& c : std::span(p.choices, p.choice_count)) text += "    " + choice_text(c) + "\n";
  return text;
}

std::string meaning_text(const suite_argument& a) {
  return a.when_unset ? std::string(a.meaning) + "; unset: " + a.when_unset : a.meaning;
}

int list_all(bool json) {
  const auto seen = visit();
  Table backends, plugins, kernels;
  ordered_json j{{"schema", "suite-list-1"}, {"backends", ordered_json::array()}, {"plugins", ordered_json::array()}, {"unusable", ordered_json::array()}};
  plugins.header({"  family", "implementation", "level", "version", "file"});
  std::map<std::string, std::pair<std::vector<std::string>, std::string>> by_kernel;
  std::map<std::pair<std::string, std::string>, bool> served;
  std::map<std::string, bool> backend_served;
  for (const auto& s : seen) {
    if (!s.plugin) {
      j["unusable"].push_back({{"file", s.file}, {"why", s.why}});
      continue;
    }
    if (s.plugin->backend) {
      const bool first = !std::exchange(backend_served[s.plugin->backend->name], true);
      for (const auto& line : first ? devices(*s.plugin->backend) : std::vector<DeviceLine>{}) {
        backends.row({"  " + line.name, line.problem.empty() ? line.description : "cannot be used: " + line.problem,
                      line.total ? bytes_text(static_cast<double>(line.total)) + ", " + bytes_text(static_cast<double>(line.free)) + " free" : "",
                      s.file});
        j["backends"].push_back({{"name", line.name}, {"device", line.description}, {"memory_B", line.total}, {"free_B", line.free}, {"problem", line.problem}, {"file", s.file}});
      }
      continue;
    }
    const std::string family = s.plugin->family ? s.plugin->family : "?", implementation = s.plugin->implementation ? s.plugin->implementation : "?";
    const bool first = !std::exchange(served[{family, implementation}], true);
    plugins.row({"  " + family, implementation, level_of(s.file), s.plugin->version, s.file + (first ? "" : "  (not used: the one above serves)")});
    ordered_json names = ordered_json::array();
    for (uint32_t i = 0; i < s.plugin->kernel_count; ++i) {
      const auto& table = *s.plugin->kernels[i];
      names.push_back(table.kernel);
      auto& entry = by_kernel[table.kernel];
      entry.second = table.summary;
      if (first) entry.first.push_back(table.implementation);
    }
    j["plugins"].push_back({{"family", family}, {"implementation", implementation}, {"level", level_of(s.file)}, {"version", s.plugin->version},
                            {"compiler", s.plugin->compiler}, {"kernels", names}, {"file", s.file}, {"used", first}});
  }
  for (auto& [name, entry] : by_kernel) {
    std::string list;
    for (const auto& implementation : entry.first) list += (list.empty() ? "" : " ") + implementation;
    kernels.row({"  " + name, list, entry.second});
  }
  j["features"] = ordered_json::array();
  for (const auto& feature : features()) j["features"].push_back({{"name", feature.name}, {"state", feature.state}});
  j["warnings"] = warnings();
  if (json) {
    std::cout << json_document(j);
    return exit_ok;
  }
  auto part = [](const char* title, const std::string& text, const char* nothing) { std::cout << title << "\n" << (text.empty() ? nothing : text); };
  part("backends", backends.text(), "  none\n");
  part("\nplugins", plugins.empty() ? "" : plugins.text(), "  none\n");
  part("\nkernels", kernels.text(), "  none\n");
  Table apps;
  for (const auto& app : registered_apps()) apps.row({std::string("  ") + app.name, app.make ? app.make()->summary() : std::string("not in this build: ") + app.missing});
  part("\napps", apps.text(), "  none\n");
  Table build;
  for (const auto& feature : features()) build.row({std::string("  ") + feature.name, feature.state});
  part("\nthis build", build.text(), "  nothing noted\n");
  if (!j["unusable"].empty()) {
    std::cout << "\ncannot be used\n";
    for (const auto& s : seen)
      if (!s.plugin) std::cout << "  " << s.file << "\n    " << s.why << "\n";
  }
  if (!j["warnings"].empty()) {
    std::cout << "\nwarnings\n";
    for (const auto& w : j["warnings"]) std::cout << "  " << w.get<std::string>() << "\n";
  }
  return exit_ok;
}

ordered_json merit_json_of(const suite_kernel_table& table) {
  const Merit merit = merit_of(table);
  if (merit.unit.empty()) return nullptr;
  return {{"unit", merit.unit}, {"formula", merit.formula}};
}

std::string merit_line(const suite_kernel_table& table) {
  const Merit merit = merit_of(table);
  return merit.unit.empty() ? "" : "figure of merit: " + merit.unit + "/s, in a run " + merit.formula + "\n";
}

int list_kernel(const std::string& kernel, bool json) {
  require_kernel(kernel);
  const suite_kernel_table* interface = nullptr;
  std::vector<std::pair<const suite_kernel_table*, std::string>> tables;
  for (const auto& s : visit())
    for (uint32_t i = 0; s.plugin && i < s.plugin->kernel_count; ++i)
      if (kernel == s.plugin->kernels[i]->kernel) {
        const auto* table = s.plugin->kernels[i];
        const bool known = std::any_of(tables.begin(), tables.end(), [&](const auto& t) { return std::string(t.first->implementation) == table->implementation; });
        if (!known) tables.emplace_back(table, s.file);
        if (!interface) interface = table;
      }
  ordered_json j{{"schema", "suite-list-kernel-1"}, {"kernel", kernel}, {"summary", interface->summary}, {"merit", merit_json_of(*interface)}, {"arguments", ordered_json::array()}, {"implementations", ordered_json::array()}};
  Table arguments;
  arguments.header({"  argument", "type", "shape", "intent", "unit", "tolerance", "meaning"});
  for (uint32_t i = 0; i < interface->argument_count; ++i) {
    const auto& a = interface->arguments[i];
    arguments.row({std::string("  ") + a.name, type_text(a.type), a.rank ? "(" + std::string(a.shape) + ")" : "scalar", intent_text(a), a.unit,
                   a.tolerance > 0 ? scientific(a.tolerance) : "", meaning_text(a)});
    j["arguments"].push_back({{"name", a.name}, {"type", type_text(a.type)}, {"shape", a.shape}, {"intent", intent_text(a)}, {"unit", a.unit},
                              {"tolerance", a.tolerance}, {"meaning", a.meaning}, {"when_unset", text_or_null(a.when_unset)}});
  }
  std::ostringstream text;
  for (const auto& [table, file] : tables) {
    text << "\n" << table->implementation << " on " << table->backend << "   " << file << "\n";
    ordered_json parameters = ordered_json::array();
    for (uint32_t i = 0; i < table->parameter_count; ++i) {
      text << parameter_text(table->parameters[i]);
      parameters.push_back(parameter_json(table->parameters[i]));
    }
    j["implementations"].push_back({{"implementation", table->implementation}, {"backend", table->backend}, {"file", file}, {"parameters", parameters}});
  }
  if (json) std::cout << json_document(j);
  else std::cout << kernel << ": " << interface->summary << "\n" << merit_line(*interface) << "\n" << arguments.text() << text.str();
  return exit_ok;
}

}  // namespace

int list_verb(const Arguments& arguments) {
  apply_environment(arguments);
  if (arguments.positional().empty()) return list_all(arguments.has("--json"));
  return list_kernel(arguments.positional()[0], arguments.has("--json"));
}

}  // namespace suite::app
