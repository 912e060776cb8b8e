// SPDX-License-Identifier: BSD-3-Clause
// suite validate FAMILY: runs the inputs of inputs/validation/FAMILY and holds their results against published
// ones, which inputs/validation/FAMILY.yaml lists with their sources. Or a list of one's own, with the inputs in
// the folder of its name.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>

#include "common/document.hpp"
#include "common/io.hpp"
#include "common/json_text.hpp"
#include "common/near.hpp"
#include "common/paths.hpp"
#include "common/print.hpp"
#include "common/result.hpp"
#include "common/values.hpp"
#include "common/yaml.hpp"
#include "exit_codes.hpp"
#include "session.hpp"
#include "table.hpp"
#include "verbs.hpp"

namespace suite::app {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr double most_sigmas = 3;
constexpr size_t largest_result = 64 << 20;

// A number of a run's results and what it has to be: within three standard errors of `expected` (or within
// `tolerance`), or `below` something; its own error at most `largest_error`.
struct Check {
  std::string quantity, quantity_error, source;
  std::optional<double> expected, error, tolerance, below, largest_error;
};
struct Case {
  std::string name;
  std::vector<Check> checks;
};

struct Finding {
  double value = 0, error = 0;
  std::string deviation;
  bool right = false;
};

// The list of a family. What is wrong with it is an error of the file.
class List {
public:
  explicit List(const fs::path& file) : file_(file), text_(read_text_file(file, largest_file)), diagnostics_(file.string(), text_, {}) {}

  std::vector<Case> read() {
    const auto root = parse_yaml(text_, diagnostics_);
    if (!root) diagnostics_.raise();
    std::vector<Case> cases;
    for (const auto& [name, node] : root->members) {
      Case one{name.text, {}};
      const Node* checks = node.find("checks");
      if (!checks || checks->type != Node::Type::list) diagnostics_.add(name.at, "it has no list of 'checks'");
      else
        for (const auto& item : checks->items) one.checks.push_back(check(item));
      cases.push_back(std::move(one));
    }
    if (!diagnostics_.empty()) diagnostics_.raise();
    return cases;
  }

private:
  Check check(const Node& node) {
    Check c;
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
        if (key.text == name) {
          std::string problem;
          *to = read_real(value, problem);
          if (!*to) diagnostics_.add(value.at, "'" + key.text + "' " + problem);
          known = true;
        }
      if (!known) diagnostics_.add(key.at, "unknown key '" + key.text + "'");
    }
    if (c.quantity.empty()) diagnostics_.add(node.at, "the check has no 'quantity'");
    if (c.expected.has_value() == c.below.has_value()) diagnostics_.add(node.at, "the check needs 'expected' or 'below'");
    return c;
  }

  fs::path file_;
  std::string text_;
  Diagnostics diagnostics_;
};

// "components.KEI.mean_Ha" of the results.
double number_at(const ordered_json& results, const std::string& path) {
  std::string pointer = "/" + path;
  for (auto& c : pointer)
    if (c == '.') c = '/';
  const nlohmann::json::json_pointer at(pointer);
  const auto& flat = nlohmann::json(results);
  if (!flat.contains(at) || !flat[at].is_number()) throw Failure(SUITE_INTERNAL, "the results have no number " + path);
  return flat[at].get<double>();
}

Finding find(const Check& c, const ordered_json& results) {
  Finding f;
  f.value = number_at(results, c.quantity);
  if (!c.quantity_error.empty()) f.error = number_at(results, c.quantity_error);
  if (c.below) {
    f.right = f.value <= *c.below;
    return f;
  }
  const double off = f.value - *c.expected, sigma = std::hypot(f.error, c.error.value_or(0));
  if (c.tolerance) {
    f.deviation = print("%.1e", off);
    f.right = std::abs(off) <= *c.tolerance;
  } else {
    f.deviation = print("%+.2f sigma", off / sigma);
    f.right = std::abs(off) <= most_sigmas * sigma;
  }
  f.right = f.right && !(c.largest_error && !(f.error <= *c.largest_error));
  return f;
}

std::string value_text(double value, double error) { return error > 0 ? print("%.6f +- %.6f", value, error) : print("%.10g", value); }

std::string expected_text(const Check& c) {
  if (c.below) return print("<= %.10g", *c.below);
  return c.error ? value_text(*c.expected, *c.error) : print("%.10g", *c.expected);
}

std::vector<std::string> validated_families() {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator i(installed_inputs() / "validation", error), end; !error && i != end; i.increment(error))
    if (i->path().extension() == ".yaml") names.push_back(i->path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

// A family's list, or the file named.
fs::path list_of(const std::string& name) {
  if (fs::path(name).extension() == ".yaml") return fs::absolute(name);
  const fs::path list = installed_inputs() / "validation" / (name + ".yaml");
  std::error_code error;
  if (!fs::exists(list, error)) {
    std::string known;
    for (const auto& family : validated_families()) known += (known.empty() ? "" : ", ") + family;
    throw UsageError("there is no validation of " + in_quotes(name) +
                     did_you_mean(name, validated_families()) + " (there are: " + known + ")");
  }
  return list;
}

// As `suite run` would, with the options given here: its exit code.
int run_case(const Arguments& arguments, const fs::path& input, const fs::path& folder) {
  std::vector<std::string> words{"run", input.string(), "--output", folder.string(), "--quiet"};
  for (const char* option : {"--implementation", "--backend", "--plugin", "--threads", "--variant"})
    if (arguments.has(option)) words.insert(words.end(), {option, arguments.get(option)});
  return run_verb(Arguments::parse(words));
}

ordered_json results_in(const fs::path& folder) {
  return ordered_json::parse(read_text_file(folder / "result.json", largest_result)).at("results");
}

}  // namespace

int validate_verb(const Arguments& arguments) {
  if (launched_rank() >= 0) throw UsageError("'suite validate' is one process; start it without mpirun");
  const fs::path list = list_of(arguments.positional()[0]);
  const std::string family = list.stem().string();
  const fs::path inputs = list.parent_path() / family;
  const auto cases = List(list).read();
  const fs::path folder = make_run_folder("validate-" + family, arguments.get("--output"));
  const bool quiet = arguments.has("--quiet"), json = arguments.has("--json");
  Table table;
  table.header({"case", "quantity", "this run", "expected", "deviation", "", "source"});
  ordered_json rows = ordered_json::array();
  bool right = true;
  for (const auto& one : cases) {
    if (!quiet && !json) std::cerr << one.name << " ...\n";
    if (const int code = run_case(arguments, inputs / (one.name + ".yaml"), folder / one.name); code != exit_ok) {
      std::cerr << "suite: the run of " << one.name << " ended with exit code " << code << "\n";
      return code;
    }
    const ordered_json results = results_in(folder / one.name);
    for (const auto& check : one.checks) {
      const Finding f = find(check, results);
      right = right && f.right;
      table.row({one.name, check.quantity, value_text(f.value, f.error), expected_text(check), f.deviation,
                 f.right ? good("ok", colour_on_stdout()) : bad("FAILED", colour_on_stdout()), check.source});
      rows.push_back({{"case", one.name}, {"quantity", check.quantity}, {"value", f.value}, {"error", f.error}, {"deviation", f.deviation},
                      {"verdict", f.right ? "ok" : "failed"}, {"source", check.source}});
      if (check.expected) rows.back()["expected"] = *check.expected;
      if (check.below) rows.back()["below"] = *check.below;
    }
  }
  const std::string all =
      json_document({{"schema", "suite-validate-1"}, {"family", family}, {"status", right ? "ok" : "failed"}, {"checks", rows}, {"folder", folder.string()}});
  write_text_file(folder / "validation.json", all);
  if (json) std::cout << all;
  else if (!quiet) std::cout << table.text() << "\n results in " << folder.string() << "\n";
  return right ? exit_ok : exit_verification;
}

}  // namespace suite::app
