// SPDX-License-Identifier: BSD-3-Clause
#include "compare_stored.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>

#include <fmt/core.h>

#include "common/json_text.hpp"
#include "common/near.hpp"
#include "measure/result_comparison.hpp"
#include "documents.hpp"
#include "exit_codes.hpp"
#include "junit.hpp"
#include "rows.hpp"
#include "table.hpp"

namespace suite::app {
namespace {

// Comparison of two results in the form of --json.
struct Compared {
  struct Origin {
    std::string file, schema, status, utc, suite_version, suite_commit, host;
  };
  struct Physics {
    std::string verdict, why;
    std::vector<stored::MatchedObservable> observables;
    std::vector<std::string> only_old, only_new;
  };
  struct Metric {
    std::string metric, unit, better;
    double before = 0, after = 0;
    Interval ratio;
    std::string verdict;
  };
  struct Matched {
    Row row;
    std::string verdict;
    std::vector<Metric> metrics;
  };
  std::string status;
  Origin before, after;
  std::vector<stored::Difference> differences;
  Physics physics;
  std::vector<Matched> rows;
  std::vector<Row> only_old, only_new;
  std::vector<std::string> regressions;
};

struct Identity;  // identifies a row

constexpr const char* comparison_status_words[] = {"ok", "regression"};
constexpr const char* physics_words[] = {"same", "different", "not compared"};
constexpr const char* observable_words[] = {"same", "different"};
constexpr const char* matched_words[] = {"FASTER", "same", "SLOWER", "unclear", "FAILED", "was FAILED", "no samples"};
constexpr const char* metric_words[] = {"time", "energy"};
constexpr const char* metric_units[] = {"s", "J"};
constexpr const char* direction_words[] = {"lower", "higher"};
constexpr const char* change_words[] = {"FASTER", "same", "SLOWER", "unclear", "LESS", "MORE"};

std::string verdict_of(const stored::MatchedObservable& row) { return row.same ? "same" : "different"; }

}  // namespace

// clang-format off
template <> inline constexpr auto fields<Compared::Origin> = std::tuple{
    Field{&Compared::Origin::file,          "file",          "", "", not_empty},
    Field{&Compared::Origin::schema,        "schema",        "", "", not_empty},
    Field{&Compared::Origin::status,        "status",        "", ""},
    Field{&Compared::Origin::utc,           "utc",           "", ""},
    Field{&Compared::Origin::suite_version, "suite_version", "", ""},
    Field{&Compared::Origin::suite_commit,  "suite_commit",  "", ""},
    Field{&Compared::Origin::host,          "host",          "", ""},
};
template <> inline constexpr auto fields<stored::Difference> = std::tuple{
    Field{&stored::Difference::what,   "what", "", "", not_empty},
    Field{&stored::Difference::before, "old",  "", ""},
    Field{&stored::Difference::after,  "new",  "", ""},
};
template <> inline constexpr auto fields<stored::MatchedObservable> = std::tuple{
    Field{&stored::MatchedObservable::name,        "name",        "", "", not_empty},
    Field{&stored::MatchedObservable::unit,        "unit",        "", ""},
    Field{&stored::MatchedObservable::count,       "count",       "", "number of compared values; the following entries belong to the one with the largest deviation", {.low = 0}},
    Field{&stored::MatchedObservable::label,       "label",       "", "of that value"},
    Field{&stored::MatchedObservable::before,      "old",         "", "null: not finite", any_number},
    Field{&stored::MatchedObservable::after,       "new",         "", "", any_number},
    Field{&stored::MatchedObservable::difference,  "difference",  "", "new minus old", any_number},
    Field{&stored::MatchedObservable::allowed,     "allowed",     "", "larger tolerance of the two results, or four joint standard errors",
          {.low = 0, .or_null = true}},
    Field{&stored::MatchedObservable::statistical, "statistical", "", "true if 'allowed' comes from standard errors"},
    Computed{&verdict_of,                          "verdict",     "", "", {.one_of = observable_words}},
    Field{&stored::MatchedObservable::why,         "why",         "", "reason why the two cannot be compared; otherwise empty"},
};
template <> inline constexpr auto fields<Compared::Physics> = std::tuple{
    Field{&Compared::Physics::verdict,     "verdict",     "", "", {.one_of = physics_words}},
    Field{&Compared::Physics::why,         "why",         "", "reason why nothing could be compared; otherwise empty"},
    Field{&Compared::Physics::observables, "observables", "", "of both results"},
    Field{&Compared::Physics::only_old,    "only_old",    "", "", {.items_not_empty = true}},
    Field{&Compared::Physics::only_new,    "only_new",    "", "", {.items_not_empty = true}},
};
template <> inline constexpr auto fields<Compared::Metric> = std::tuple{
    Field{&Compared::Metric::metric,  "metric",  "", "", {.one_of = metric_words}},
    Field{&Compared::Metric::unit,    "unit",    "", "", {.one_of = metric_units}},
    Field{&Compared::Metric::better,  "better",  "", "", {.one_of = direction_words}},
    Field{&Compared::Metric::before,  "old",     "", "median"},
    Field{&Compared::Metric::after,   "new",     "", "median"},
    Field{&Compared::Metric::ratio,   "ratio",   "1", "new relative to old, from independent samples"},
    Field{&Compared::Metric::verdict, "verdict", "", "", {.one_of = change_words}},
};
template <> inline constexpr auto fields<Row, Identity> = std::tuple{
    Field{&Row::kernel,         "kernel",         "", "", name_limits},
    Field{&Row::size,           "size",           "", ""},
    Field{&Row::implementation, "implementation", "", "", name_limits},
    Field{&Row::variant,        "variant",        "", "", name_or_none},
    Field{&Row::threads,        "threads",        "", "", count_limits},
    Field{&Row::parameters,     "parameters",     "", ""},
};
template <> inline constexpr auto fields<Compared::Matched> = std::tuple{
    flat_as<Identity>(&Compared::Matched::row),
    Field{&Compared::Matched::verdict, "verdict", "", "of the time", {.one_of = matched_words}},
    Field{&Compared::Matched::metrics, "metrics", "", ""},
};
template <> inline constexpr auto fields<Compared> = std::tuple{
    Constant{"schema", "suite-comparison-1"},
    Field{&Compared::status,      "status",      "", "", {.one_of = comparison_status_words}},
    Field{&Compared::before,      "old",         "", ""},
    Field{&Compared::after,       "new",         "", ""},
    Field{&Compared::differences, "differences", "", "other differences: versions, plugins, compilers, devices, host, input, ceilings"},
    Field{&Compared::physics,     "physics",     "", "physical results: the observables of both runs"},
    Field{&Compared::rows,        "rows",        "", "rows of both, in the order of the new result"},
    as<Identity>(&Compared::only_old, "only_old", ""),
    as<Identity>(&Compared::only_new, "only_new", ""),
    Field{&Compared::regressions, "regressions", "", "regressions found by --fail-on; empty without it", {.items_not_empty = true}},
};
// clang-format on

SchemaObject comparison_schema() { return schema_of<Compared>(); }

namespace {

using stored::ResultComparison, stored::row_name;

constexpr const char* outputs[] = {"--fail-on", "--json", "--csv", "--junit", "--quiet"};

void refuse_options_of_a_run(const Arguments& arguments) {
  for (const Option& option : options()) {
    const std::string name = option.name;
    if (std::find(std::begin(outputs), std::end(outputs), name) == std::end(outputs) && arguments.has(name))
      throw UsageError("two stored results are compared without running anything; " + name + " applies to an input");
  }
}

std::string origin(const stored::Result& result) {
  const Provenance& p = result.provenance;
  std::string text = result.file.string() + "   " + p.utc + "   suite " + p.suite_version;
  if (!p.suite_commit.empty()) text += " (" + p.suite_commit.substr(0, 8) + ")";
  return text + (p.host.name.empty() ? "" : "   " + p.host.name) + (result.status == "ok" ? "" : "   " + result.status);
}

std::string differences_text(const ResultComparison& c) {
  if (c.differences.empty()) return "no difference in versions, plugins, compilers, devices, host, input or ceilings\n";
  Table table;
  table.header({"different", "old", "new"});
  for (const auto& d : c.differences) table.row({d.what, d.before, d.after});
  return table.text();
}

std::string value_text(const stored::Change& change, double value) {
  return change.unit == "s" ? seconds_text(value) : metric(value) + " " + change.unit;
}

// Empty for benchmarks and other results without physics.
std::string physics_text(const stored::PhysicsComparison& c) {
  if (!c.of_apps) return "";
  if (!c.why_not.empty()) return "physical results could not be compared: " + c.why_not + "\n\n";
  Table table;
  table.header({"  quantity", "old", "new", "difference", "allowed", ""});
  for (size_t i = 1; i < 5; ++i) table.right(i);
  for (const auto& row : c.rows) {
    const std::string verdict = row.same ? "same" : bad("DIFFERENT", colour_on_stdout());
    if (row.why.empty())
      table.row({"  " + stored::quantity_text(row), fmt::format("{:.10g}", row.before), fmt::format("{:.10g}", row.after),
                 fmt::format("{:.2g}", row.difference), fmt::format("{:.2g}", row.allowed) + (row.statistical ? "*" : ""), verdict});
    else table.row({"  " + stored::quantity_text(row), "-", "-", "-", "-", verdict + ", " + row.why});
  }
  std::string text = table.text();
  if (std::any_of(c.rows.begin(), c.rows.end(), [](const auto& row) { return row.statistical; }))
    text += fmt::format("  * {:.0f} joint standard errors\n", stored::most_joint_errors);
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
      const std::string verdict = row.verdict == "FAILED" ? bad(row.verdict, colour_on_stdout()) : row.verdict;
      table.row({name, "-", "-", "-", "-", "-", verdict});
      if (row.after.failed()) details += name + " FAILED: " + row.after.verification.detail + "\n";
    }
    for (const auto& change : row.changes) {
      const Estimate& ratio = change.comparison.ratio;
      few = few || !ratio.interval;
      table.row({change.metric == "time" ? name : "    " + change.metric, value_text(change, change.before),
                 value_text(change, change.after), fixed(ratio.median, 3),
                 fixed(ratio.low, 3) + " - " + fixed(ratio.high, 3) + (ratio.interval ? "" : "*"), scientific(change.comparison.p),
                 change.verdict});
    }
  }
  std::string text = c.rows.empty() ? "  no common rows\n" : table.text() + details;
  if (few) text += "  * fewer than 6 samples: minimum and maximum\n";
  for (const auto& row : c.missing) text += "  only in old: " + row_name(row) + "\n";
  for (const auto& row : c.added) text += "  only in new: " + row_name(row) + "\n";
  return text;
}

Compared::Origin origin_of(const stored::Result& result) {
  const Provenance& p = result.provenance;
  return {result.file.string(), fmt::format("suite-{}-{}", result.schema, result.version),
          result.status,        p.utc,
          p.suite_version,      p.suite_commit,
          p.host.name};
}

Compared::Metric metric_of(const stored::Change& c) {
  return {c.metric, c.unit, c.lower_is_better ? "lower" : "higher", c.before, c.after, interval_of(c.comparison), c.verdict};
}

Compared compared(const ResultComparison& c, const std::vector<std::string>& regressions) {
  Compared all;
  all.status = regressions.empty() ? "ok" : "regression";
  all.before = origin_of(c.before);
  all.after = origin_of(c.after);
  all.differences = c.differences;
  all.physics = {!c.physics.why_not.empty() ? "not compared"
                 : c.physics.same()         ? "same"
                                            : "different",
                 c.physics.why_not, c.physics.rows, c.physics.missing, c.physics.added};
  for (const auto& row : c.rows) {
    Compared::Matched& matched = all.rows.emplace_back();
    matched.row = row.after;
    matched.verdict = row.verdict;
    for (const auto& change : row.changes) matched.metrics.push_back(metric_of(change));
  }
  all.only_old = c.missing;
  all.only_new = c.added;
  all.regressions = regressions;
  return all;
}

// A case for each quantity and row; failed if a regression is about it, or if the row is wrong now.
std::vector<TestCase> cases_of(const ResultComparison& c, const std::vector<std::string>& regressions) {
  std::vector<TestCase> cases;
  std::vector<bool> told(regressions.size());
  const auto add = [&](const std::string& group, const std::string& name, const std::string& subject, double seconds, std::string failure) {
    for (size_t i = 0; i < regressions.size(); ++i)
      if (regressions[i].starts_with(subject + " is ") || regressions[i].starts_with(subject + " fails "))
        failure = regressions[i], told[i] = true;
    cases.push_back({group, name, seconds, failure, "", ""});
  };
  for (const auto& row : c.physics.rows) add("physics", stored::quantity_text(row), stored::quantity_text(row), 0, "");
  const auto without_kernel = [](const Row& row) {  // which is the group
    const std::string name = row_name(row);
    return name.substr(std::min(row.kernel.size() + 1, name.size()));
  };
  const auto add_row = [&](const Row& row) {
    add(row.kernel, without_kernel(row), row_name(row), row.time ? row.time->median : 0,
        row.failed() ? "differs from the reference: " + row.verification.detail : "");
  };
  for (const auto& row : c.rows) add_row(row.after);
  for (const auto& row : c.added) add_row(row);
  for (const auto& row : c.missing) {
    add(row.kernel, without_kernel(row), row_name(row), 0, "");
    if (cases.back().failure.empty()) cases.back().skipped = "only in the old result";
  }
  for (size_t i = 0; i < regressions.size(); ++i)
    if (!told[i]) cases.push_back({"regressions", regressions[i], 0, regressions[i], "", ""});
  return cases;
}

}  // namespace

bool names_results(const Arguments& arguments) {
  const auto& named = arguments.positional();
  if (named.size() == 2) return true;
  if (arguments.has("--fail-on")) throw UsageError("--fail-on needs two results: suite compare OLD NEW");
  std::error_code error;
  const std::filesystem::path only = named[0];
  if (only.extension() == ".json" || std::filesystem::is_directory(only, error))
    throw UsageError(in_quotes(named[0]) + " is a result; comparing needs two: suite compare OLD NEW");
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
  write_junit(arguments, cases_of(c, found));
  if (!print_document(arguments, json_of(compared(c, found))) && !arguments.has("--quiet")) {
    std::cout << "old  " << origin(c.before) << "\nnew  " << origin(c.after) << "\n\n"
              << differences_text(c) << "\n"
              << physics_text(c.physics) << rows_text(c);
  }
  for (const auto& sentence : found) std::cerr << "suite: regression: " << sentence << "\n";
  return found.empty() ? exit_ok : exit_regression;
}

}  // namespace suite::app
