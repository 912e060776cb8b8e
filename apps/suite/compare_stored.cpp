// SPDX-License-Identifier: BSD-3-Clause
#include "compare_stored.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>

#include <nlohmann/json.hpp>

#include "common/json_text.hpp"
#include "common/near.hpp"
#include "common/print.hpp"
#include "common/result_comparison.hpp"
#include "exit_codes.hpp"
#include "rows.hpp"
#include "table.hpp"

namespace suite::app {
namespace {

using nlohmann::ordered_json;
using stored::ResultComparison;

void refuse_options_of_a_run(const Arguments& arguments) {
  for (const Option& option : options()) {
    const std::string name = option.name;
    if (name != "--fail-on" && name != "--json" && name != "--quiet" && arguments.has(name))
      throw UsageError("two results are compared as they are stored; " + name + " is for an input");
  }
}

std::string origin(const stored::Result& result) {
  const stored::Provenance& p = result.provenance;
  std::string text = result.file.string() + "   " + p.utc + "   suite " + p.suite_version;
  if (!p.suite_commit.empty()) text += " (" + p.suite_commit.substr(0, 8) + ")";
  return text + (p.host.empty() ? "" : "   " + p.host) + (result.status == "ok" ? "" : "   " + result.status);
}

std::string differences_text(const ResultComparison& c) {
  if (c.differences.empty())
    return "no difference in versions, plugins, compilers, devices, host, input or ceilings\n";
  Table table;
  table.header({"different", "old", "new"});
  for (const auto& d : c.differences) table.row({d.what, d.before, d.after});
  return table.text();
}

std::string value_text(const stored::Change& change, double value) {
  return change.unit == "s" ? seconds_text(value) : metric(value) + " " + change.unit;
}

// Nothing of benchmarks and the like, which have no physics.
std::string physics_text(const stored::PhysicsComparison& c) {
  if (!c.of_apps) return "";
  if (!c.why_not.empty()) return "nothing of the physics could be compared: " + c.why_not + "\n\n";
  Table table;
  table.header({"  quantity", "old", "new", "difference", "allowed", ""});
  for (size_t i = 1; i < 5; ++i) table.right(i);
  for (const auto& row : c.rows) {
    const std::string verdict = row.same ? "same" : bad("DIFFERENT", colour_on_stdout());
    if (row.why.empty())
      table.row({"  " + stored::quantity_text(row), print("%.10g", row.before), print("%.10g", row.after), print("%.2g", row.difference),
                 print("%.2g", row.allowed) + (row.statistical ? "*" : ""), verdict});
    else table.row({"  " + stored::quantity_text(row), "-", "-", "-", "-", verdict + ", " + row.why});
  }
  std::string text = table.text();
  if (std::any_of(c.rows.begin(), c.rows.end(), [](const auto& row) { return row.statistical; }))
    text += print("  * %.0f joint standard errors\n", stored::most_joint_errors);
  for (const auto& name : c.missing) text += "  only in old: " + name + "\n";
  for (const auto& name : c.added) text += "  only in new: " + name + "\n";
  return text + "\n";
}

std::string rows_text(const ResultComparison& c) {
  Table table;
  table.header({"  row", "old", "new", "ratio", "95 % interval", "p", "verdict"});
  for (size_t i = 1; i < 6; ++i) table.right(i);
  for (const size_t i : {5, 1, 2, 4}) table.may_go(i);
  std::string details;
  bool few = false;
  for (const auto& row : c.rows) {
    const std::string name = "  " + row_name(row.after);
    if (row.changes.empty()) {
      const std::string verdict =
          row.verdict == "FAILED" ? bad(row.verdict, colour_on_stdout()) : row.verdict;
      table.row({name, "-", "-", "-", "-", "-", verdict});
      if (row.after.failed()) details += name + " FAILED: " + row.after.detail + "\n";
    }
    for (const auto& change : row.changes) {
      const Estimate& ratio = change.comparison.ratio;
      few = few || !ratio.interval;
      table.row({change.metric == "time" ? name : "    " + change.metric, value_text(change, change.before),
                 value_text(change, change.after), fixed(ratio.median, 3),
                 fixed(ratio.low, 3) + " - " + fixed(ratio.high, 3) + (ratio.interval ? "" : "*"),
                 scientific(change.comparison.p), change.verdict});
    }
  }
  std::string text = c.rows.empty() ? "  no row is in both\n" : table.text() + details;
  if (few) text += "  * too few samples: least and largest\n";
  for (const auto& row : c.missing) text += "  only in old: " + row_name(row) + "\n";
  for (const auto& row : c.added) text += "  only in new: " + row_name(row) + "\n";
  return text;
}

ordered_json origin_json(const stored::Result& result) {
  return {{"file", result.file.string()},
          {"schema", "suite-" + result.schema + "-" + std::to_string(result.version)},
          {"status", result.status},
          {"utc", result.provenance.utc},
          {"suite_version", result.provenance.suite_version},
          {"suite_commit", result.provenance.suite_commit},
          {"host", result.provenance.host}};
}

ordered_json row_json(const stored::Row& row) {
  ordered_json j{{"kernel", row.kernel},   {"size", row.size},       {"implementation", row.implementation},
                 {"variant", row.variant}, {"threads", row.threads}, {"parameters", ordered_json::object()}};
  for (const auto& [name, value] : row.parameters) j["parameters"][name] = value;
  return j;
}

ordered_json matched_json(const stored::Matched& row) {
  ordered_json j = row_json(row.after);
  j["verdict"] = row.verdict;
  j["metrics"] = ordered_json::array();
  for (const auto& c : row.changes)
    j["metrics"].push_back({{"metric", c.metric},
                            {"unit", c.unit},
                            {"better", c.lower_is_better ? "lower" : "higher"},
                            {"old", c.before},
                            {"new", c.after},
                            {"ratio", comparison_json(c.comparison)},
                            {"verdict", c.verdict}});
  return j;
}

ordered_json physics_json(const stored::PhysicsComparison& c) {
  ordered_json j{{"verdict", !c.why_not.empty() ? "not compared" : c.same() ? "same" : "different"}, {"why", c.why_not}, {"observables", ordered_json::array()}};
  for (const auto& row : c.rows)
    j["observables"].push_back({{"name", row.name}, {"unit", row.unit}, {"count", row.count}, {"label", row.label}, {"old", row.before}, {"new", row.after},
                                {"difference", row.difference}, {"allowed", row.allowed}, {"statistical", row.statistical},
                                {"verdict", row.same ? "same" : "different"}, {"why", row.why}});
  j["only_old"] = c.missing;
  j["only_new"] = c.added;
  return j;
}

ordered_json comparison_object(const ResultComparison& c, const std::vector<std::string>& regressions) {
  ordered_json j{{"schema", "suite-comparison-1"}, {"status", regressions.empty() ? "ok" : "regression"}};
  j["old"] = origin_json(c.before);
  j["new"] = origin_json(c.after);
  j["differences"] = ordered_json::array();
  for (const auto& d : c.differences)
    j["differences"].push_back({{"what", d.what}, {"old", d.before}, {"new", d.after}});
  j["physics"] = physics_json(c.physics);
  j["rows"] = ordered_json::array();
  for (const auto& row : c.rows) j["rows"].push_back(matched_json(row));
  j["only_old"] = ordered_json::array();
  for (const auto& row : c.missing) j["only_old"].push_back(row_json(row));
  j["only_new"] = ordered_json::array();
  for (const auto& row : c.added) j["only_new"].push_back(row_json(row));
  j["regressions"] = regressions;
  return j;
}

}  // namespace

bool names_results(const Arguments& arguments) {
  const auto& named = arguments.positional();
  if (named.size() == 2) return true;
  if (arguments.has("--fail-on")) throw UsageError("--fail-on needs two results: suite compare OLD NEW");
  std::error_code error;
  const std::filesystem::path only = named[0];
  if (only.extension() == ".json" || std::filesystem::is_directory(only, error))
    throw UsageError(in_quotes(named[0]) +
                     " is a result, which needs another to be compared with: suite compare OLD NEW");
  return false;
}

int compare_stored(const Arguments& arguments) {
  refuse_options_of_a_run(arguments);
  stored::FailOn asked;
  if (arguments.has("--fail-on")) asked = stored::parse_fail_on(arguments.get("--fail-on"));
  const auto& named = arguments.positional();
  stored::Result before = stored::read_result(named[0]), after = stored::read_result(named[1]);
  const ResultComparison c = stored::compare_results(std::move(before), std::move(after));
  const std::vector<std::string> found = regressions(c, asked);
  if (arguments.has("--json")) {
    std::cout << json_document(comparison_object(c, found));
  } else if (!arguments.has("--quiet")) {
    std::cout << "old  " << origin(c.before) << "\nnew  " << origin(c.after) << "\n\n"
              << differences_text(c) << "\n"
              << physics_text(c.physics)
              << rows_text(c);
  }
  for (const auto& sentence : found) std::cerr << "suite: regression: " << sentence << "\n";
  return found.empty() ? exit_ok : exit_regression;
}

}  // namespace suite::app
