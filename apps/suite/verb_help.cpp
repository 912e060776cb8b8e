// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <iostream>
#include <sstream>

#include <fmt/core.h>

#include "base/values.hpp"
#include "common/near.hpp"
#include "documents.hpp"
#include "exit_codes.hpp"
#include "manual.hpp"
#include "registry.hpp"
#include "session.hpp"
#include "table.hpp"
#include "verbs.hpp"

namespace suite::app {
namespace {

constexpr size_t widest_text = 120;

std::string option_lines(const std::string& verb) {
  Table table;
  table.flow();
  for (const auto& option : options())
    if (applies(option, verb))
      table.row({std::string("  ") + option.name + (option.value ? std::string(" ") + option.value : ""), option.meaning});
  return table.text();
}

std::string app_help(const App& app) {
  std::ostringstream out;
  out << wrapped(std::string(app.name()) + ": " + app.summary(), 0) << "\nInput keys ('suite init " << app.name()
      << "' writes an example):\n\n";
  Table table;
  table.header({"  key", "value", "default", "meaning"});
  table.flow();
  auto add = [&](const Key& key) {
    constexpr size_t widest_kind = 40;  // many choices would push all meanings too far to the right
    const std::string path = key.path, kind = describe_kind(key),
                      shown = !key.default_text   ? "required"
                              : *key.default_text ? key.default_text
                                                  : "-";
    if (kind.size() > widest_kind) table.row({"  " + path, "a choice", shown, kind + ": " + key.meaning});
    else table.row({"  " + path, kind, shown, key.meaning});
  };
  for (const auto& key : common_keys()) add(key);
  for (const auto& key : app.keys()) add(key);
  out << table.text();
  return out.str();
}

}  // namespace

std::string general_help() {
  std::ostringstream out;
  out << "suite - electronic-structure kernels as swappable plugins\n\nusage: suite VERB [ARGUMENTS] [OPTIONS]\n\n";
  Table table;
  table.flow();
  for (const auto& verb : verbs())
    table.row({std::string("  ") + verb.name + (*verb.arguments ? std::string(" ") + verb.arguments : ""), verb.summary});
  out << table.text() << "\napps\n";
  Table apps;
  apps.flow();
  for (const auto& app : registered_apps())
    apps.row({std::string("  ") + app.name, app.make ? app.make()->summary() : std::string("not in this build: ") + app.missing});
  out << apps.text() << "\nexit codes\n";
  Table codes;
  codes.right(0);
  codes.flow();
  for (const auto& exit : exit_meanings) codes.row({fmt::format("  {}", exit.code), exit.meaning});
  out << codes.text() << "\n"
      << wrapped("'suite VERB --help' lists the options of a command, 'suite help APP' the input keys of an app.", 0)
      << "to begin: suite run gpp.yaml\n";
  return out.str();
}

std::string verb_help(const Verb& verb) {
  std::ostringstream out;
  out << "suite " << verb.name << (*verb.arguments ? " " : "") << verb.arguments << " [OPTIONS]\n\n" << wrapped(verb.summary, 0);
  if (*verb.details) out << "\n";
  std::istringstream paragraphs(verb.details);
  for (std::string text; std::getline(paragraphs, text);) out << wrapped(text, 0, std::min(widest_text, stdout_columns()));
  out << "\noptions\n" << option_lines(verb.name);
  return out.str();
}

int help_verb(const Arguments& arguments) {
  if (arguments.has("--schemas")) {
    if (arguments.has("--man") || !arguments.positional().empty()) throw UsageError("'suite help --schemas DIR' accepts no other argument");
    write_schemas(arguments.get("--schemas"));
    return exit_ok;
  }
  if (arguments.has("--man") || arguments.positional().empty()) {
    if (arguments.has("--man") && !arguments.positional().empty()) throw UsageError("'suite help --man' accepts no topic");
    std::cout << (arguments.has("--man") ? manual_page() : general_help());
    return exit_ok;
  }
  const std::string& topic = arguments.positional()[0];
  if (const Verb* verb = find_verb(topic)) {
    std::cout << verb_help(*verb);
    return exit_ok;
  }
  std::vector<std::string> topics = app_names();
  bool known = false;
  for (const auto& app : registered_apps()) known = known || topic == app.name;
  for (const auto& verb : verbs()) topics.push_back(verb.name);
  if (!known) {
    const std::string other = what_else_it_is(topic);
    throw Failure(SUITE_NOT_FOUND, "no verb or app " + in_quotes(topic) + (other.empty() ? did_you_mean(topic, topics) : other));
  }
  std::cout << app_help(*make_app(topic));
  return exit_ok;
}

}  // namespace suite::app
