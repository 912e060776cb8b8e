// SPDX-License-Identifier: BSD-3-Clause
// The built-in species: the files of the folder species.
#include <cmath>
#include <map>
#include <string>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "integration_setup.hpp"
#include "species_definition.hpp"
#include "species_texts.hpp"

namespace suite::all_electron {
namespace {

const std::map<int, SpeciesDefinition>& built_in() {
  static const std::map<int, SpeciesDefinition> all = [] {
    std::map<int, SpeciesDefinition> species;
    for (const SpeciesText& file : species_texts) {
      SpeciesDefinition one = parse_species(file.name, file.text);
      species.emplace(one.Z, std::move(one));
    }
    return species;
  }();
  return all;
}

}  // namespace

int radial_shells(int Z) { return static_cast<int>(std::lround(1.2 * 14 * std::cbrt(Z + 2.0))); }

const SpeciesDefinition* built_in_species(int Z) {
  const auto found = built_in().find(Z);
  return found == built_in().end() ? nullptr : &found->second;
}

std::string built_in_symbols() {
  std::string list;
  for (auto i = built_in().begin(); i != built_in().end(); ++i)
    list += (list.empty() ? "" : std::next(i) == built_in().end() ? " and " : ", ") + std::string(element_symbol(i->first));
  return list;
}

const SpeciesDefinition& numeric_species(int Z) {
  if (const SpeciesDefinition* species = built_in_species(Z)) return *species;
  throw Failure(
      SUITE_UNSUPPORTED,
      fmt::format("there is no numeric basis for {0} (available for {1}); write one with 'suite init dfpt --species {0}' and name it in "
                  "'basis.species', or use a file with a Gaussian basis",
                  element_symbol(Z), built_in_symbols()));
}

void extend_shells(SpeciesLevel& level, double outermost) {
  // Near the nucleus r grows as the square of the shell number.
  level.base_shells = static_cast<int>(std::ceil(level.base_shells * std::sqrt(outermost / level.outermost)));
  level.outermost = outermost;
}

int nearest_with_grids(int Z) { return Z <= 2 ? 1 : Z <= 10 ? 8 : 14; }

SpeciesLevel grids_for_gaussians(int Z) {
  if (const SpeciesDefinition* species = built_in_species(Z)) return species->tight;
  SpeciesLevel nearest = built_in_species(nearest_with_grids(Z))->tight;
  nearest.base_shells = radial_shells(Z);
  return nearest;
}

}  // namespace suite::all_electron
