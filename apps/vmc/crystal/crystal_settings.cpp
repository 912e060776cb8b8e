// SPDX-License-Identifier: BSD-3-Clause
#include "crystal_settings.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include <fmt/core.h>

#include <suite/qmc/sphere_rule.hpp>

#include "base/checker.hpp"
#include "base/structure/structure.hpp"
#include "common/quantities.hpp"
#include "twists.hpp"
#include "crystal.hpp"
#include "eshdf.hpp"
#include "molecule/molecule.hpp"
#include "molecule/pseudopotential.hpp"
#include "potential_xml.hpp"

namespace suite::vmc {
namespace {

constexpr double charges_agree_to = 1e-6;  // e

// Whether the orbitals at its twist are to be complex. key: of the twist.
bool settle_complex(const app::Input& input, const char* key, EshdfChoice& choice) {
  const bool needed = needs_complex(choice.twist);
  choice.complex = input.has("system.complex_wf") ? input.boolean("system.complex_wf") : needed;
  if (!needed || choice.complex) return true;
  input.fail("system.complex_wf", fmt::format("'{}' needs complex orbitals: only multiples of 1/2 have real ones; remove 'complex_wf'",
                                              std::string(key).substr(7)));
  return false;
}

struct WeightedChoice {
  EshdfChoice choice;
  double weight = 1;
};

// The choice at each of system.twists; none if the key is not there.
std::optional<std::vector<WeightedChoice>> read_twists(const app::Input& input, const EshdfChoice& choice) {
  std::vector<WeightedChoice> all;
  if (!input.has("system.twists")) return all;
  input.refuse({"system.twist"}, "'twist' and 'twists' exclude each other; give one of them");
  if (input.has("restart.file") && !std::filesystem::exists(checkpoint_beside(input.file("restart.file"), 0)))
    input.fail("restart.file", "a run of several twists continues from twist_1/checkpoint.h5, or that of another twist, of an earlier one");
  for (const auto& row : input.points("system.twists")) {
    if (row.size() != 3 && row.size() != 4) {
      input.fail("system.twists",
                 fmt::format("a row of 'twists' has {}; it needs 3, or 4 with a weight", app::counted(row.size(), "number")));
      return std::nullopt;
    }
    WeightedChoice one{choice, row.size() == 4 ? row[3] : 1};
    std::copy_n(row.begin(), 3, one.choice.twist.begin());
    if (!(one.weight > 0)) {
      input.fail("system.twists", fmt::format("a weight of {:g} in 'twists'; it must be positive", one.weight));
      return std::nullopt;
    }
    if (!settle_complex(input, "system.twists", one.choice)) return std::nullopt;
    all.push_back(one);
  }
  return all;
}

std::optional<EshdfChoice> read_choice(const app::Input& input) {
  EshdfChoice choice;
  if (input.has("system.supercell")) {
    const auto numbers = input.integers("system.supercell");
    if (numbers.size() != 3 && numbers.size() != 9) {
      input.fail("system.supercell", fmt::format("'supercell' has {}; it needs 3, or 9 for its vectors one after the other",
                                                 app::counted(numbers.size(), "number")));
      return std::nullopt;
    }
    for (size_t i = 0; i < 3; ++i)
      for (size_t j = 0; j < 3; ++j) choice.supercell[i][j] = numbers.size() == 9 ? numbers[3 * i + j] : i == j ? numbers[i] : 0;
  }
  if (input.has("system.twist")) {
    const auto twist = input.three_reals("system.twist");
    if (!twist) return std::nullopt;
    choice.twist = *twist;
  }
  if (!settle_complex(input, "system.twist", choice)) return std::nullopt;
  choice.mesh_factor = input.real("system.mesh_factor");
  return choice;
}

// Every file is used by an element; every nucleus has all its electrons in the file, or a potential for the others.
void add_potentials(const app::Input& input, EshdfFile& file) {
  Molecule& m = file.molecule;
  std::vector<std::string> elements;
  for (const long number : file.atomic_number) elements.push_back(app::element_of_number(number));
  const auto refuse = [](const std::string& sentence) { throw Failure(SUITE_INVALID_ARGUMENT, sentence); };
  std::vector<bool> covered(elements.size(), false);
  for (const std::string& name :
       input.has("system.pseudopotentials") ? input.names("system.pseudopotentials") : std::vector<std::string>{}) {
    auto path = app::find_file(name, input.source(), false);
    if (path.empty()) path = app::find_file(name, input.source(), true);
    if (path.empty()) refuse(app::no_file(name, input.source(), false));
    const CasinoPotential potential = read_potential(path).potential;
    bool used = false;
    for (size_t a = 0; a < elements.size(); ++a) {
      if (file.atomic_number[a] != potential.atomic_number) continue;
      if (covered[a]) refuse(fmt::format("{} is a second pseudopotential of {}", path.string(), elements[a]));
      if (!(std::abs(potential.charge - m.charge[a]) < charges_agree_to))
        refuse(fmt::format("{} has the charge {:g}, but {} has the valence charge {:g} in the ES-HDF file", path.string(), potential.charge,
                           m.label[a], m.charge[a]));
      for (PotentialTerm term : potential.terms) {
        term.ion = static_cast<int32_t>(a);
        m.potential.push_back(std::move(term));
      }
      used = covered[a] = true;
    }
    if (!used) refuse(fmt::format("{} is of the atomic number {}, which no atom has", path.string(), potential.atomic_number));
  }
  for (size_t a = 0; a < elements.size(); ++a)
    if (!covered[a] && m.charge[a] != static_cast<double>(file.atomic_number[a]))
      refuse(fmt::format("{} has the valence charge {:g} and the atomic number {}: give its pseudopotential in 'system.pseudopotentials'",
                         m.label[a], m.charge[a], file.atomic_number[a]));
}

void check_charge(const EshdfFile& file) {
  const auto& charges = file.molecule.charge;
  const double nuclei = std::accumulate(charges.begin(), charges.end(), 0.0);
  if (!(std::abs(nuclei - (file.nele[0] + file.nele[1])) < charges_agree_to))
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("the cell is not neutral: nuclei with the charge {:g} and {}", nuclei,
                                                      app::counted(static_cast<long>(file.nele[0] + file.nele[1]), "electron")));
}

void warn_of_open_shells(const app::Input& input, const EshdfFile& file, const std::string& where) {
  constexpr double equal_to = 1e-4;  // Ha
  for (size_t spin = 0; spin < 2; ++spin)
    if (file.gap[spin] < equal_to)
      input.warn("system.eshdf", fmt::format("an open shell{}: the highest filled orbital of spin {} and an empty one have the same energy "
                                             "within {:.2g} Ha; which of them is filled is an accident of the file",
                                             where, spin == 0 ? "up" : "down", equal_to));
}

// The crystal at a twist; reports errors. where: "" or the twist, for warnings.
std::optional<System> crystal_at(const app::Input& input, const EshdfChoice& choice, const std::string& where) {
  std::optional<EshdfFile> file;
  if (!input.holds("system.eshdf", [&] {
        file = read_eshdf(input.file("system.eshdf"), choice);
        check_charge(*file);
      }))
    return std::nullopt;
  warn_of_open_shells(input, *file, where);
  if (!input.holds(input.has("system.pseudopotentials") ? "system.pseudopotentials" : "system.eshdf",
                   [&] { add_potentials(input, *file); }))
    return std::nullopt;
  file->molecule.points = input.small_integer("system.quadrature");
  return make_system(std::move(file->molecule), file->nele);
}

}  // namespace

bool read_crystal(const app::Input& input, Settings& s) {
  input.refuse({"system.rs", "system.lattice", "system.cell", "system.electrons", "system.polarisation", "system.spins",
                "system.casino_input", "system.trexio"},
               "'eshdf' already specifies the system; remove one of them");
  input.refuse({"system.cusp_correction"}, "this is of Gaussian functions; a crystal of nuclei without pseudopotential has cusps by 'chi'");
  input.needs({"system.mesh_factor", "system.quadrature"});
  const auto choice = read_choice(input);
  if (!choice) return false;
  const auto twists = read_twists(input, *choice);
  if (!twists) return false;
  for (const auto& [at, weight] : *twists) {
    auto system = crystal_at(input, at, fmt::format(" at the twist ({:g}, {:g}, {:g})", at.twist[0], at.twist[1], at.twist[2]));
    if (!system) return false;
    s.twists.push_back({at.twist, weight, std::move(*system)});
  }
  if (!s.twists.empty() && s.method == Method::optimise)
    input.fail("system.twists", "a Jastrow factor is optimised at one twist; give it in 'twist', and use the factor found with 'twists'");
  const auto system = s.twists.empty() ? crystal_at(input, *choice, "") : std::optional(s.twists.front().system);
  if (!system) return false;
  s.system = *system;
  const Molecule& m = *s.system.molecule;
  input.holds("system.quadrature", [&] { qmc::sphere_rule(m.points); });
  if (m.potential.empty()) input.refuse({"system.quadrature", "dmc.t_moves"}, "this is of pseudopotentials, and the crystal has none");
  else if (s.method == Method::dmc) s.dmc.t_moves = input.boolean("dmc.t_moves");
  const double reach = Pseudopotentials(m).cutoff(), most = m.crystal->lattice.inscribed_radius;
  if (reach > most)
    input.fail("system.pseudopotentials",
               fmt::format("the projectors reach {:.4g} bohr, beyond the radius {:.4g} of the sphere inscribed in the Wigner-Seitz cell: a "
                           "larger 'supercell' has room for them",
                           reach, most));
  return true;
}

void refuse_keys_of_crystals(const app::Input& input) {
  input.refuse({"system.pseudopotentials", "system.supercell", "system.twist", "system.twists", "system.complex_wf", "system.mesh_factor"},
               "this is of crystals ('system.eshdf')");
}

}  // namespace suite::vmc
