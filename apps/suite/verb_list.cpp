// SPDX-License-Identifier: BSD-3-Clause
// suite list: what is installed. Reads the tables of the plugins; creates and runs no kernel.
#include <algorithm>
#include <cstring>
#include <iostream>
#include <map>
#include <span>

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

std::string parameter_text(const suite_parameter& p, size_t columns) {
  const std::string name = p.name;
  if (!p.choices) {
    const std::string unit = std::strcmp(p.unit, "1") ? " " + std::string(p.unit) : "";
    return wrapped(fmt::format("{} {}..{}{} (default {}): {}", name, p.low, p.high, unit, p.value, p.meaning), 2, columns, 4);
  }
  std::string text = wrapped(name + " (default " + p.choices[p.value].name + "): " + p.meaning, 2, columns, 4);
  for (const suite_choice& c : std::span(p.choices, p.choice_count)) text += wrapped(choice_text(c), 4, columns, 8);
  return text;
}

std::string meaning_text(const suite_argument& a) { return a.when_unset ? std::string(a.meaning) + "; unset: " + a.when_unset : a.meaning; }

Installed look_around(const std::vector<Seen>& seen) {
  Installed installed;
  std::map<std::pair<std::string, std::string>, bool> served;
  std::map<std::string, bool> backend_served;
  for (const auto& s : seen) {
    if (!s.plugin) {
      installed.unusable.push_back({s.file, s.why});
      continue;
    }
    if (s.plugin->backend) {
      const bool first = !std::exchange(backend_served[s.plugin->backend->name], true);
      for (const auto& line : first ? devices(*s.plugin->backend) : std::vector<DeviceLine>{})
        installed.backends.push_back({line.name, line.description, line.problem, s.file, line.total, line.free});
      continue;
    }
    const std::string family = s.plugin->family ? s.plugin->family : "?",
                      implementation = s.plugin->implementation ? s.plugin->implementation : "?";
    std::vector<std::string> names;
    for (uint32_t i = 0; i < s.plugin->kernel_count; ++i) names.push_back(s.plugin->kernels[i]->kernel);
    const bool first = !std::exchange(served[{family, implementation}], true);
    installed.plugins.push_back({family, implementation, level_of(s.file), s.plugin->version, s.plugin->compiler, s.file, names, first});
  }
  std::stable_sort(installed.plugins.begin(), installed.plugins.end(),
                   [](const auto& a, const auto& b) { return std::pair(a.family, !a.used) < std::pair(b.family, !b.used); });
  installed.features = features();
  installed.warnings = warnings();
  return installed;
}

void print_part(const char* title, const std::string& text) { std::cout << title << "\n" << (text.empty() ? "  none\n" : text); }

std::string memory_text(const Installed::Backend& backend) {
  if (backend.memory_B == 0) return "";
  return "; " + bytes_text(static_cast<double>(backend.memory_B)) + ", " + bytes_text(static_cast<double>(backend.free_B)) + " free";
}

void print_backends(const Installed& installed, size_t columns) {
  Table table;
  table.flow();
  for (const auto& b : installed.backends)
    table.row({"  " + b.name, b.problem.empty() ? b.device + memory_text(b) : "unavailable: " + b.problem});
  print_part("backends", table.text(columns));
}

// Every installation has these; they are no defect.
bool is_for_other_processors(const Installed::Unusable& file) {
  return file.why.starts_with("it needs ") || file.why.starts_with("SUITE_ISA=");
}

void print_unavailable(const Installed& installed, bool all, size_t columns) {
  std::string text;
  for (const auto& file : installed.unusable)
    if (all || !is_for_other_processors(file)) text += "  " + file.file + "\n" + wrapped(file.why, 4, columns);
  if (!text.empty()) std::cout << "\nunavailable\n" << text;
}

// A line for each family and implementation: the plugin in use. SUITE_ISA and better levels leave the other files unused.
void print_implementations(const Installed& installed, size_t columns) {
  Table table;
  table.header({"  family", "implementation", "level", "kernels"});
  table.right(3);
  size_t unused = 0;
  for (const auto& p : installed.plugins) {
    if (p.used) table.row({"  " + p.family, p.implementation, p.level, std::to_string(p.kernels.size())});
    else ++unused;
  }
  print_part("\nimplementations", table.empty() ? "" : table.text(columns));
  unused += static_cast<size_t>(std::count_if(installed.unusable.begin(), installed.unusable.end(), is_for_other_processors));
  if (unused > 0) std::cout << wrapped(counted(static_cast<long>(unused), "other file") + " not in use: suite list --all", 2, columns);
}

void print_files(const Installed& installed, size_t columns) {
  std::string text;
  for (const auto& p : installed.plugins)
    text += wrapped(p.family + " " + p.implementation + ", " + p.level + ", version " + p.version +
                        (p.used ? "" : " (not used: another file takes precedence)"),
                    2, columns, 4) +
            wrapped(p.file, 6, columns) + wrapped(p.compiler, 6, columns);
  print_part("\nplugins", text);
}

void print_kernels(const std::vector<Seen>& seen, size_t columns) {
  std::map<std::string, std::string> summaries;
  for (const auto& s : seen)
    for (uint32_t i = 0; s.plugin && i < s.plugin->kernel_count; ++i)
      summaries.emplace(s.plugin->kernels[i]->kernel, s.plugin->kernels[i]->summary);
  Table table;
  table.flow();
  for (const auto& [name, summary] : summaries) table.row({"  " + name, summary});
  print_part("\nkernels", table.text(columns));
}

int list_all(const Arguments& arguments) {
  const auto seen = visit();
  const Installed installed = look_around(seen);
  if (print_document(arguments, json_of(installed))) return exit_ok;
  const size_t columns = reading_columns();
  const bool all = arguments.has("--all");
  print_backends(installed, columns);
  if (all) print_files(installed, columns);
  else print_implementations(installed, columns);
  print_kernels(seen, columns);
  Table apps;
  apps.flow();
  for (const auto& app : registered_apps())
    apps.row({std::string("  ") + app.name, app.make ? app.make()->summary() : std::string("not in this build: ") + app.missing});
  print_part("\napps", apps.text(columns));
  if (all) {
    Table build;
    build.flow();
    for (const auto& feature : features()) build.row({std::string("  ") + feature.name, feature.state});
    print_part("\nthis build", build.text(columns));
  }
  print_unavailable(installed, all, columns);
  if (!installed.warnings.empty()) {
    std::cout << "\nwarnings\n";
    for (const auto& warning : installed.warnings) std::cout << wrapped(warning, 2, columns);
  }
  if (!all) std::cout << "\nnext: suite list KERNEL\n";
  return exit_ok;
}

std::string merit_line(const suite_kernel_table& table) {
  const Merit merit = merit_of(table);
  return merit.unit.empty() ? "" : "figure of merit: " + merit.unit + "/s, in a run " + merit.formula;
}

std::string arguments_text(const suite_kernel_table& table, size_t columns) {
  Table text;
  text.flow();
  for (const suite_argument& a : std::span(table.arguments, table.argument_count)) {
    std::string properties = type_text(a.type) + (a.rank ? "(" + std::string(a.shape) + ")" : "") + ", " + intent_text(a);
    if (std::strcmp(a.unit, "1") && *a.unit) properties += ", [" + std::string(a.unit) + "]";
    if (a.tolerance > 0) properties += ", tolerance " + scientific(a.tolerance);
    text.row({"  " + std::string(a.name), properties});
    text.row({"", meaning_text(a)});
  }
  return text.text(columns);
}

int list_kernel(const Arguments& arguments) {
  const std::string& kernel = arguments.positional()[0];
  require_kernel_asked_for(kernel);
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
  for (const suite_argument& a : std::span(interface->arguments, interface->argument_count))
    described.arguments.push_back(
        {a.name, type_text(a.type), a.shape, intent_text(a), a.unit, a.meaning, text_or_empty(a.when_unset), a.tolerance});
  const size_t columns = reading_columns();
  std::string text;
  for (const auto& [table, file] : tables) {
    text += "\n" + std::string(table->implementation) + " on " + table->backend + ", " + level_of(file) + "\n";
    if (arguments.has("--all")) text += wrapped(file, 2, columns);
    std::vector<KernelInterface::Parameter> parameters;
    for (const suite_parameter& p : std::span(table->parameters, table->parameter_count)) {
      text += parameter_text(p, columns);
      parameters.push_back(described_parameter(p));
    }
    described.implementations.push_back({table->implementation, table->backend, file, parameters});
  }
  if (print_document(arguments, json_of(described))) return exit_ok;
  std::cout << wrapped(kernel + ": " + interface->summary, 0, columns);
  if (const std::string line = merit_line(*interface); !line.empty()) std::cout << wrapped(line, 0, columns);
  std::cout << "\narguments\n" << arguments_text(*interface, columns) << text;
  return exit_ok;
}

}  // namespace

int list_verb(const Arguments& arguments) {
  apply_environment(arguments);
  return arguments.positional().empty() ? list_all(arguments) : list_kernel(arguments);
}

}  // namespace suite::app
