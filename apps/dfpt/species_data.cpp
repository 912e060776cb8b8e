// SPDX-License-Identifier: BSD-3-Clause
#include "species_data.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <string>

#include <fmt/core.h>

#include <suite/plugin.hpp>

namespace suite::all_electron {
namespace {

enum : int { s, p, d, f, g };

struct Element {
  int Z;
  std::array<double, 4> light;  // angstrom: up to these radii 50, 110, 194, 302 points, 302 beyond
  std::array<double, 5> tight;  // 50, 110, 194, 302, 434, 434 beyond
  std::vector<Shell> ion;
  std::vector<NumericFunction> first, second;  // tiers
};

const std::vector<Element>& elements() {
  static const std::vector<Element> all{
      {1,
       {.2421, .3822, .4799, .5341},
       {.1930, .3175, .4293, .5066, .5626},
       {},
       {{2, s, 2.1}, {2, p, 3.5}},
       {{1, s, .85}, {2, p, 3.7}, {2, s, 1.2}, {3, d, 7}}},
      {6,
       {.3326, .5710, .7727, .8772},
       {.2187, .4416, .6335, .7727, .8772},
       {},
       {{2, p, 1.7}, {3, d, 6}, {2, s, 4.9}},
       {{4, f, 9.8}, {3, p, 5.2}, {3, s, 4.3}, {5, g, 14.4}, {3, d, 6.2}}},
      {7,
       {.2599, .4601, .5885, .6503},
       {.1841, .3514, .5126, .6292, .6939},
       {},
       {{2, p, 1.8}, {3, d, 6.8}, {3, s, 5.8}},
       {{4, f, 10.8}, {3, p, 5.8}, {1, s, .8}, {5, g, 16}, {3, d, 4.9}}},
      {8,
       {.2659, .4451, .6052, .7543},
       {.1817, .3417, .4949, .6251, .8014},
       {},
       {{2, p, 1.8}, {3, d, 7.6}, {3, s, 6.4}},
       {{4, f, 11.6}, {3, p, 6.2}, {3, d, 5.6}, {5, g, 17.6}, {1, s, .75}}},
      {14,
       {.5866, .9616, 1.2249, 1.3795},
       {.4121, .7665, 1.0603, 1.2846, 1.4125},
       {{1, s, 2}, {2, s, 2}, {2, p, 6}, {3, s, 1}, {3, p, 1}},
       {{3, d, 4.2}, {2, p, 1.4}, {4, f, 6.2}, {3, s, 0}},
       {{3, d, 9}, {5, g, 9.4}, {4, p, 4}, {1, s, .65}}},
  };
  return all;
}

const Element* find(int Z) {
  for (const Element& element : elements())
    if (element.Z == Z) return &element;
  return nullptr;
}

const Element& nearest(int Z) {
  if (const Element* element = find(Z)) return *element;
  return *find(Z <= 2 ? 1 : Z <= 10 ? 8 : 14);
}

}  // namespace

SpeciesDefaults species_defaults(int Z, Level level) {
  const Element& element = nearest(Z);
  const bool light = level == Level::light;
  SpeciesDefaults set{};
  set.confinement = {(light ? 3.5 : 4.0) * bohr_per_angstrom, (light ? 1.5 : 2.0) * bohr_per_angstrom, 1};
  // Baker, Andzelm, Scheiner and Delley, J. Chem. Phys. 101, 8894 (1994), times 1.2.
  set.base_shells = static_cast<int>(std::lround(1.2 * 14 * std::cbrt(Z + 2.0)));
  set.radial_multiplier = light ? 1 : 2;
  set.outermost = (light ? 5.0 : 7.0) * bohr_per_angstrom;
  set.l_hartree = light ? 4 : 6;
  constexpr std::array points{50, 110, 194, 302, 434};
  const auto add = [&](const auto& radii) {
    for (size_t i = 0; i < radii.size(); ++i) set.regions.push_back({radii[i] * bohr_per_angstrom, points[i]});
    set.outer_points = set.regions.back().points;
  };
  light ? add(element.light) : add(element.tight);
  set.ion = element.ion;
  return set;
}

std::vector<NumericFunction> tier_functions(int Z, Level level, int tier) {
  if (tier < 0 || tier > 2) throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("tier must be 0 (minimal basis) to 2; got {}", tier));
  const Element* element = find(Z);
  if (!element)
    throw Failure(SUITE_UNSUPPORTED, std::string("there is no numeric basis for ") + element_symbol(Z) +
                                         " (available for H, C, N, O and Si); use a file with a Gaussian basis instead");
  std::vector<NumericFunction> functions;
  if (tier >= 1) functions = element->first;
  // The species' light setting omits the f function of silicon.
  if (level == Level::light) std::erase(functions, NumericFunction{4, f, 6.2});
  if (tier >= 2) functions.insert(functions.end(), element->second.begin(), element->second.end());
  return functions;
}

}  // namespace suite::all_electron
