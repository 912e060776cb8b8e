// SPDX-License-Identifier: BSD-3-Clause
// What makes the numeric basis and the grids of an element: its free atom, the functions of its tiers, and the settings of the levels
// light and tight. Built-in elements are files of the same format as a user's own (docs/dfpt_species.md).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "free_atom.hpp"

namespace suite::all_electron {

enum class Level { light, tight };

// A function in addition to the free atom's own.
struct NumericFunction {
  enum class Kind { ionic, confined, hydrogenic, gaussian };
  Kind kind = Kind::hydrogenic;
  int n = 0, l = 0;  // n: l + 1 of a gaussian
  // z of hydrogenic; the onset of confinement of confined, bohr; the exponent of gaussian, bohr^-2; unused by ionic
  double value = 0;
  bool operator==(const NumericFunction&) const = default;
};

// "hydro 3d 4.2", "ionic 3s", "confined 3d 5", "gaussian d 0.4".
std::string text_of(const NumericFunction& function);

struct AngularRegion {
  double radius;  // bohr, radius of the first shell beyond this region
  int points;
};

struct SpeciesLevel {
  Confinement confinement;
  int base_shells = 0, radial_multiplier = 0;
  double outermost = 0;                // bohr, radius of shell base_shells
  std::vector<AngularRegion> regions;  // ascending
  int outer_points = 0;
  int l_hartree = 0;
  std::vector<NumericFunction> without;  // functions of the tiers that this level leaves out
};

struct SpeciesDefinition {
  int Z = 0;
  std::vector<Shell> shells;                        // of the free atom
  std::vector<Shell> ion;                           // for ionic functions
  std::vector<std::vector<NumericFunction>> tiers;  // from tier 1 on
  SpeciesLevel light, tight;
  std::string source;  // the file's name; empty if built in
  std::string text;    // the file's
  const SpeciesLevel& at(Level level) const { return level == Level::light ? light : tight; }
};

inline constexpr int most_tiers = 4;
inline constexpr double bohr_per_angstrom = 1 / app::bohr_angstrom;

// Throws app::InputErrors with file, line and column for all errors. name: of the text in messages.
SpeciesDefinition parse_species(const std::string& name, const std::string& text);
SpeciesDefinition read_species(const std::filesystem::path& file);

// The functions of tiers 1 to `tier`. Throws Failure for tiers that the species does not have.
std::vector<NumericFunction> tier_functions(const SpeciesDefinition& species, Level level, int tier);

// nullptr if there is none of this element.
const SpeciesDefinition* built_in_species(int Z);
// Symbols of the elements that are built in: "H, C, N, O and Si".
std::string built_in_symbols();
// Throws Failure, which says how to bring one, if there is none.
const SpeciesDefinition& numeric_species(int Z);
// Moves the outermost shell there (bohr), with shells added so that they remain as dense near the nucleus.
void extend_shells(SpeciesLevel& level, double outermost);

// The built-in element whose angular grids are used for others of its period, and of later ones.
int nearest_with_grids(int Z);
// Grids for Gaussians of any element up to krypton: those of the species, or of the nearest built-in one with shells for this Z.
SpeciesLevel grids_for_gaussians(int Z);

// Baker, Andzelm, Scheiner and Delley, J. Chem. Phys. 101, 8894 (1994), times 1.2.
int radial_shells(int Z);

}  // namespace suite::all_electron
