// SPDX-License-Identifier: BSD-3-Clause
// Results of an app: its numbers, tables and figures. Independent of the app: names and units come from the keys of the result
// ("gap_mean_field_eV"), errors from the key beside a number ("error_Ha" beside "energy_Ha").
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>

#include <fmt/core.h>

#include "common/io.hpp"
#include "common/quantities.hpp"
#include "chart.hpp"
#include "picture.hpp"
#include "sections.hpp"

namespace suite::report {
namespace {

using app::stored::Value;

constexpr size_t most_rows = 12, most_rows_in_all = 400, most_numbers = 12, deepest = 6;

struct Name {
  std::string text, unit;
};

// Splits "polarizability_bohr3" into "polarizability" and "bohr³".
Name name_of(const std::string& key) {
  struct Unit {
    const char *suffix, *text;
  };
  constexpr std::array<Unit, 12> units{{{"_Ha_per_fs", "Ha/fs"},
                                        {"_e_bohr", "e bohr"},
                                        {"_bohr3", "bohr³"},
                                        {"_bohr2", "bohr²"},
                                        {"_bohr", "bohr"},
                                        {"_per_s", "1/s"},
                                        {"_eV", "eV"},
                                        {"_Ha", "Ha"},
                                        {"_fs", "fs"},
                                        {"_Ry", "Ry"},
                                        {"_B", "B"},
                                        {"_s", "s"}}};
  Name name{key, ""};
  for (const auto& unit : units)
    if (const std::string suffix = unit.suffix;
        key.size() > suffix.size() && key.compare(key.size() - suffix.size(), suffix.size(), suffix) == 0) {
      name = {key.substr(0, key.size() - suffix.size()), unit.text};
      break;
    }
  std::replace(name.text.begin(), name.text.end(), '_', ' ');
  return name;
}

std::string title_of_key(const std::string& key) {
  const Name name = name_of(key);
  return name.text + (name.unit.empty() ? "" : " (" + name.unit + ")");
}

std::string number_text(double value) {
  if (value != 0 && (std::abs(value) < 1e-4 || std::abs(value) >= 1e7)) return fmt::format("{:.4g}", value);
  return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.7g}", value);
}

// The number with its error, if it has one.
std::string number_text(double value, const Value& error) {
  return error.is_number() && error.number() > 0 ? with_error(value, error.number()) : number_text(value);
}

// Key of a number's error: its first word replaced by "error".
std::string error_key(const std::string& key) { return "error" + (key.find('_') == std::string::npos ? "" : key.substr(key.find('_'))); }

bool is_scalar(const Value& v) { return v.is_number() || v.is_text() || v.is_switch(); }

bool is_numbers(const Value& v) {
  if (!v.is_list()) return false;
  const auto items = v.items();
  return std::all_of(items.begin(), items.end(), [](const Value& i) { return i.is_number(); });
}

std::string scalar_text(const Value& v) {
  if (v.is_number()) return number_text(v.number());
  if (v.is_switch()) return v.flag() ? "yes" : "no";
  return v.is_text() ? v.text() : "";
}

std::string list_text(const Value& list) {
  std::string text;
  for (size_t i = 0; i < std::min(list.size(), most_numbers); ++i) text += (i ? ", " : "") + scalar_text(list[i]);
  if (list.size() > most_numbers) text += fmt::format(", … ({} in all)", list.size());
  return text;
}

bool is_matrix(const Value& v) {
  if (!v.is_list() || v.size() == 0 || v.size() > 12) return false;
  for (const auto& row : v.items())
    if (!is_numbers(row) || row.size() == 0 || row.size() > 12) return false;
  return true;
}

Table matrix(const std::string& title, const Value& v) {
  Table t{title, {}, {}, true};
  const bool axes = v.size() == 3 && v[size_t{0}].size() == 3;
  const auto label = [&](size_t i) { return axes ? std::string(1, "xyz"[i]) : std::to_string(i + 1); };
  // A rounding residue of a zero is shown as zero.
  double largest = 0;
  for (const auto& row : v.items())
    for (const auto& x : row.items()) largest = std::max(largest, std::abs(x.number()));
  t.columns.push_back({});
  for (size_t i = 0; i < v[size_t{0}].size(); ++i) t.columns.push_back({label(i), true});
  for (size_t r = 0; r < v.size(); ++r) {
    std::vector<Html> cells{label(r)};
    for (const auto& x : v[r].items()) cells.push_back(std::abs(x.number()) < 1e-12 * largest ? "0" : number_text(x.number()));
    t.rows.push_back(std::move(cells));
  }
  return t;
}

// A number of a column, all to the same digit if the unit determines the significant ones.
std::string cell_text(const Value& value, const std::string& unit) {
  if (!value.is_number()) return is_numbers(value) ? list_text(value) : value && is_scalar(value) ? scalar_text(value) : "–";
  const double x = value.number();
  if (std::abs(x) < 1e6 && unit == "eV") return app::fixed(x, 4);
  if (std::abs(x) < 1e6 && unit == "Ha") return app::fixed(x, 6);
  return fmt::format("{:.6g}", x);
}

// Rows that follow each other and differ only in a whole number that counts up, such as the bands of a degenerate level, become one row:
// "2–4". Returns whether any did.
bool merge_equal(std::vector<std::vector<std::string>>& rows) {
  const auto whole = [](const std::string& text) {
    return !text.empty() && text.size() < 9 && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
  };
  constexpr const char* to = "–";
  std::vector<std::vector<std::string>> merged;
  std::vector<std::string> last;  // the row that the last merged one ends with
  for (auto& row : rows) {
    std::vector<size_t> different;
    for (size_t i = 0; !last.empty() && i < row.size(); ++i)
      if (row[i] != last[i]) different.push_back(i);
    const bool follows = different.size() == 1 && row.size() > 2 && whole(row[different[0]]) && whole(last[different[0]]) &&
                         std::stol(row[different[0]]) == std::stol(last[different[0]]) + 1;
    if (follows) {
      std::string& range = merged.back()[different[0]];
      range = range.substr(0, range.find(to)) + to + row[different[0]];
    } else {
      merged.push_back(row);
    }
    last = std::move(row);
  }
  const bool any = merged.size() < rows.size();
  rows = std::move(merged);
  return any;
}

// Objects with the same keys as a table, one row each; a long list is folded.
Html object_table(const std::string& title, const Value& list) {
  const auto items = list.items();
  std::vector<std::string> keys;
  Table t{title, {}, {}};
  for (const auto& [name, value] : items[0].members())
    if (is_scalar(value) || is_numbers(value)) {
      keys.push_back(name);
      t.columns.push_back({title_of_key(name), value.is_number()});
    }
  if (keys.empty()) return {};
  t.narrow = keys.size() < 5;
  std::vector<std::vector<std::string>> rows;
  for (size_t r = 0; r < std::min(items.size(), most_rows_in_all); ++r) {
    std::vector<std::string>& cells = rows.emplace_back();
    for (const auto& name : keys) cells.push_back(cell_text(items[r].is_object() ? items[r][name] : Value(), name_of(name).unit));
  }
  if (merge_equal(rows)) t.caption += "; equal rows are merged";
  for (const auto& cells : rows) t.rows.emplace_back(cells.begin(), cells.end());
  const size_t all = items.size();
  if (all > most_rows_in_all) t.caption += fmt::format(", the first {} of {}", most_rows_in_all, all);
  if (all <= most_rows) return table(t);
  return tag("details", tag("summary", title + ": " + app::counted(all, "row")) + table(t)) + Html::raw("\n");
}

// Small tables are placed side by side, the others below them.
struct Tables {
  Html small, large;
};

void add_object(Tables& to, const std::string& title, const Value& value, size_t depth);

void add_nested(Tables& to, const std::string& title, const Value& value, size_t depth) {
  if (value.is_object()) add_object(to, title, value, depth + 1);
  else if (is_matrix(value)) to.small += table(matrix(title, value));
  else if (value.is_list() && value.size() > 0 && value[size_t{0}].is_object()) to.large += object_table(title, value);
}

// The numbers of an object as one table, and nested objects after it.
void add_object(Tables& to, const std::string& title, const Value& value, size_t depth) {
  if (depth > deepest) return;
  Table t{title, columns("quantity|value"), {}};
  Tables deeper;
  const auto members = value.members();
  const auto is_error = [&](const std::string& name) {
    return std::any_of(members.begin(), members.end(),
                       [&](const auto& m) { return m.first != name && m.second.is_number() && error_key(m.first) == name; });
  };
  for (const auto& [name, member] : members) {
    if (name == "files" || (name.rfind("error", 0) == 0 && is_error(name))) continue;
    const Name shown = name_of(name);
    const std::string unit = shown.unit.empty() ? "" : " " + shown.unit;
    if (member.is_number()) {
      const Value error = name.rfind("error", 0) == 0 ? Value() : value[error_key(name)];
      t.rows.push_back({shown.text, number_text(member.number(), error) + unit});
    } else if (member && (is_scalar(member) || is_numbers(member))) {
      t.rows.push_back({shown.text, (is_scalar(member) ? scalar_text(member) : list_text(member)) + unit});
    } else {
      add_nested(deeper, (depth ? title + ", " : "") + title_of_key(name), member, depth);
    }
  }
  if (!t.rows.empty()) to.small += table(t);
  to.small += deeper.small;
  to.large += deeper.large;
}

Html numbers(const Value& results) {
  Tables tables;
  add_object(tables, "Results", results, 0);
  return (tables.small.empty() ? Html() : tag("div", {{"class", "facts"}}, tables.small)) + tables.large;
}

// Main results of the apps, shown if present.
constexpr std::pair<const char*, const char*> headlines[] = {{"gap_eV", "quasiparticle gap"},
                                                             {"isotropic_bohr3", "isotropic polarizability"},
                                                             {"energy_Ha", "energy"},
                                                             {"total_energy_Ha", "total energy"}};

struct Headline {
  std::string value, what;
};
Headline headline(const Value& results) {
  for (const auto& [key, what] : headlines)
    if (const Value value = results[key]; value.is_number()) {
      const Value error = results[error_key(key)];
      const std::string number = error.is_number() ? number_text(value.number(), error) : app::fixed(value.number(), 3);
      return {number + " " + name_of(key).unit, what};
    }
  if (const Value peaks = results["peaks"]; peaks.is_list() && peaks.size() > 0 && peaks[size_t{0}].is_object())
    if (const Value at = peaks[size_t{0}]["energy_eV"]; at.is_number())
      return {app::fixed(at.number(), 3) + " eV", "first peak of the spectrum"};
  return {};
}

Html pictures(const Result& result) {
  Html out;
  const Value files = result.results["files"];
  if (!files.is_list()) return out;
  for (const auto& file : files.items()) {
    const std::string name = file.is_text() ? file.text() : "";
    if (name.size() < 4 || name.compare(name.size() - 4, 4, ".svg") != 0) continue;
    const Picture picture = read_picture(result.folder, name);
    if (picture.problem.empty())
      out +=
          figure(empty_tag("img", {{"src", picture.source}, {"alt", picture.title}, {"width", picture.width}, {"height", picture.height}}),
                 picture.title + " (" + name + ")");
    else out += tag("p", {{"class", "why"}}, "The figure " + name + " is omitted: " + picture.problem + ".");
  }
  return out.empty() ? out : tag("div", {{"class", "pictures"}}, out);
}

Html file_list(const Result& result) {
  const Value files = result.results["files"];
  if (!files.is_list() || files.size() == 0) return {};
  std::string names;
  for (const auto& file : files.items())
    if (file.is_text()) names += (names.empty() ? "" : ", ") + file.text();
  return tag("p", {{"class", "why"}}, Html("Files in the folder of the run: ") + tag("code", names));
}

}  // namespace

Section physics_section(const std::vector<Source>& sources) {
  Section section{"physics", "What are the results?", "", "", false, {}};
  for (const auto& s : sources) {
    if (!is_app_run(s.result) || s.result.results.size() == 0) continue;
    section.body += heading(s, title_of(s.result)) + pictures(s.result) + numbers(s.result.results) + file_list(s.result);
    const Headline first = headline(s.result.results);
    if (section.answer.empty()) section.answer = first.value;
    section.because += (section.because.empty() ? "" : "; ") + (first.what.empty() ? "" : first.what + " of ") + title_of(s.result) + " (" +
                       s.result.app + ")";
  }
  if (section.answer.empty()) section.answer = "See below";
  const Agreement together = agreement(sources);
  section.body += together.body;
  if (!together.different.empty()) {
    section.bad = true;
    section.answer = "Results differ";
    section.because = together.different + (section.because.empty() ? "" : "; " + section.because);
  }
  if (!section.because.empty()) section.because += ".";
  return section;
}

}  // namespace suite::report
