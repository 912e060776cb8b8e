// SPDX-License-Identifier: BSD-3-Clause
// Dimensional values of inputs: a number with its unit ("0.5 eV"), and lists of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "input.hpp"
#include "yaml.hpp"

namespace suite::app {

struct Unit {
  Kind kind;
  const char* name;
  double factor;  // to the first unit of its kind with a factor of 1
};

// A number as written; without a unit if `unit` is null.
struct Quantity {
  double amount = 0;
  const Unit* unit = nullptr;
};

// The kind of the numbers of a list or table of quantities; any other kind is returned as it is.
Kind kind_of_items(Kind kind);
// "length" or "electric field"; "" for kinds without a unit.
std::string dimension_name(Kind kind);
bool has_unit(Kind kind);
std::vector<std::string> unit_names(Kind kind);
// "Ry, Ha, eV".
std::string unit_list(Kind kind);
// The unit of getters and ranges: "eV"; "" for kinds without a unit.
std::string canonical_unit(Kind kind);
// nullptr if there is no such unit of this kind.
const Unit* find_unit(Kind kind, const std::string& name);
// The unit, of any kind, that a text such as "5 bohr" ends with; "" if it is not a number with a known unit.
std::string unit_written(const std::string& text);

// Readers as in values.hpp. A number without a unit is returned as such; the caller decides what it means.
std::optional<Quantity> read_quantity(const Node& node, Kind kind, std::string& problem);
// A list, or the rows of a table, one after the other. The unit may stand once: numbers without one take that of the others.
std::optional<std::vector<Quantity>> read_quantities(const Node& node, Kind kind, std::string& problem, const Node*& at);

// "needs a unit (Ry, Ha, eV); got '12'".
std::string needs_unit(Kind kind, const std::string& text);

}  // namespace suite::app
