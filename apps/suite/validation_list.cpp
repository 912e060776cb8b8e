// SPDX-License-Identifier: BSD-3-Clause
#include "validation_list.hpp"

#include <algorithm>
#include <utility>

#include "base/document.hpp"
#include "base/values.hpp"
#include "base/yaml.hpp"
#include "common/io.hpp"
#include "common/near.hpp"
#include "common/paths.hpp"
#include "options.hpp"

namespace suite::app {
namespace {

namespace fs = std::filesystem;

constexpr double MiB = 1024 * 1024;

// Reports errors of a list with their position in the file.
class ListReader {
public:
  explicit ListReader(const fs::path& file)
      : file_(file), text_(read_text_file(file, largest_file)), diagnostics_(file.string(), text_, {}) {}

  std::vector<ValidationCase> read() {
    const auto root = parse_yaml(text_, diagnostics_);
    if (!root) diagnostics_.raise();
    const fs::path inputs = file_.parent_path() / file_.stem();
    std::vector<ValidationCase> cases;
    for (const auto& [name, node] : root->members) {
      ValidationCase one{name.text, inputs / (name.text + ".yaml"), 0, 0, {}};
      for (const auto& [key, value] : node.members) {
        if (key.text == "cpu_s") one.cpu_s = positive(key, value);
        else if (key.text == "memory_MiB") one.memory_B = MiB * positive(key, value);
        else if (key.text != "checks") unknown(key);
      }
      const Node* checks = node.find("checks");
      if (!checks || checks->type != Node::Type::list) diagnostics_.add(name.at, "it has no list 'checks'");
      else
        for (const auto& item : checks->items) one.checks.push_back(check(item));
      cases.push_back(std::move(one));
    }
    if (!diagnostics_.empty()) diagnostics_.raise();
    return cases;
  }

private:
  void unknown(const Node& key) { diagnostics_.add(key.at, "unknown key '" + key.text + "'"); }

  std::optional<double> number(const Node& key, const Node& value) {
    std::string problem;
    const auto found = read_real(value, problem);
    if (!found) diagnostics_.add(value.at, "'" + key.text + "' " + problem);
    return found;
  }

  double positive(const Node& key, const Node& value) {
    const auto found = number(key, value);
    if (found && !(*found > 0)) diagnostics_.add(value.at, "'" + key.text + "' must be above 0; got '" + value.text + "'");
    return found.value_or(0);
  }

  PublishedValue check(const Node& node) {
    PublishedValue c;
    const std::pair<const char*, std::string*> words[] = {
        {"quantity", &c.quantity}, {"quantity_error", &c.quantity_error}, {"source", &c.source}};
    const std::pair<const char*, std::optional<double>*> numbers[] = {{"expected", &c.expected},
                                                                      {"error", &c.error},
                                                                      {"tolerance", &c.tolerance},
                                                                      {"below", &c.below},
                                                                      {"largest_error", &c.largest_error}};
    for (const auto& [key, value] : node.members) {
      bool known = false;
      for (const auto& [name, to] : words)
        if (key.text == name) *to = value.text, known = true;
      for (const auto& [name, to] : numbers)
        if (key.text == name) *to = number(key, value), known = true;
      if (!known) unknown(key);
    }
    if (c.quantity.empty()) diagnostics_.add(node.at, "the check has no 'quantity'");
    if (c.expected.has_value() == c.below.has_value()) diagnostics_.add(node.at, "the check needs 'expected' or 'below'");
    return c;
  }

  fs::path file_;
  std::string text_;
  Diagnostics diagnostics_;
};

fs::path file_of(const std::string& name) {
  if (fs::path(name).extension() == ".yaml") return fs::absolute(name);
  const fs::path list = installed_inputs() / "validation" / (name + ".yaml");
  std::error_code error;
  if (fs::exists(list, error)) return list;
  std::string known;
  for (const auto& family : validated_families()) known += (known.empty() ? "" : ", ") + family;
  throw Failure(SUITE_NOT_FOUND,
                "there is no validation of " + in_quotes(name) + did_you_mean(name, validated_families()) + " (there are: " + known + ")");
}

}  // namespace

double ValidationList::cpu_s() const {
  double sum = 0;
  for (const auto& one : cases) sum += one.cpu_s;
  return sum;
}

double ValidationList::memory_B() const {
  double most = 0;
  for (const auto& one : cases) most = std::max(most, one.memory_B);
  return most;
}

bool ValidationList::whole() const {
  return std::all_of(cases.begin(), cases.end(), [](const ValidationCase& one) { return one.cpu_s > 0 && one.memory_B > 0; });
}

std::vector<std::string> validated_families() {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator i(installed_inputs() / "validation", error), end; !error && i != end; i.increment(error))
    if (i->path().extension() == ".yaml") names.push_back(i->path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

ValidationList read_validation_list(const std::string& name) {
  const fs::path file = file_of(name);
  return {file.stem().string(), ListReader(file).read()};
}

}  // namespace suite::app
