// SPDX-License-Identifier: BSD-3-Clause
// Writes an input with every key of an app: required keys to be filled in, the others as comments with their defaults.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <sstream>

#include <fmt/core.h>

#include "base/input_schema.hpp"
#include "base/starter_from_files.hpp"
#include "base/starter_of_species.hpp"
#include "base/values.hpp"
#include "common/io.hpp"
#include "common/near.hpp"
#include "common/paths.hpp"
#include "exit_codes.hpp"
#include "registry.hpp"
#include "verbs.hpp"

namespace suite::app {
namespace {

// Writes the keys of a section in the order of the table, then the sections below it.
class Writer {
public:
  // values: keys that get a value; usual: optional keys that are left to be filled in.
  Writer(const std::vector<Key>& keys, const std::vector<std::pair<std::string, std::string>>& values, std::vector<std::string> usual)
      : keys_(keys), values_(values), usual_(std::move(usual)) {}
  std::string text() {
    section("", 0);
    return out_.str();
  }

private:
  void section(const std::string& prefix, size_t depth) {
    const std::string indent(2 * depth, ' ');
    std::vector<std::string> below;
    for (const auto& key : keys_) {
      const std::string path = key.path;
      if (path.compare(0, prefix.size(), prefix) != 0) continue;
      const std::string rest = path.substr(prefix.size());
      const std::string name = rest.substr(0, rest.find('.'));
      if (name == rest) entry(key, name, indent);
      else if (std::find(below.begin(), below.end(), name) == below.end()) below.push_back(name);
    }
    for (const auto& name : below) {
      out_ << "\n" << indent << name << ":\n";
      section(prefix + name + ".", depth + 1);
    }
  }
  void entry(const Key& key, const std::string& name, const std::string& indent) {
    out_ << indent << "## " << key.meaning << " (" << (key.default_text ? "" : "required; ") << describe_kind(key) << ")\n"
         << indent << value_line(key, name) << "\n";
  }
  std::string value_line(const Key& key, const std::string& name) const {
    for (const auto& [path, value] : values_)
      if (path == key.path) return name + ": " + value;
    if (std::ranges::find(usual_, key.path) != usual_.end()) return name + ":";
    return (key.default_text ? "# " : "") + name + ":" + (key.default_text && *key.default_text ? std::string(" ") + key.default_text : "");
  }
  const std::vector<Key>& keys_;
  const std::vector<std::pair<std::string, std::string>>& values_;
  std::vector<std::string> usual_;
  std::ostringstream out_;
};

void refuse_existing(const std::filesystem::path& file, const std::string& other) {
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::symlink_status(file, error)))
    throw UsageError("'" + file.string() + "' exists and is not overwritten; " + other);
}

// The input of --polyalanine or --from; empty without them. folder: where the input will be.
Starter::Start start_of(const App& app, const Arguments& arguments, const std::filesystem::path& folder) {
  constexpr const char* option = "--polyalanine";
  const bool helix = arguments.has("--helix");
  if (arguments.has("--from")) {
    if (arguments.has(option) || helix)
      throw UsageError("options --from and " + std::string(helix ? "--helix" : option) + " exclude each other");
    const auto* starter = dynamic_cast<const StarterFromFiles*>(&app);
    if (!starter) throw UsageError("app '" + std::string(app.name()) + "' has no option --from");
    return starter->from(arguments.get("--from"), folder);
  }
  if (!arguments.has(option)) {
    if (helix) throw UsageError("option --helix needs " + std::string(option) + " N");
    return {};
  }
  const auto* starter = dynamic_cast<const Starter*>(&app);
  if (!starter) throw UsageError("option " + std::string(option) + " makes a molecule; app '" + app.name() + "' has no molecules");
  return starter->polyalanine(arguments.number(option, 0, 0, 1000000000), helix);
}

// The first line of an input, by which editors find its schema. Empty if the schema is not installed. It is a URI, because language
// servers read a bare path once and then ask the editor for it.
std::string modeline(const std::string& app) {
  const std::filesystem::path schema = installed_schemas() / input_schema_name(app);
  std::error_code error;
  if (!std::filesystem::is_regular_file(schema, error)) return "";
  std::string uri = "file://";
  for (const char c : schema.string())
    uri += std::string(" %#?").find(c) == std::string::npos ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned>(c));
  return "# yaml-language-server: $schema=" + uri + "\n";
}

// The title first, keys common to all apps last.
std::vector<Key> keys_in_order(const App& app) {
  std::vector<Key> keys;
  for (const auto& key : common_keys())
    if (std::string(key.path) == "title") keys.push_back(key);
  for (const auto& key : app.keys()) keys.push_back(key);
  for (const auto& key : common_keys())
    if (std::string(key.path).find('.') != std::string::npos) keys.push_back(key);
  return keys;
}

// The file of --species, instead of an input.
int write_species(const App& app, const Arguments& arguments) {
  for (const char* other : {"--from", "--polyalanine", "--helix"})
    if (arguments.has(other)) throw UsageError("options --species and " + std::string(other) + " exclude each other");
  const auto* starter = dynamic_cast<const StarterOfSpecies*>(&app);
  if (!starter) throw UsageError("app '" + std::string(app.name()) + "' has no option --species; it is for app dfpt");
  const std::string element = arguments.get("--species");
  const std::string text = starter->species_file(element);
  const std::filesystem::path file = arguments.positional().size() > 1 ? arguments.positional()[1] : element + ".yaml";
  refuse_existing(file, fmt::format("choose another name: suite init {} FILE.yaml --species {}", app.name(), element));
  write_text_file(file, text);
  std::cout << fmt::format("wrote {0}; now in an input: basis: {{species: {{{1}: {0}}}}}\n", file.string(), element);
  return exit_ok;
}

}  // namespace

int init_verb(const Arguments& arguments) {
  const std::string& name = arguments.positional()[0];
  const auto app = make_app(name);
  if (arguments.has("--species")) return write_species(*app, arguments);
  const std::filesystem::path file = arguments.positional().size() > 1 ? arguments.positional()[1] : name + ".yaml";
  refuse_existing(file, "choose another name: suite init " + name + " FILE.yaml");
  Starter::Start start = start_of(*app, arguments, file.parent_path());
  if (!start.title.empty()) start.values.emplace_back("title", start.title);
  for (const auto& made : start.files) refuse_existing(file.parent_path() / made.name, "move it away first");
  for (const auto& made : start.files) {
    write_text_file(file.parent_path() / made.name, made.text);
    std::cout << "wrote " << (file.parent_path() / made.name).string() << "\n";
  }
  write_text_file(
      file, modeline(name) + "# " + name + ": " + app->summary() +
                "\n# Lines '# key: value' show default values. Check with: suite check " + shell_word(file.string()) + "\napp: " + name +
                "\n" +
                Writer(keys_in_order(*app), start.values, start.values.empty() ? app->usual_keys() : std::vector<std::string>()).text());
  std::cout << "wrote " << file.string() << "; " << (start.values.empty() ? "fill in the required values, then: " : "now: ")
            << "suite check " << shell_word(file.string()) << "\n";
  return exit_ok;
}

}  // namespace suite::app
