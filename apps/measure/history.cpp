// SPDX-License-Identifier: BSD-3-Clause
#include "history.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/core.h>

#include "common/io.hpp"
#include "common/near.hpp"
#include "common/quantities.hpp"
#include "plot.hpp"
#include "result_comparison.hpp"

namespace suite::app::history {
namespace {

namespace fs = std::filesystem;

// Results of an app are left out: their samples are calls on different arguments.
constexpr const char* compared_kinds[] = {"bench", "compare", "ladder", "roofline"};

bool is_wanted(const std::string& kernel, const std::vector<std::string>& wanted) {
  const std::string family = kernel.substr(0, kernel.find('.'));
  return wanted.empty() || std::any_of(wanted.begin(), wanted.end(), [&](const auto& name) { return name == kernel || name == family; });
}

// Without the peak rate, whose clock differs from run to run.
std::string device_of(const Row& row) { return row.device.substr(0, row.device.find(", peak ")); }

bool same(const Machine& a, const Machine& b) { return a.name == b.name && a.cpu == b.cpu && a.cores == b.cores; }

Series& series_of(History& history, const Row& row, const Machine& host) {
  const std::string implementation = row.name.empty() ? row.implementation : row.name;
  const std::string variant = row.variant.empty() && row.step ? row.step->name : row.variant;
  for (auto& s : history.series)
    if (s.kernel == row.kernel && s.size == row.size && s.implementation == implementation && s.variant == variant &&
        s.device == device_of(row) && parameters_text(s.parameters) == parameters_text(row.parameters) && s.threads == row.threads &&
        same(s.host, host))
      return s;
  Series& added = history.series.emplace_back();
  added.kernel = row.kernel;
  added.size = row.size;
  added.implementation = implementation;
  added.variant = variant;
  added.device = device_of(row);
  added.parameters = row.parameters;
  added.threads = row.threads;
  added.host = host;
  return added;
}

void add(History& history, const stored::Result& result, const std::vector<std::string>& wanted) {
  bool any = false;
  for (const auto& row : result.rows) {
    if (!is_wanted(row.kernel, wanted) || row.failed() || row.samples_s.empty()) continue;
    any = true;
    const Provenance& p = result.provenance;
    Series& series = series_of(history, row, p.host);
    series.points.push_back({p.utc, p.suite_version, p.suite_commit, result.file.string(), row.samples_s, estimate(row.samples_s), {}, ""});
  }
  history.results += any;
}

}  // namespace

std::string Series::label() const { return implementation + (variant.empty() ? "" : " " + variant) + parameters_text(parameters); }

std::string Series::place() const {
  return kernel + (size.empty() ? "" : ", size " + size) + (threads > 0 ? ", " + counted(threads, "thread") : "");
}

std::string Series::machine() const {
  std::string text = host.name;
  const auto append = [&](const std::string& part) { text += (text.empty() || part.empty() ? "" : ", ") + part; };
  append(host.cpu);
  if (host.cores > 0) append(counted(host.cores, "core"));
  if (!device.starts_with(host.cpu) || host.cpu.empty()) append(device);
  return text.empty() ? "unknown machine" : text;
}

std::vector<fs::path> result_files(const std::vector<std::string>& named) {
  std::set<fs::path> files;
  std::error_code error;
  for (const auto& name : named) {
    if (!fs::exists(name, error)) throw IoFailure(in_quotes(name) + ": no such file or folder");
    if (!fs::is_directory(name, error)) {
      files.insert(name);
      continue;
    }
    const size_t before = files.size();
    if (fs::exists(fs::path(name) / "result.json", error)) files.insert(fs::path(name) / "result.json");
    for (fs::directory_iterator i(name, error), end; !error && i != end; i.increment(error)) {
      std::error_code ignored;
      // results/last is a link to one of the others.
      if (fs::is_symlink(i->path(), ignored)) continue;
      if (const fs::path file = i->path() / "result.json"; fs::is_directory(i->path(), ignored) && fs::exists(file, ignored))
        files.insert(file);
      else if (i->path().extension() == ".json" && i->path().filename() != "validation.json") files.insert(i->path());
    }
    if (files.size() == before) throw IoFailure("the folder " + in_quotes(name) + " contains no results");
  }
  return {files.begin(), files.end()};
}

History read(const std::vector<fs::path>& files, const std::vector<std::string>& wanted) {
  History history;
  std::vector<stored::Result> results;
  for (const auto& file : files) {
    try {
      stored::Result result = stored::read_result(file.string());
      if (std::find(std::begin(compared_kinds), std::end(compared_kinds), result.schema) != std::end(compared_kinds))
        results.push_back(std::move(result));
    } catch (const Failure& failure) { history.left_out.push_back(failure.what()); }
  }
  std::vector<stored::Result*> all;
  for (auto& result : results) all.push_back(&result);
  stored::name_apart(all);
  for (const auto& result : results) add(history, result, wanted);
  std::stable_sort(history.series.begin(), history.series.end(), [](const Series& a, const Series& b) {
    return std::tuple(a.place(), a.machine(), a.label()) < std::tuple(b.place(), b.machine(), b.label());
  });
  for (auto& series : history.series) judge(series);
  return history;
}

void judge(Series& series) {
  std::stable_sort(series.points.begin(), series.points.end(), [](const Point& a, const Point& b) { return a.utc < b.utc; });
  std::vector<double> level;  // all samples since the last change
  for (auto& point : series.points) {
    if (!level.empty()) {
      const Comparison comparison = compare_independent(point.samples_s, level);
      point.ratio = interval_of(comparison);
      point.verdict = comparison.verdict;
      if (point.changes()) level.clear();
    }
    level.insert(level.end(), point.samples_s.begin(), point.samples_s.end());
  }
}

std::vector<std::string> slower_now(const History& history, double fraction) {
  std::vector<std::string> sentences;
  bool judged = false;
  for (const auto& series : history.series) {
    const Point& newest = series.points.back();
    if (!newest.ratio) continue;
    judged = true;
    if (newest.verdict == "SLOWER" && newest.ratio->low > 1 + fraction)
      sentences.push_back(series.place() + ", " + series.label() + " " +
                          stored::slower_by_more_than(fraction, newest.ratio->median, newest.ratio->low, newest.ratio->high));
  }
  if (!judged) throw Failure(SUITE_INVALID_ARGUMENT, "--fail-on cannot be evaluated: no series has two results");
  return sentences;
}

std::string figure(const History& history) {
  constexpr size_t most_names = 16, most_panels = 48;
  std::vector<plot::Panel> panels;
  for (size_t begin = 0; begin < history.series.size() && panels.size() < most_panels;) {
    const std::string place = history.series[begin].place(), machine = history.series[begin].machine();
    size_t end = begin;
    std::map<std::string, size_t> runs;  // by date and file, of all series of the panel
    std::vector<double> times;
    for (; end < history.series.size() && history.series[end].place() == place && history.series[end].machine() == machine; ++end)
      for (const auto& point : history.series[end].points) runs.emplace(point.utc + point.file, 0), times.push_back(point.time.median);
    size_t at = 0;
    for (auto& [run, number] : runs) number = ++at;
    plot::Panel panel{place, "", "time (s)", {}, {}, {}};
    panel.log_y = plot::spans_decades(times);
    const size_t stride = (runs.size() + most_names - 1) / most_names;
    std::set<size_t> named;
    constexpr plot::Marker markers[] = {plot::Marker::filled_circle, plot::Marker::open_square, plot::Marker::triangle,
                                        plot::Marker::diamond,       plot::Marker::open_circle, plot::Marker::filled_square};
    for (size_t i = begin; i < end; ++i) {
      plot::Series line{history.series[i].label(), {}, {}, markers[(i - begin) % std::size(markers)], plot::Line::solid};
      for (const auto& point : history.series[i].points) {
        const size_t number = runs.at(point.utc + point.file);
        line.x.push_back(static_cast<double>(number));
        line.y.push_back(point.time.median);
        line.low.push_back(point.time.low);
        line.high.push_back(point.time.high);
        line.labels.push_back(point.changes() ? fmt::format("{} {:.2f}", point.verdict, point.ratio->median) : "");
        if ((number - 1) % stride == 0 && named.insert(number).second)
          panel.x_labels.emplace_back(
              static_cast<double>(number),
              point.utc.substr(0, 10) + " " + (point.suite_commit.empty() ? point.suite_version : point.suite_commit.substr(0, 8)));
      }
      panel.series.push_back(std::move(line));
    }
    panel.x_label = machine;
    panel.width = 560;
    panels.push_back(std::move(panel));
    begin = end;
  }
  return panels.empty() ? "" : plot::svg("Times over results", panels);
}

}  // namespace suite::app::history
