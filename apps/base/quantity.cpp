// SPDX-License-Identifier: BSD-3-Clause
#include "quantity.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/core.h>

#include "common/near.hpp"
#include "units.hpp"
#include "values.hpp"

namespace suite::app {
namespace {

constexpr Unit all_units[] = {
    {Kind::energy, "Ry", rydberg_eV},
    {Kind::energy, "Ha", hartree_eV},
    {Kind::energy, "eV", 1},
    {Kind::length, "bohr", 1},
    {Kind::length, "angstrom", 1 / bohr_angstrom},
    {Kind::time, "fs", 1},
    {Kind::time, "as", 1e-3},
    {Kind::time, "hbar/Ha", atomic_time_fs},
    {Kind::area, "bohr^2", 1},
    {Kind::area, "angstrom^2", 1 / (bohr_angstrom * bohr_angstrom)},
    {Kind::wave_number, "bohr^-1", 1},
    {Kind::wave_number, "angstrom^-1", bohr_angstrom},
    {Kind::electric_field, "Ha/bohr", 1},
    {Kind::electric_field, "V/angstrom", bohr_angstrom / hartree_eV},
    {Kind::intensity, "W/cm^2", 1},
    {Kind::angle, "deg", 1},
    {Kind::angle, "rad", 180 / 3.14159265358979323846},
    {Kind::memory, "GiB", 1},
    {Kind::memory, "MiB", 1.0 / 1024},
    {Kind::energy_volume, "Ry bohr^3", 1},
    {Kind::energy_volume, "Ha bohr^3", 2},
};

struct Dimension {
  Kind kind;
  const char* name;
};
constexpr Dimension dimensions[] = {{Kind::energy, "energy"},
                                    {Kind::length, "length"},
                                    {Kind::time, "time"},
                                    {Kind::area, "area"},
                                    {Kind::wave_number, "wave number"},
                                    {Kind::electric_field, "electric field"},
                                    {Kind::intensity, "intensity"},
                                    {Kind::angle, "angle"},
                                    {Kind::memory, "memory"},
                                    {Kind::energy_volume, "energy times volume"}};

struct Split {
  std::string amount, unit;
};
// The amount ends at the first blank or, without one, where the number does: "1e3" in "1e3eV".
Split split_quantity(const std::string& text) {
  size_t end = text.find_first_of(" \t");
  if (end == std::string::npos) {
    double ignored = 0;
    const size_t sign = !text.empty() && text[0] == '+' ? 1 : 0;
    end = static_cast<size_t>(std::from_chars(text.data() + sign, text.data() + text.size(), ignored).ptr - text.data());
    if (end == sign) end = 0;
  }
  const size_t word = text.find_first_not_of(" \t", end);
  return {text.substr(0, end), word == std::string::npos ? "" : text.substr(word)};
}

bool starts_like_a_number(const std::string& text) {
  const size_t digit = text.find_first_of("0123456789");
  return digit != std::string::npos && digit == text.find_first_not_of("+-.");
}

}  // namespace

Kind kind_of_items(Kind kind) {
  switch (kind) {
    case Kind::energies: return Kind::energy;
    case Kind::times: return Kind::time;
    case Kind::lengths:
    case Kind::positions: return Kind::length;
    default: return kind;
  }
}

std::string dimension_name(Kind kind) {
  for (const auto& dimension : dimensions)
    if (dimension.kind == kind_of_items(kind)) return dimension.name;
  return "";
}

bool has_unit(Kind kind) { return !dimension_name(kind).empty(); }

std::vector<std::string> unit_names(Kind kind) {
  std::vector<std::string> names;
  for (const auto& unit : all_units)
    if (unit.kind == kind_of_items(kind)) names.push_back(unit.name);
  return names;
}

std::string unit_list(Kind kind) {
  std::string list;
  for (const auto& name : unit_names(kind)) list += (list.empty() ? "" : ", ") + name;
  return list;
}

std::string canonical_unit(Kind kind) {
  for (const auto& unit : all_units)
    if (unit.kind == kind_of_items(kind) && unit.factor == 1) return unit.name;
  return "";
}

const Unit* find_unit(Kind kind, const std::string& name) {
  for (const auto& unit : all_units)
    if (unit.kind == kind_of_items(kind) && name == unit.name) return &unit;
  return nullptr;
}

std::string unit_written(const std::string& text) {
  const auto [amount, name] = split_quantity(text);
  if (!starts_like_a_number(amount)) return "";
  for (const auto& unit : all_units)
    if (name == unit.name) return name;
  return "";
}

std::string needs_unit(Kind kind, const std::string& text) { return "needs a unit (" + unit_list(kind) + "); got " + in_quotes(text); }

std::optional<Quantity> read_quantity(const Node& node, Kind kind, std::string& problem) {
  const auto text = read_text(node, problem);
  if (!text) return std::nullopt;
  const auto [amount, name] = split_quantity(*text);
  std::string ignored;
  const bool number = starts_like_a_number(amount);
  if (!number || (name.empty() && !parse_real(amount, ignored))) {
    problem = "must be a number and a unit (" + unit_list(kind) + "); got " + in_quotes(*text);
    return std::nullopt;
  }
  const auto value = parse_real(amount, problem);
  if (!value) return std::nullopt;
  if (name.empty()) return Quantity{*value, nullptr};
  if (const Unit* unit = find_unit(kind, name)) return Quantity{*value, unit};
  problem = "has an unknown unit " + in_quotes(name) + " (known: " + unit_list(kind) + ")" + did_you_mean(name, unit_names(kind));
  return std::nullopt;
}

namespace {

// Appends the numbers of a list; place: "item" or "row 2 number".
bool append_quantities(const Node& list, Kind kind, const std::string& place, std::string& problem, const Node*& at,
                       std::vector<Quantity>& all) {
  for (size_t i = 0; i < list.items.size(); ++i) {
    const auto value = read_quantity(list.items[i], kind, problem);
    if (!value) {
      problem = fmt::format("{} {} {}", place, i + 1, problem);
      at = &list.items[i];
      return false;
    }
    all.push_back(*value);
  }
  return true;
}

bool append_rows(const Node& table, Kind kind, std::string& problem, const Node*& at, std::vector<Quantity>& all) {
  for (size_t i = 0; i < table.items.size(); ++i) {
    const Node& row = table.items[i];
    at = &row;
    if (row.type != Node::Type::list) {
      problem = fmt::format("row {} must be a list of numbers such as [0, 0, 0.5]", i + 1);
      return false;
    }
    if (!append_quantities(row, kind, fmt::format("row {} number", i + 1), problem, at, all)) return false;
    if (row.items.size() != table.items.front().items.size()) {
      problem = fmt::format("row {} has {} numbers; row 1 has {}", i + 1, row.items.size(), table.items.front().items.size());
      return false;
    }
  }
  return true;
}

}  // namespace

std::optional<std::vector<Quantity>> read_quantities(const Node& node, Kind kind, std::string& problem, const Node*& at) {
  const bool table = kind == Kind::positions;
  const std::string unit = canonical_unit(kind);
  if (node.type != Node::Type::list) {
    problem = node.type == Node::Type::null ? "has no value"
              : table                       ? "must be a list of rows of numbers such as [[0, 0, 0], [0, 0, 0.5 " + unit + "]]"
                                            : "must be a list of numbers with a unit such as [1, 2.5 " + unit + "]";
    if (node.type == Node::Type::scalar && !table) problem += "; got " + in_quotes(node.text);
    return std::nullopt;
  }
  std::vector<Quantity> all;
  if (!(table ? append_rows(node, kind, problem, at, all) : append_quantities(node, kind, "item", problem, at, all))) return std::nullopt;
  const Unit* common = nullptr;
  bool several = false, bare = false;
  for (const auto& quantity : all) {
    several = several || (common && quantity.unit && quantity.unit != common);
    bare = bare || !quantity.unit;
    if (quantity.unit) common = quantity.unit;
  }
  if (several && bare) {
    at = &node;
    problem = "has several units, and numbers without one; give each number its unit";
    return std::nullopt;
  }
  for (auto& quantity : all)
    if (!quantity.unit) quantity.unit = common;
  return all;
}

}  // namespace suite::app
