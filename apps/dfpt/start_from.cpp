// SPDX-License-Identifier: BSD-3-Clause
#include "start_from.hpp"

#include <set>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "base/structure/start.hpp"
#include "elements.hpp"
#include "integration_setup.hpp"
#include "species_definition.hpp"
#include "species_start.hpp"

namespace suite::all_electron {
namespace {

constexpr double k_point_distance = 0.3;  // 1/angstrom

bool is_built_in(int Z) {
  try {
    numeric_species(Z);
    return true;
  } catch (const Failure&) { return false; }
}

}  // namespace

app::Starter::Start start_from(const std::filesystem::path& source, const std::filesystem::path& folder) {
  const app::Structure structure = app::read_structure(source);
  app::Starter::Start start;
  start.title = app::formula_of(structure) + ", from " + source.filename().string();
  start.values = {{"molecule.structure", app::value_of(source, folder)}};
  std::set<std::string> elements;
  int electrons = 0;
  for (const auto& atom : structure.atoms) {
    const int Z = atomic_number(atom.element);
    if (Z == 0) throw Failure(SUITE_INVALID_ARGUMENT, source.string() + ": " + no_such_element(atom.element));
    electrons += Z;
    if (!is_built_in(Z)) elements.insert(atom.element);
  }
  if (structure.cell) start.values.emplace_back("crystal.kpoints", app::list_text(app::k_points_of(*structure.cell, k_point_distance)));
  else if (electrons % 2 != 0) start.values.emplace_back("molecule.spin", "1");
  std::string species;
  for (const auto& element : elements) {
    start.files.push_back({element + ".yaml", species_file_of(element)});
    species += fmt::format("{}{}: {}.yaml", species.empty() ? "" : ", ", element, element);
  }
  if (!species.empty()) start.values.emplace_back("basis.species", "{" + species + "}");
  return start;
}

}  // namespace suite::all_electron
