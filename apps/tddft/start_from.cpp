// SPDX-License-Identifier: BSD-3-Clause
#include "start_from.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "base/structure/start.hpp"
#include "gth.hpp"

namespace suite::tddft {
namespace {

constexpr double vacuum = 7;              // angstrom between a molecule and the faces of its cell
constexpr double k_point_distance = 0.6;  // 1/angstrom

// With plane waves and filtered potentials, bohr. The factor is on the spacing that second-order differences need.
constexpr double least_spacing = 0.35, most_spacing = 0.7, coarser = 1.3;

std::string box_of(const app::Structure& structure) {
  std::string text;
  for (size_t d = 0; d < 3; ++d) {
    const auto along = [d](const app::StructureAtom& a, const app::StructureAtom& b) { return a.position[d] < b.position[d]; };
    const auto [low, high] = std::ranges::minmax_element(structure.atoms, along);
    text += fmt::format("{}{:.0f}", d == 0 ? "" : ", ", std::ceil(high->position[d] - low->position[d] + 2 * vacuum));
  }
  return "[" + text + " angstrom]";
}

}  // namespace

app::Starter::Start start_from(const std::filesystem::path& source, const std::filesystem::path& folder) {
  const app::Structure structure = app::read_structure(source);
  app::Starter::Start start;
  start.title = app::formula_of(structure) + ", from " + source.filename().string();
  start.values = {{"system.structure", app::value_of(source, folder)}, {"propagation.duration", "10 fs"}};
  if (structure.cell) {
    if (!app::orthorhombic_edges(structure))
      throw Failure(SUITE_INVALID_ARGUMENT, source.string() +
                                                ": the cell is not orthorhombic with its edges along x, y and z, as this app "
                                                "needs it; a conventional cell may be");
    start.values.emplace_back("system.boundary", "periodic");
    start.values.emplace_back("system.kpoints", app::list_text(app::k_points_of(*structure.cell, k_point_distance)));
  } else {
    start.values.emplace_back("system.cell", box_of(structure));
    start.values.emplace_back("excitation.all_directions", "true");
  }
  double spacing = most_spacing;
  std::set<std::string> without;
  for (const auto& atom : structure.atoms) {
    if (const Gth* potential = built_in(atom.element)) spacing = std::min(spacing, coarser * potential->spacing());
    else without.insert(atom.element);
  }
  std::string files;
  for (const auto& element : without) files += fmt::format("{}{}: {}.UPF", files.empty() ? "" : ", ", element, element);
  if (!files.empty()) start.values.emplace_back("system.pseudopotentials", "{" + files + "}");
  start.values.emplace_back("system.spacing", fmt::format("{:.2f} bohr", std::max(spacing, least_spacing)));
  return start;
}

}  // namespace suite::tddft
