// SPDX-License-Identifier: BSD-3-Clause
#include "csv.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include <suite/plugin.hpp>

namespace suite::app {
namespace {

using nlohmann::ordered_json;

// Where a document has its rows: in a list, or in a list in an outer object or in each item of an outer list. The scalars around them, and the
// parameters, are repeated in each row. alone: an item without a list is a row.
struct RowsAt {
  const char *schema, *outer, *inner;
  bool alone = false;
};
constexpr RowsAt row_places[] = {
    {"suite-bench-", "blocks", "contenders"},
    {"suite-compare-", "", "contenders"},
    {"suite-comparison-", "physics", "observables"},
    {"suite-comparison-", "rows", "metrics", true},
    {"suite-history-", "series", "points"},
    {"suite-ladder-", "blocks", "steps"},
    {"suite-list-kernel-", "", "arguments"},
    {"suite-list-", "", "plugins"},
    {"suite-plan-", "", "blocks"},
    {"suite-ranks-", "", ""},
    {"suite-roofline-", "blocks", "contenders"},
    {"suite-scaling-", "", "rows"},
    {"suite-tuning-", "tunings", "rounds"},
    {"suite-validate-plan-", "families", "cases"},
    {"suite-validate-", "", "checks"},
};

std::vector<RowsAt> places_of_rows(const ordered_json& document) {
  const std::string schema = document.at("schema");
  std::vector<RowsAt> found;
  std::copy_if(std::begin(row_places), std::end(row_places), std::back_inserter(found),
               [&](const RowsAt& place) { return schema.starts_with(place.schema); });
  if (found.empty()) throw Failure(SUITE_INTERNAL, "a document of schema " + schema + " has no rows");
  return found;
}

using Cells = std::vector<std::pair<std::string, std::string>>;

std::string text_of_cell(const ordered_json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

void add_cells(Cells& cells, const std::string& name, const ordered_json& value) {
  if (value.is_object()) {
    for (const auto& [key, member] : value.items()) add_cells(cells, name.empty() ? key : name + "." + key, member);
    return;
  }
  std::string text;
  if (value.is_array()) {
    if (value.empty() || !value.front().is_string()) return;
    for (const auto& item : value) text += (text.empty() ? "" : " ") + text_of_cell(item);
  } else {
    text = text_of_cell(value);
  }
  const auto same = std::find_if(cells.begin(), cells.end(), [&](const auto& cell) { return cell.first == name; });
  if (same == cells.end()) cells.emplace_back(name, text);
  else same->second = text;  // a row's own value takes precedence
}

void add_scalars(Cells& cells, const ordered_json& object) {
  for (const auto& [key, member] : object.items())
    if ((member.is_primitive() && key != "schema" && key != "status" && key != "folder") || key == "parameters")
      add_cells(cells, key, member);
}

std::vector<Cells> cells_of(const ordered_json& document) {
  std::vector<Cells> rows;
  Cells around;
  add_scalars(around, document);
  for (const RowsAt& place : places_of_rows(document)) {
    const auto add_rows = [&](const Cells& shared, const ordered_json& object) {
      const auto list = object.find(place.inner);
      if (list != object.end())
        for (const auto& item : *list) add_cells(rows.emplace_back(shared), "", item);
      if (place.alone && (list == object.end() || list->empty())) rows.push_back(shared);
    };
    const auto add_block = [&](const ordered_json& block) {
      Cells shared = around;
      add_scalars(shared, block);
      add_rows(shared, block);
    };
    if (*place.inner == '\0') rows.push_back(around);
    else if (*place.outer == '\0') add_rows(around, document);
    else if (document.at(place.outer).is_object()) add_block(document.at(place.outer));
    else
      for (const auto& block : document.at(place.outer)) add_block(block);
  }
  return rows;
}

std::string quoted_if_needed(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string csv_of(const ordered_json& document) {
  const std::vector<Cells> rows = cells_of(document);
  std::vector<std::string> names;
  for (const auto& row : rows)
    for (const auto& [name, text] : row)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  std::string csv;
  const auto line = [&](auto cell) {
    for (size_t i = 0; i < names.size(); ++i) csv += (i ? "," : "") + quoted_if_needed(cell(names[i]));
    csv += names.empty() ? "" : "\n";
  };
  line([](const std::string& name) { return name; });
  for (const auto& row : rows)
    line([&](const std::string& name) {
      const auto found = std::find_if(row.begin(), row.end(), [&](const auto& cell) { return cell.first == name; });
      return found == row.end() ? std::string() : found->second;
    });
  return csv;
}

}  // namespace suite::app
