// SPDX-License-Identifier: BSD-3-Clause
#include "model.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "common/quantities.hpp"

namespace suite::report {

Html heading(const Source& source, const std::string& text) {
  if (source.mark.empty()) return {};
  return tag("h3", tag("span", {{"class", "mark"}}, source.mark) + " " + text) + Html::raw("\n");
}

bool is_app_run(const Result& result) { return result.schema == "result" && result.app != "kernel"; }

std::string label_of(const Row& row) {
  if (row.step) return row.step->name;
  std::string text = row.name;
  if (!row.variant.empty()) text += ", " + row.variant;
  for (const auto& parameter : row.parameters) text += ", " + parameter.name + "=" + parameter.value;
  return text;
}

namespace {

std::string kernels_of(const Result& result) {
  std::vector<std::string> names;
  for (const auto& row : result.rows)
    if (std::find(names.begin(), names.end(), row.kernel) == names.end()) names.push_back(row.kernel);
  if (names.size() > 3) return app::counted(names.size(), "kernel");
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "nothing" : text;
}

}  // namespace

std::string title_of(const Result& result) {
  if (result.schema == "validate") return "Validation of " + result.root["family"].text_or("an app");
  if (result.schema == "compare") return kernels_of(result) + ", comparison of implementations";
  if (result.schema == "bench") return "Benchmark of " + kernels_of(result);
  if (result.schema == "ladder") return "Optimisation steps of " + kernels_of(result);
  if (result.schema == "scaling") return "Scaling of " + result.root["kernel"].text_or(result.root["input"].text_or("an app"));
  if (result.schema == "roofline") return "Roofline of " + kernels_of(result);
  if (result.schema == "result" && !result.title.empty()) return result.title;
  if (result.schema == "result" && result.app == "kernel") return "Run of " + kernels_of(result);
  if (result.schema == "result") return "Run of " + result.app;
  return result.schema;
}

std::string Race::conditions() const {
  std::string text;
  // The description of an app's call is a phrase, not the name of a size.
  if (!size.empty()) text = (size.find(' ') == std::string::npos ? "size " : "") + size;
  if (threads > 0) text += (text.empty() ? "" : "; ") + app::counted(threads, "thread");
  return text;
}

const Row* Race::fastest() const {
  const Row* best = nullptr;
  for (const Row* row : rows)
    if (row->timed() && (!best || row->time->median < best->time->median)) best = row;
  return best;
}

const Row* Race::reference() const {
  const auto timed = std::find_if(rows.begin(), rows.end(), [](const Row* row) { return row->timed(); });
  return timed == rows.end() ? nullptr : *timed;
}

std::vector<Race> races_of(const Source& source) {
  std::vector<Race> races;
  if (is_app_run(source.result)) return races;
  std::map<std::tuple<std::string, std::string, int, std::string>, size_t> known;
  for (const auto& row : source.result.rows) {
    // Steps of a ladder belong to one implementation; other rows compete across implementations.
    const auto key = std::tuple(row.kernel, row.size, row.threads, row.step ? row.implementation : "");
    const auto [at, fresh] = known.emplace(key, races.size());
    if (fresh) races.push_back({row.kernel, row.size, source.mark, row.threads, row.step.has_value(), {}});
    races[at->second].rows.push_back(&row);
  }
  return races;
}

std::string with_error(double value, double error) {
  const int decimals = std::clamp(static_cast<int>(std::ceil(1 - std::log10(error))), 0, 12);
  return app::fixed(value, decimals) + " ± " + app::fixed(error, decimals);
}

std::string merit_text(const Row& row) {
  if (row.merit.unit.empty() || !(row.merit.per_s > 0)) return "";
  const std::string number = app::metric(row.merit.per_s);
  return number + " " + row.merit.unit + "/s";
}

}  // namespace suite::report
