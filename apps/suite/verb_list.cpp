// SPDX-License-Identifier: BSD-3-Clause
// suite list: what is installed. Reads the tables of the plugins; creates and runs no kernel.
#include <algorithm>
#include <iostream>
#include <map>
#include <sstream>

#include <fmt/core.h>

#include <suite/suite.hpp>

#include "common/json_text.hpp"
#include "measure/candidate.hpp"
#include "measure/installed.hpp"
#include "documents.hpp"
#include "exit_codes.hpp"
#include "registry.hpp"
#include "session.hpp"
#include "steps.hpp"
#include "table.hpp"
#include "verbs.hpp"

namespace suite::app {
namespace {

struct Installed {
  struct Backend {
    std::string name, device, problem, file;
    uint64_t memory_B = 0, free_B = 0;
  };
  struct Plugin {
    std::string family, implementation, level, version, compiler, file;
    std::vector<std::string> kernels;
    bool used = false;
  };
  struct Unusable {
    std::string file, why;
  };
  std::vector<Backend> backends;
  std::vector<Plugin> plugins;
  std::vector<Unusable> unusable;
  std::vector<Feature> features;
  std::vector<std::string> warnings;
};

struct KernelInterface {
  struct Argument {
    std::string name, type, shape, intent, unit, meaning;
    std::string when_unset;
    double tolerance = 0;
  };
  struct Published {
    std::string device, unit, source, of;
    double low = 0, high = 0;
  };
  struct Choice {
    std::string name, meaning, expected, after;
    double tolerance = 0;
    std::vector<Published> published;
  };
  struct Parameter {
    std::string name, meaning, unit;
    int64_t value = 0, low = 0, high = 0;
    bool changes_result = false;
    std::vector<Choice> choices;
  };
  struct Implementation {
    std::string implementation, backend, file;
    std::vector<Parameter> parameters;
  };
  std::string kernel, summary;
  Merit merit;
  std::vector<Argument> arguments;
  std::vector<Implementation> implementations;
};

constexpr const char* effects[] = {"", "faster", "same", "slower"};

}  // namespace

// clang-format off
template <> inline constexpr auto fields<Installed::Backend> = std::tuple{
    Field{&Installed::Backend::name,     "name",     "", "", name_limits},
    Field{&Installed::Backend::device,   "device",   "", ""},
    Field{&Installed::Backend::memory_B, "memory_B", "B", "", {.low = 0}},
    Field{&Installed::Backend::free_B,   "free_B",   "B", "", {.low = 0}},
    Field{&Installed::Backend::problem,  "problem",  "", "reason why it is unavailable; empty if it is available"},
    Field{&Installed::Backend::file,     "file",     "", "", not_empty},
};
template <> inline constexpr auto fields<Installed::Plugin> = std::tuple{
    Field{&Installed::Plugin::family,         "family",         "", "", name_limits},
    Field{&Installed::Plugin::implementation, "implementation", "", "", name_limits},
    Field{&Installed::Plugin::level,          "level",          "", "instruction set that it is built for"},
    Field{&Installed::Plugin::version,        "version",        "", ""},
    Field{&Installed::Plugin::compiler,       "compiler",       "", ""},
    Field{&Installed::Plugin::kernels,        "kernels",        "", "", {.items_not_empty = true}},
    Field{&Installed::Plugin::file,           "file",           "", "", not_empty},
    Field{&Installed::Plugin::used,           "used",           "", "false: another plugin is used instead"},
};
template <> inline constexpr auto fields<Installed::Unusable> = std::tuple{
    Field{&Installed::Unusable::file, "file", "", "", not_empty},
    Field{&Installed::Unusable::why,  "why",  "", "", not_empty},
};
template <> inline constexpr auto fields<Feature> = std::tuple{
    Field{&Feature::name,  "name",  "", "", not_empty},
    Field{&Feature::state, "state", "", "", not_empty},
};
template <> inline constexpr auto fields<Installed> = std::tuple{
    Constant{"schema", "suite-list-1"},
    Field{&Installed::backends, "backends", "", ""},
    Field{&Installed::plugins,  "plugins",  "", ""},
    Field{&Installed::unusable, "unusable", "", ""},
    Field{&Installed::features, "features", "", "of this build"},
    Field{&Installed::warnings, "warnings", "", "", {.items_not_empty = true}},
};
template <> inline constexpr auto fields<KernelInterface::Argument> = std::tuple{
    Field{&KernelInterface::Argument::name,      "name",      "", "", name_limits},
    Field{&KernelInterface::Argument::type,      "type",      "", "", not_empty},
    Field{&KernelInterface::Argument::shape,     "shape",     "", "empty for a scalar"},
    Field{&KernelInterface::Argument::intent,    "intent",    "", "", not_empty},
    Field{&KernelInterface::Argument::unit,      "unit",      "", ""},
    Field{&KernelInterface::Argument::tolerance, "tolerance", "1", "of an output, relative to its largest element", {.low = 0}},
    Field{&KernelInterface::Argument::meaning,   "meaning",   "", ""},
    Field{&KernelInterface::Argument::when_unset, "when_unset", "", "value if it is not set; null: it must be set", {.or_null = true}},
};
template <> inline constexpr auto fields<KernelInterface::Published> = std::tuple{
    Field{&KernelInterface::Published::device, "device", "", "", not_empty},
    Field{&KernelInterface::Published::low,    "low",    "", ""},
    Field{&KernelInterface::Published::high,   "high",   "", "equal to low if a single number is published"},
    Field{&KernelInterface::Published::unit,   "unit",   "", "", not_empty},
    Field{&KernelInterface::Published::of,     "of",     "", "published case", {.or_null = true}},
    Field{&KernelInterface::Published::source, "source", "", "", not_empty},
};
template <> inline constexpr auto fields<KernelInterface::Choice> = std::tuple{
    Field{&KernelInterface::Choice::name,      "name",      "", "", not_empty},
    Field{&KernelInterface::Choice::meaning,   "meaning",   "", ""},
    Field{&KernelInterface::Choice::tolerance, "tolerance", "1", "tolerance of the outputs where it is larger than their own", {.low = 0}},
    Field{&KernelInterface::Choice::after,     "after",     "", "choice that its time is compared with; null: the previous choice", {.or_null = true}},
    Field{&KernelInterface::Choice::expected,  "expected",  "", "of its time", {.one_of = effects}},
    Field{&KernelInterface::Choice::published, "published", "", ""},
};
template <> inline constexpr auto fields<KernelInterface::Parameter> = std::tuple{
    Field{&KernelInterface::Parameter::name,           "name",           "", "", not_empty},
    Field{&KernelInterface::Parameter::meaning,        "meaning",        "", ""},
    Field{&KernelInterface::Parameter::unit,           "unit",           "", "", not_empty},
    Field{&KernelInterface::Parameter::value,          "value",          "", "default; for a choice, its number starting at 0"},
    Field{&KernelInterface::Parameter::low,            "low",            "", ""},
    Field{&KernelInterface::Parameter::high,           "high",           "", ""},
    Field{&KernelInterface::Parameter::changes_result, "changes_result", "", "changes what is computed, so the reference has it too"},
    Field{&KernelInterface::Parameter::choices,        "choices",        "", "of 0, 1, ...; empty for a number"},
};
template <> inline constexpr auto fields<KernelInterface::Implementation> = std::tuple{
    Field{&KernelInterface::Implementation::implementation, "implementation", "", "", name_limits},
    Field{&KernelInterface::Implementation::backend,        "backend",        "", "", name_limits},
    Field{&KernelInterface::Implementation::file,           "file",           "", "", not_empty},
    Field{&KernelInterface::Implementation::parameters,     "parameters",     "", ""},
};
template <> inline constexpr auto fields<KernelInterface> = std::tuple{
    Constant{"schema", "suite-list-kernel-1"},
    Field{&KernelInterface::kernel,  "kernel",  "", "", name_limits},
    Field{&KernelInterface::summary, "summary", "", "", not_empty},
    as<Definition>(&KernelInterface::merit, "merit", "figure of merit; null if the kernel defines none", {.or_null = true}),
    Field{&KernelInterface::arguments,       "arguments",       "", "", {.least = 1}},
    Field{&KernelInterface::implementations, "implementations", "", "", {.least = 1}},
};
// clang-format on

SchemaObject list_schema() { return schema_of<Installed>(); }
SchemaObject list_kernel_schema() { return schema_of<KernelInterface>(); }

namespace {

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
    line.name = backend.name + (count > 1 ? fmt::format(":{}", i) : "");
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

std::string text_or_empty(const char* text) { return text ? text : ""; }

// "mixed: sums of up to 32 bands in single precision; tolerance 1e-5", "v2: ... [V100 1.73 s; A100 1.1 s]".
std::string choice_text(const suite_choice& c) {
  std::string text = std::string(c.name) + ": " + c.meaning;
  if (c.tolerance > 0) text += "; tolerance " + scientific(c.tolerance);
  if (c.published_count > 0) text += " [" + published_text({c.published, c.published_count}) + "]";
  return text;
}

KernelInterface::Parameter described_parameter(const suite_parameter& p) {
  KernelInterface::Parameter described{p.name, p.meaning, p.unit, p.value, p.low, p.high, p.changes_result != 0, {}};
  for (const suite_choice& c : std::span(p.choices, p.choice_count)) {
    KernelInterface::Choice choice{c.name,      c.meaning, name_of(static_cast<suite_effect>(c.expected)), text_or_empty(c.after),
                                   c.tolerance, {}};
    for (const suite_published& q : std::span(c.published, c.published_count))
      choice.published.push_back({q.device, q.unit, q.source, text_or_empty(q.of), q.low, q.high});
    described.choices.push_back(std::move(choice));
  }
  return described;
}

std::string parameter_text(const suite_parameter& p) {
  const std::string name = "  " + std::string(p.name);
  if (!p.choices) {
    const std::string unit = std::strcmp(p.unit, "1") ? " " + std::string(p.unit) : "";
    return fmt::format("{} {}..{}{} (default {}): {}\n", name, p.low, p.high, unit, p.value, p.meaning);
  }
  std::string text = name + " (default " + p.choices[p.value].name + "): " + p.meaning + "\n";
  for (const suite_choice& c : std::span(p.choices, p.choice_count)) text += "    " + choice_text(c) + "\n";
  return text;
}

std::string meaning_text(const suite_argument& a) { return a.when_unset ? std::string(a.meaning) + "; unset: " + a.when_unset : a.meaning; }

int list_all(bool json) {
  const auto seen = visit();
  Table backends, plugins, kernels;
  Installed installed;
  plugins.header({"  family", "implementation", "level", "version", "file"});
  std::map<std::string, std::pair<std::vector<std::string>, std::string>> by_kernel;
  std::map<std::pair<std::string, std::string>, bool> served;
  std::map<std::string, bool> backend_served;
  for (const auto& s : seen) {
    if (!s.plugin) {
      installed.unusable.push_back({s.file, s.why});
      continue;
    }
    if (s.plugin->backend) {
      const bool first = !std::exchange(backend_served[s.plugin->backend->name], true);
      for (const auto& line : first ? devices(*s.plugin->backend) : std::vector<DeviceLine>{}) {
        backends.row(
            {"  " + line.name, line.problem.empty() ? line.description : "unavailable: " + line.problem,
             line.total ? bytes_text(static_cast<double>(line.total)) + ", " + bytes_text(static_cast<double>(line.free)) + " free" : "",
             s.file});
        installed.backends.push_back({line.name, line.description, line.problem, s.file, line.total, line.free});
      }
      continue;
    }
    const std::string family = s.plugin->family ? s.plugin->family : "?",
                      implementation = s.plugin->implementation ? s.plugin->implementation : "?";
    const bool first = !std::exchange(served[{family, implementation}], true);
    plugins.row({"  " + family, implementation, level_of(s.file), s.plugin->version,
                 s.file + (first ? "" : "  (not used: the plugin above takes precedence)")});
    std::vector<std::string> names;
    for (uint32_t i = 0; i < s.plugin->kernel_count; ++i) {
      const auto& table = *s.plugin->kernels[i];
      names.push_back(table.kernel);
      auto& entry = by_kernel[table.kernel];
      entry.second = table.summary;
      if (first) entry.first.push_back(table.implementation);
    }
    installed.plugins.push_back({family, implementation, level_of(s.file), s.plugin->version, s.plugin->compiler, s.file, names, first});
  }
  for (auto& [name, entry] : by_kernel) {
    std::string list;
    for (const auto& implementation : entry.first) list += (list.empty() ? "" : " ") + implementation;
    kernels.row({"  " + name, list, entry.second});
  }
  installed.features = features();
  installed.warnings = warnings();
  if (json) {
    std::cout << json_document(json_of(installed));
    return exit_ok;
  }
  auto part = [](const char* title, const std::string& text, const char* nothing) {
    std::cout << title << "\n" << (text.empty() ? nothing : text);
  };
  part("backends", backends.text(), "  none\n");
  part("\nplugins", plugins.empty() ? "" : plugins.text(), "  none\n");
  part("\nkernels", kernels.text(), "  none\n");
  Table apps;
  for (const auto& app : registered_apps())
    apps.row({std::string("  ") + app.name, app.make ? app.make()->summary() : std::string("not in this build: ") + app.missing});
  part("\napps", apps.text(), "  none\n");
  Table build;
  for (const auto& feature : features()) build.row({std::string("  ") + feature.name, feature.state});
  part("\nthis build", build.text(), "  nothing noted\n");
  if (!installed.unusable.empty()) {
    std::cout << "\nunavailable\n";
    for (const auto& s : seen)
      if (!s.plugin) std::cout << "  " << s.file << "\n    " << s.why << "\n";
  }
  if (!installed.warnings.empty()) {
    std::cout << "\nwarnings\n";
    for (const auto& warning : installed.warnings) std::cout << "  " << warning << "\n";
  }
  return exit_ok;
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
        const bool known = std::any_of(tables.begin(), tables.end(),
                                       [&](const auto& t) { return std::string(t.first->implementation) == table->implementation; });
        if (!known) tables.emplace_back(table, s.file);
        if (!interface) interface = table;
      }
  KernelInterface described{kernel, interface->summary, merit_of(*interface), {}, {}};
  Table arguments;
  arguments.header({"  argument", "type", "shape", "intent", "unit", "tolerance", "meaning"});
  for (uint32_t i = 0; i < interface->argument_count; ++i) {
    const auto& a = interface->arguments[i];
    arguments.row({std::string("  ") + a.name, type_text(a.type), a.rank ? "(" + std::string(a.shape) + ")" : "scalar", intent_text(a),
                   a.unit, a.tolerance > 0 ? scientific(a.tolerance) : "", meaning_text(a)});
    described.arguments.push_back(
        {a.name, type_text(a.type), a.shape, intent_text(a), a.unit, a.meaning, text_or_empty(a.when_unset), a.tolerance});
  }
  std::ostringstream text;
  for (const auto& [table, file] : tables) {
    text << "\n" << table->implementation << " on " << table->backend << "   " << file << "\n";
    std::vector<KernelInterface::Parameter> parameters;
    for (uint32_t i = 0; i < table->parameter_count; ++i) {
      text << parameter_text(table->parameters[i]);
      parameters.push_back(described_parameter(table->parameters[i]));
    }
    described.implementations.push_back({table->implementation, table->backend, file, parameters});
  }
  if (json) std::cout << json_document(json_of(described));
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
