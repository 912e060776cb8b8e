// SPDX-License-Identifier: BSD-3-Clause
// The rule: functions beyond the free atom's own are the valence shells of its positive ion, and hydrogen-like ones without nodes, whose
// maxima, at (l+1)^2/z, stand at fixed multiples of the radius where the outermost shell has its own.
#include "species_start.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "common/near.hpp"
#include "integration_setup.hpp"
#include "species_definition.hpp"

namespace suite::all_electron {
namespace {

// Maxima of functions in units of the valence radius, by tier. Tier 1 polarises the valence shells, tier 2 adds angular
// functions and a second set, and tier 3 lets the density respond to fields, in its tail and in the inner lobes of the valence shells.
// docs/dfpt_species.md says how the radii were chosen, and what they give.
struct Maximum {
  int tier, l;
  double radius;
};
constexpr Maximum valence_p[] = {{1, 1, 2.0}, {1, 2, 1.2},  {2, 0, 1.7}, {2, 1, 1.3},  {2, 2, 2.0}, {2, 3, 1.35}, {2, 4, 1.45}, {3, 0, 0.6},
                                 {3, 0, 3.0}, {3, 1, 0.75}, {3, 1, 3.5}, {3, 2, 0.56}, {3, 2, 3.2}, {3, 2, 5.0},  {3, 3, 2.7}};
constexpr Maximum valence_s[] = {{1, 0, 1.0}, {1, 1, 1.0}, {2, 0, 0.6}, {2, 1, 1.5}, {2, 2, 1.2}, {2, 3, 1.35},
                                 {3, 0, 1.6}, {3, 1, 0.8}, {3, 1, 3.0}, {3, 2, 0.5}, {3, 2, 2.2}, {3, 3, 2.7}};
constexpr Maximum valence_d[] = {{1, 0, 1.0}, {1, 1, 1.0}, {1, 2, 1.2}, {1, 3, 0.6}, {2, 0, 0.6}, {2, 1, 1.5}, {2, 2, 2.0}, {2, 3, 1.2},
                                 {2, 4, 0.8}, {3, 0, 1.6}, {3, 1, 3.0}, {3, 2, 0.7}, {3, 2, 3.2}, {3, 3, 2.7}, {3, 4, 1.7}};

// With a wall at R the state n = l + 1 of -z/r is bound if 8 z R is above the square of the first zero of the Bessel function J_(2l+1).
constexpr double first_zero[] = {3.8317, 6.3802, 8.7715, 11.0864, 13.3543};
double least_z(int l, double wall) {
  constexpr double margin = 1.1;
  return margin * first_zero[l] * first_zero[l] / (8 * wall);
}

struct Valence {
  int n = 0, l = 0;   // of the outermost shell
  bool d = false;     // a d shell beneath an outermost s shell
  double radius = 0;  // bohr, of its maximum
};

Valence valence_of(int Z) {
  const LogGrid grid = solver_grid(Z, 1350);
  const SphericalAtom atom = solve_atom(grid, Z, ground_state_shells(Z), Xc::pw92, std::nullopt);
  Valence valence;
  for (size_t s = 0; s < atom.shells.size(); ++s) {
    const Shell& shell = atom.shells[s];
    if (shell.n < valence.n) continue;
    if (shell.n > valence.n) valence = {shell.n, shell.l, s > 0 && valence.n + 1 == shell.n && atom.shells[s - 1].l == 2, 0};
    valence.l = std::max(valence.l, shell.l);
    // From outside, the first maximum is that of the outermost lobe.
    const std::vector<double>& u = atom.states[s].u;
    size_t at = grid.size() - 1;
    while (at > 0 && std::abs(u[at - 1]) >= std::abs(u[at])) --at;
    valence.radius = std::max(valence.radius, grid.r[at]);
  }
  valence.d = valence.d && valence.l == 0;
  return valence;
}

std::string text_of(const std::vector<Shell>& shells) {
  std::string text;
  for (const Shell& s : shells) text += fmt::format("{}{}{} {:g}", text.empty() ? "" : ", ", s.n, shell_letters[s.l], s.occupation);
  return "[" + text + "]";
}

// One electron of the outermost shell less.
std::vector<Shell> ion_of(int Z) {
  std::vector<Shell> ion = ground_state_shells(Z);
  ion.back().occupation -= 1;
  if (!(ion.back().occupation > 0)) ion.pop_back();
  return ion;
}

struct Tiers {
  std::string text[3];
  std::string too_wide;  // functions that the level light cannot hold
};

// The confinement is about as good as a wall halfway through. bohr, of either level.
struct Walls {
  double light, tight;
};

void append(std::string& list, const std::string& function) { list += (list.empty() ? "" : ", ") + function; }

Tiers tiers_of(int Z, const Valence& valence, const Walls& walls) {
  Tiers tiers;
  std::set<std::string> seen;
  const auto add = [&](int tier, const std::string& function) {
    if (seen.insert(function).second) append(tiers.text[tier - 1], function);
  };
  if (Z > 1) {
    add(1, fmt::format("ionic {}s", valence.n));
    if (valence.n > 1) add(1, fmt::format("ionic {}p", valence.n));
    if (valence.l == 0 && valence.n > 3) add(1, fmt::format("ionic {}d", valence.n - 1));
  }
  double widest[std::size(first_zero)];
  std::fill(std::begin(widest), std::end(widest), std::numeric_limits<double>::infinity());
  const auto maxima = [&](const auto& all) {
    for (const Maximum& maximum : all) {
      const double wanted = (maximum.l + 1) * (maximum.l + 1) / (maximum.radius * valence.radius);
      const double z = std::max(wanted, least_z(maximum.l, walls.tight));
      // Where the confinement keeps a function from being as wide as wanted, it may be one that is already there.
      if (z > wanted && z > 0.85 * widest[maximum.l]) continue;
      widest[maximum.l] = std::min(widest[maximum.l], z);
      const std::string function = fmt::format("hydro {}{} {:.3g}", maximum.l + 1, shell_letters[maximum.l], z);
      if (z < least_z(maximum.l, walls.light) && seen.count(function) == 0) append(tiers.too_wide, function);
      add(maximum.tier, function);
    }
  };
  valence.d ? maxima(valence_d) : valence.l == 0 ? maxima(valence_s) : maxima(valence_p);
  return tiers;
}

struct LevelText {
  const char* name;
  double onset, width, beyond;  // angstrom
  int multiplier, l_hartree;
};

// angstrom, of the confinement; at least this many valence radii.
double onset_of(double least, double radii, const Valence& valence) {
  return std::max(least, std::ceil(radii * valence.radius / bohr_per_angstrom * 10) / 10);
}

std::string text_of(const LevelText& level, int Z, const SpeciesLevel& like, double scale, const std::string& without) {
  SpeciesLevel shells = like;
  shells.base_shells = radial_shells(Z);
  const double outermost = level.onset + level.width + level.beyond;
  extend_shells(shells, outermost * bohr_per_angstrom);
  std::string points, radii;
  for (const AngularRegion& region : like.regions) {
    points += fmt::format("{}, ", region.points);
    radii += fmt::format("{}{:.4f}", radii.empty() ? "" : ", ", scale * region.radius / bohr_per_angstrom);
  }
  return fmt::format(
      "\n{}:\n"
      "  onset: {:g} angstrom   # of the confining potential\n"
      "  width: {:g} angstrom   # from there to the wall\n"
      "  radial_shells: {}\n"
      "  radial_multiplier: {}\n"
      "  outermost_shell: {:g} angstrom\n"
      "  angular_points: [{}{}]\n"
      "  angular_radii: [{} angstrom]   # where one of these grids ends and the next begins\n"
      "  l_hartree: {}\n"
      "{}",
      level.name, level.onset, level.width, shells.base_shells, level.multiplier, outermost, points, like.outer_points, radii,
      level.l_hartree, without.empty() ? "" : fmt::format("  without: [{}]   # too wide for this level\n", without));
}

}  // namespace

std::string species_by_rule(int Z) {
  const Valence valence = valence_of(Z);
  const int near = nearest_with_grids(Z);
  const SpeciesDefinition& like = numeric_species(near);
  // Smaller atoms need their finer angular grids closer to the nucleus; those of larger ones have cores of about the same size.
  const double scale = std::min(1.0, valence.radius / valence_of(near).radius);
  // The density of the cores of later periods needs more shells.
  const int refined = Z <= 10 ? 0 : Z <= 18 ? 1 : 2;
  const LevelText light{"light", onset_of(3.5, 2.2, valence), 1.5, 0, 1 + refined, 4},
      tight{"tight", onset_of(4, 3.4, valence), 2, 1, 2 + refined, 6};
  const auto wall = [](const LevelText& level) { return (level.onset + level.width / 2) * bohr_per_angstrom; };
  const Tiers tiers = tiers_of(Z, valence, {wall(light), wall(tight)});
  return fmt::format(
             "# {0}: numeric orbitals and grids of the app dfpt, made from the free atom, whose outermost shell has its maximum at {1:.3f} "
             "bohr.\n"
             "# Check the convergence of your results with 'basis.tier' and 'basis.level' before use; every number may be changed.\n"
             "species: {0}\n"
             "\n"
             "# The occupied shells of the free atom are the minimal basis; the ion's potential makes functions 'ionic'.\n"
             "shells: {2}\n"
             "{3}"
             "\n"
             "# Functions of 'basis.tier' 1 to 3: bound states n l of the ion (ionic n l) or of -z/r (hydro n l z), in the confining "
             "potential. Also\n"
             "# known: states of the free atom in one that begins at r bohr (confined n l r), and primitive Gaussians (gaussian l "
             "exponent).\n"
             "tier_1: [{4}]\n"
             "tier_2: [{5}]\n"
             "tier_3: [{6}]\n"
             "\n"
             "# 'basis.level': where the functions end, and the points of the integration grid.",
             element_symbol(Z), valence.radius, text_of(ground_state_shells(Z)),
             Z > 1 ? "ion: " + text_of(ion_of(Z)) + "\n" : std::string(), tiers.text[0], tiers.text[1], tiers.text[2]) +
         text_of(light, Z, like.light, scale, tiers.too_wide) + text_of(tight, Z, like.tight, scale, "");
}

std::string species_file_of(const std::string& symbol) {
  const int Z = atomic_number(symbol);
  if (Z == 0) throw Failure(SUITE_INVALID_ARGUMENT, no_such_element(symbol));
  const SpeciesDefinition* built_in = built_in_species(Z);
  return built_in ? built_in->text : species_by_rule(Z);
}

}  // namespace suite::all_electron
