// SPDX-License-Identifier: BSD-3-Clause
// suite history: times of kernels over stored results, as tables and as a figure.
#include <algorithm>
#include <iostream>

#include <fmt/core.h>

#include "common/io.hpp"
#include "common/near.hpp"
#include "common/quantities.hpp"
#include "measure/history.hpp"
#include "measure/report/history_page.hpp"
#include "measure/result_comparison.hpp"
#include "documents.hpp"
#include "exit_codes.hpp"
#include "session.hpp"
#include "table.hpp"
#include "verbs.hpp"

namespace suite::app {
namespace {

struct HistoryDocument {
  std::vector<history::Series> series;
  std::vector<std::string> left_out, regressions;
};

constexpr const char* history_words[] = {"", "FASTER", "same", "SLOWER", "unclear"};

size_t samples_in(const history::Point& point) { return point.samples_s.size(); }

}  // namespace

// clang-format off
template <> inline constexpr auto fields<history::Point> = std::tuple{
    Field{&history::Point::utc,           "utc",           "", "start of the run"},
    Field{&history::Point::suite_version, "suite_version", "", ""},
    Field{&history::Point::suite_commit,  "suite_commit",  "", ""},
    flat_as<OfSamples>(&history::Point::time),
    Computed{&samples_in,                 "samples",       "", "number of samples", {.low = 1}},
    Field{&history::Point::ratio,         "ratio",         "1", "time relative to all samples since the last change; absent for the first point"},
    Field{&history::Point::verdict,       "verdict",       "", "empty for the first point", {.one_of = history_words}},
    Field{&history::Point::file,          "file",          "", "of the result", not_empty},
};
template <> inline constexpr auto fields<history::Series> = std::tuple{
    Field{&history::Series::kernel,         "kernel",         "", "", name_limits},
    Field{&history::Series::size,           "size",           "", ""},
    Field{&history::Series::implementation, "implementation", "", "", name_limits},
    Field{&history::Series::variant,        "variant",        "", "", name_or_none},
    Field{&history::Series::parameters,     "parameters",     "", ""},
    Field{&history::Series::threads,        "threads",        "", "0: unknown", count_limits},
    Computed{&history::Series::machine,     "machine",        "", "host, CPU, cores, and the device if it is not the CPU", not_empty},
    Field{&history::Series::points,         "points",         "", "ordered by date", {.least = 1}},
};
template <> inline constexpr auto fields<HistoryDocument> = std::tuple{
    Constant{"schema", "suite-history-1"},
    Field{&HistoryDocument::series,   "series",   "", ""},
    Field{&HistoryDocument::left_out, "left_out", "", "files that could not be read, with the reason", {.items_not_empty = true}},
    Field{&HistoryDocument::regressions, "regressions", "", "series found slower by --fail-on; empty without it", {.items_not_empty = true}},
};
// clang-format on

SchemaObject history_schema() { return schema_of<HistoryDocument>(); }

namespace {

using history::History;

std::string coloured_verdict(const history::Point& point) {
  if (point.verdict == "FASTER") return good(point.verdict, colour_on_stdout());
  return point.verdict == "SLOWER" ? bad(point.verdict, colour_on_stdout()) : point.verdict.empty() ? "-" : point.verdict;
}

void print_series(const history::Series& series, bool& few) {
  std::cout << "\n" << series.place() << ", " << series.label() << "\n" << wrapped("on " + series.machine(), 2, reading_columns());
  Table table;
  table.header({"  date", "version", "revision", "time", "95 % interval", "ratio", "verdict"});
  for (size_t column : {3, 4, 5}) table.right(column);
  for (size_t column : {1, 4, 2}) table.may_go(column);
  for (const auto& point : series.points) {
    few = few || !point.time.interval;
    std::string date = point.utc.substr(0, 16);
    std::replace(date.begin(), date.end(), 'T', ' ');
    table.row({"  " + date, point.suite_version, point.suite_commit.empty() ? "-" : point.suite_commit.substr(0, 8),
               seconds_text(point.time.median),
               seconds_text(point.time.low) + " - " + seconds_text(point.time.high) + (point.time.interval ? "" : "*"),
               point.ratio ? fixed(point.ratio->median, 3) : "-", coloured_verdict(point)});
  }
  std::cout << table.text();
}

void print_history(const History& all) {
  std::cout << counted(static_cast<long>(all.results), "result") << ", " << all.series.size() << " series\n";
  bool few = false;
  for (const auto& series : all.series) print_series(series, few);
  if (few) std::cout << "  * fewer than 6 samples: minimum and maximum\n";
}

// Refuses to overwrite; .html: the page, .svg: the figure alone.
void write_figure(const Arguments& arguments, const History& all) {
  const std::filesystem::path file = arguments.get("--output");
  std::error_code error;
  if (std::filesystem::exists(file, error)) throw UsageError("--output " + in_quotes(file.string()) + " exists; it is not overwritten");
  write_text_file(file, file.extension() == ".svg" ? history::figure(all) : report::history_page(all));
  if (!arguments.has("--quiet") && prints(arguments)) std::cout << "\nfigure in " << file.string() << "\n";
}

// What --fail-on finds. The other conditions of 'compare' are about two results.
std::vector<std::string> regressions_of(const History& all, const Arguments& arguments) {
  if (!arguments.has("--fail-on")) return {};
  const std::string text = arguments.get("--fail-on");
  if (!text.starts_with("slower:") || text.find(',') != std::string::npos)
    throw UsageError("--fail-on has " + in_quotes(text) + "; 'history' takes slower:5% (or another percentage)");
  return slower_now(all, stored::parse_fail_on(text).slower_by);
}

}  // namespace

int history_verb(const Arguments& arguments) {
  if (arguments.has("--output"))
    if (const auto type = std::filesystem::path(arguments.get("--output")).extension(); type != ".html" && type != ".svg")
      throw UsageError("--output must end in .html or .svg; got " + in_quotes(arguments.get("--output")));
  const bool named = !arguments.positional().empty();
  std::error_code error;
  if (!named && !std::filesystem::is_directory("results", error))
    throw IoFailure("there is no folder 'results' here; 'suite bench' creates it, or name results: suite history RESULT|FOLDER...");
  const auto files = history::result_files(named ? arguments.positional() : std::vector<std::string>{"results"});
  const History all = history::read(files, arguments.all("--kernel"));
  for (const auto& sentence : all.left_out) std::cerr << "suite: warning: left out: " << sentence << "\n";
  if (all.series.empty()) {
    const std::string what = arguments.has("--kernel") ? " of the kernel or family " + in_quotes(arguments.get("--kernel")) : "";
    throw Failure(SUITE_INVALID_ARGUMENT, "no times" + what + " in " + counted(static_cast<long>(files.size()), "result file") +
                                              "; bench, compare, ladder and roofline write them");
  }
  const std::vector<std::string> regressions = regressions_of(all, arguments);
  if (!print_document(arguments, json_of(HistoryDocument{all.series, all.left_out, regressions})) && prints(arguments)) {
    print_history(all);
    if (!arguments.has("--output"))
      std::cout << "\nnext: suite history" << (named ? " " + arguments.positional()[0] : "") << " --output history.html\n";
  }
  if (arguments.has("--output")) write_figure(arguments, all);
  for (const auto& sentence : regressions) std::cerr << "suite: regression: " << sentence << "\n";
  return regressions.empty() ? exit_ok : exit_regression;
}

}  // namespace suite::app
