// SPDX-License-Identifier: BSD-3-Clause
// Writes an input with every key of an app: required keys to be filled in, the others as comments with their standards.
#include <filesystem>
#include <iostream>
#include <map>
#include <sstream>

#include "common/io.hpp"
#include "common/values.hpp"
#include "exit_codes.hpp"
#include "registry.hpp"
#include "verbs.hpp"

namespace suite::app {
namespace {

// Keys come in the order of the table; a section is written where its first key stands, with all of its keys.
class Writer {
public:
  explicit Writer(const std::vector<Key>& keys) : keys_(keys) {}
  std::string text() {
    section("", 0);
    return out_.str();
  }

private:
  void section(const std::string& prefix, size_t depth) {
    std::map<std::string, bool> done;
    const std::string indent(2 * depth, ' ');
    for (const auto& key : keys_) {
      const std::string path = key.path;
      if (path.compare(0, prefix.size(), prefix) != 0) continue;
      const std::string rest = path.substr(prefix.size());
      const size_t dot = rest.find('.');
      if (dot == std::string::npos) {
        line(key, rest, indent);
      } else if (const std::string name = rest.substr(0, dot); !done[name]) {
        done[name] = true;
        out_ << "\n" << indent << name << ":\n";
        section(prefix + name + ".", depth + 1);
      }
    }
  }
  void line(const Key& key, const std::string& name, const std::string& indent) {
    std::string entry = indent + (key.standard ? "# " : "") + name + ":";
    if (key.standard && *key.standard) entry += std::string(" ") + key.standard;
    if (entry.size() < 40) entry.resize(40, ' ');
    out_ << entry << "  # " << (key.standard ? "" : "required; ") << describe_kind(key) << ": " << key.meaning << "\n";
  }
  const std::vector<Key>& keys_;
  std::ostringstream out_;
};

}  // namespace

int init_verb(const Arguments& arguments) {
  const std::string& name = arguments.positional()[0];
  const auto app = make_app(name);
  const std::filesystem::path file = arguments.positional().size() > 1 ? arguments.positional()[1] : name + ".yaml";
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::symlink_status(file, error)))
    throw UsageError("'" + file.string() + "' exists and is not overwritten; give another name: suite init " + name + " FILE.yaml");
  std::vector<Key> keys;
  // The title first, what all apps share last.
  for (const auto& key : common_keys())
    if (std::string(key.path) == "title") keys.push_back(key);
  for (const auto& key : app->keys()) keys.push_back(key);
  for (const auto& key : common_keys())
    if (std::string(key.path).find('.') != std::string::npos) keys.push_back(key);
  write_text_file(file, "# " + name + ": " + app->summary() + "\n# Lines that start with '#' show standard values. Check with: suite check " +
                            file.string() + "\napp: " + name + "\n" + Writer(keys).text());
  std::cout << "wrote " << file.string() << "; fill in what is required, then: suite check " << file.string() << "\n";
  return exit_ok;
}

}  // namespace suite::app
