// SPDX-License-Identifier: BSD-3-Clause
// The object "results" of result.json.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "measure/fields.hpp"
#include "calculation.hpp"

namespace suite::all_electron {

struct FunctionResult {
  std::string origin;
  int l = 0;
  double energy = 0, outer_radius = 0;
};

struct SpeciesResult {
  std::string element;
  double free_atom = 0;
  std::vector<FunctionResult> functions;
};

// A value for the ground state, and one for the response if there is one.
template <class T> struct OfStages {
  T ground_state{};
  std::optional<T> response;
};

// Iterations restored from a checkpoint.
struct Restarts {
  int ground_state = 0, response = 0;
};

struct TimesResult {
  double setup = 0, ground_state = 0, response = 0, finite_field = 0;
  std::map<std::string, double> kernels, response_kernels;
};

struct FiniteFieldResult {
  double strength = 0;
  Tensor polarizability{};
  double largest_difference = 0;
  int iterations = 0;
};

struct ResponseResult {
  Tensor polarizability{};
  std::optional<double> isotropic, anisotropy;
  Tensor uncoupled{};
  Invariants invariants;
  std::optional<FiniteFieldResult> finite_field;
};

struct CrystalResult {
  int dimensions = 3;
  double volume = 0;
  size_t k_points = 0;
  std::optional<Tensor> dielectric;
};

// Of an open shell: eigenvalues and occupied of DfptResults are those of spin up.
struct OpenShellResult {
  double unpaired = 0;
  std::vector<double> occupations_up, eigenvalues_down, occupations_down;
  double gap_up = 0, gap_down = 0;
  std::vector<double> moments;
};

struct DfptResults {
  double total_energy = 0;
  std::vector<double> eigenvalues;
  int occupied = 0;
  double gap = 0;
  std::optional<std::array<double, 3>> dipole;
  std::optional<CrystalResult> crystal;
  std::optional<OpenShellResult> open_shell;
  double electrons = 0;
  Energies energies;
  std::optional<ResponseResult> response;
  OfStages<size_t> iterations;
  Sizes sizes;
  OfStages<std::string> form;
  std::string far_field, linear_algebra;
  std::vector<SpeciesResult> species;
  Restarts restarted_at;
  TimesResult times;
  std::vector<std::string> files;  // in the run's folder
};

inline constexpr const char* form_words[] = {"orbitals", "matrix"};
inline constexpr const char* far_field_words[] = {"direct", "tree"};

}  // namespace suite::all_electron

namespace suite::app {

// clang-format off
template <> inline constexpr auto fields<all_electron::Energies> = std::tuple{
    Field{&all_electron::Energies::band,            "band_Ha",            "Ha", "occupied eigenvalues, two electrons each"},
    Field{&all_electron::Energies::kinetic,         "kinetic_Ha",         "Ha", ""},
    Field{&all_electron::Energies::xc,              "xc_Ha",              "Ha", ""},
    Field{&all_electron::Energies::xc_potential,    "xc_potential_Ha",    "Ha", "int n v_xc"},
    Field{&all_electron::Energies::electrostatic,   "electrostatic_Ha",   "Ha", ""},
    Field{&all_electron::Energies::multipole_error, "multipole_error_Ha", "Ha", ""},
};
template <> inline constexpr auto fields<all_electron::Invariants> = std::tuple{
    Field{&all_electron::Invariants::charge,         "charge",          "", "int n1", {.or_null = true}},
    Field{&all_electron::Invariants::overlap,        "overlap",         "", "sum S P1", {.or_null = true}},
    Field{&all_electron::Invariants::idempotency,    "idempotency",     "", "C S C1", {.or_null = true}},
    Field{&all_electron::Invariants::orthonormality, "orthonormality",  "", "C S C - 1", {.or_null = true}},
    Field{&all_electron::Invariants::asymmetry,      "asymmetry_bohr3", "bohr^3", "", {.or_null = true}},
};
template <> inline constexpr auto fields<all_electron::FiniteFieldResult> = std::tuple{
    Field{&all_electron::FiniteFieldResult::strength,           "strength",                 "Ha/bohr", ""},
    Field{&all_electron::FiniteFieldResult::polarizability,     "polarizability_bohr3",     "bohr^3", "", {.items_or_null = true}},
    Field{&all_electron::FiniteFieldResult::largest_difference, "largest_difference_bohr3", "bohr^3", "from the response"},
    Field{&all_electron::FiniteFieldResult::iterations,         "iterations",               "", "", {.low = 0}},
};
template <> inline constexpr auto fields<all_electron::ResponseResult> = std::tuple{
    Field{&all_electron::ResponseResult::polarizability, "polarizability_bohr3", "bohr^3", "", {.items_or_null = true}},
    Field{&all_electron::ResponseResult::isotropic,      "isotropic_bohr3",      "bohr^3", "one third of the trace"},
    Field{&all_electron::ResponseResult::anisotropy,     "anisotropy_bohr3",     "bohr^3", ""},
    Field{&all_electron::ResponseResult::uncoupled,      "uncoupled_bohr3",      "bohr^3", "without the response of the potential", {.items_or_null = true}},
    Field{&all_electron::ResponseResult::invariants,     "invariants",           "", "quantities that vanish without numerical errors"},
    Field{&all_electron::ResponseResult::finite_field,   "finite_field",         "", "the same from ground states in finite fields"},
};
template <> inline constexpr auto fields<all_electron::Sizes> = std::tuple{
    Field{&all_electron::Sizes::atoms,               "atoms",               "", ""},
    Field{&all_electron::Sizes::functions,           "functions",           "", ""},
    Field{&all_electron::Sizes::states,              "states",              "", ""},
    Field{&all_electron::Sizes::points,              "points",              "", ""},
    Field{&all_electron::Sizes::raw_points,          "raw_points",          "", ""},
    Field{&all_electron::Sizes::batches,             "batches",             "", ""},
    Field{&all_electron::Sizes::points_per_batch,    "points_per_batch",    "", "average", {.low = 0}},
    Field{&all_electron::Sizes::functions_per_batch, "functions_per_batch", "", "average", {.low = 0}},
    Field{&all_electron::Sizes::l_hartree,           "l_hartree",           "", "", {.low = 0}},
    Field{&all_electron::Sizes::parts,               "parts",               "", "number of parts in which the functions at the points are evaluated"},
};
template <> inline constexpr auto fields<all_electron::FunctionResult> = std::tuple{
    Field{&all_electron::FunctionResult::origin,       "origin",            "", ""},
    Field{&all_electron::FunctionResult::l,            "l",                 "", "", {.low = 0}},
    Field{&all_electron::FunctionResult::energy,       "energy_Ha",         "Ha", "", {.or_null = true}},
    Field{&all_electron::FunctionResult::outer_radius, "outer_radius_bohr", "bohr", "", {.low = 0}},
};
template <> inline constexpr auto fields<all_electron::SpeciesResult> = std::tuple{
    Field{&all_electron::SpeciesResult::element,   "element",      "", "", {.least = 1}},
    Field{&all_electron::SpeciesResult::free_atom, "free_atom_Ha", "Ha", "energy of the free atom"},
    Field{&all_electron::SpeciesResult::functions, "functions",    "", "", {.omit_empty = true}},
};
template <> inline constexpr auto fields<all_electron::OfStages<size_t>> = std::tuple{
    Field{&all_electron::OfStages<size_t>::ground_state, "ground_state", "", ""},
    Field{&all_electron::OfStages<size_t>::response,     "response",     "", ""},
};
template <> inline constexpr auto fields<all_electron::Restarts> = std::tuple{
    Field{&all_electron::Restarts::ground_state, "ground_state", "", "", {.low = 0}},
    Field{&all_electron::Restarts::response,     "response",     "", "", {.low = 0}},
};
template <> inline constexpr auto fields<all_electron::OfStages<std::string>> = std::tuple{
    Field{&all_electron::OfStages<std::string>::ground_state, "ground_state", "", "", {.one_of = all_electron::form_words}},
    Field{&all_electron::OfStages<std::string>::response,     "response",     "", "", {.one_of = all_electron::form_words}},
};
template <> inline constexpr auto fields<all_electron::TimesResult> = std::tuple{
    Field{&all_electron::TimesResult::setup,            "setup_s",            "s", "", {.low = 0}},
    Field{&all_electron::TimesResult::ground_state,     "ground_state_s",     "s", "", {.low = 0}},
    Field{&all_electron::TimesResult::response,         "response_s",         "s", "", {.low = 0}},
    Field{&all_electron::TimesResult::finite_field,     "finite_field_s",     "s", "", {.low = 0}},
    Field{&all_electron::TimesResult::kernels,          "kernels_s",          "s", "by kernel: all calls", {.low = 0, .omit_empty = true}},
    Field{&all_electron::TimesResult::response_kernels, "response_kernels_s", "s", "by kernel: those of the response", {.low = 0, .omit_empty = true}},
};
template <> inline constexpr auto fields<all_electron::CrystalResult> = std::tuple{
    Field{&all_electron::CrystalResult::dimensions, "dimensions", "", "3 of a crystal, 2 of a slab, 1 of a chain", {.low = 1}},
    Field{&all_electron::CrystalResult::volume,     "volume",     "", "bohr^3 of the cell; of a slab its area, bohr^2; of a chain its period, bohr", {.low = 0}},
    Field{&all_electron::CrystalResult::k_points,   "k_points",   "", "one of each pair k, -k"},
    Field{&all_electron::CrystalResult::dielectric, "dielectric", "", "1 + 4 pi alpha/volume of a crystal", {.items_or_null = true}},
};
template <> inline constexpr auto fields<all_electron::OpenShellResult> = std::tuple{
    Field{&all_electron::OpenShellResult::unpaired,         "unpaired",            "", "electrons of spin up without a partner", {.low = 0}},
    Field{&all_electron::OpenShellResult::moments,          "moments",             "", "of each atom, electrons of spin up less those of spin down in its share of space"},
    Field{&all_electron::OpenShellResult::gap_up,           "gap_up_Ha",           "Ha", "of spin up; null if it has no electron or no empty level", {.or_null = true}},
    Field{&all_electron::OpenShellResult::gap_down,         "gap_down_Ha",         "Ha", "of spin down, alike", {.or_null = true}},
    Field{&all_electron::OpenShellResult::occupations_up,   "occupations_up",      "", "of the levels of spin up, 0 to 1; of a crystal, at its first k point"},
    Field{&all_electron::OpenShellResult::eigenvalues_down, "eigenvalues_down_Ha", "Ha", "levels of spin down, in ascending order; of a crystal, at its first k point"},
    Field{&all_electron::OpenShellResult::occupations_down, "occupations_down",    "", "of these"},
};
template <> inline constexpr auto fields<all_electron::DfptResults> = std::tuple{
    Field{&all_electron::DfptResults::total_energy,   "total_energy_Ha", "Ha", "of a crystal, that of a cell"},
    Field{&all_electron::DfptResults::eigenvalues,    "eigenvalues_Ha",  "Ha", "in ascending order; of a crystal, those of its first k point; of an open shell, those of spin up"},
    Field{&all_electron::DfptResults::occupied,       "occupied",        "", "orbitals, two electrons each; of an open shell, electrons of spin up", {.low = 0}},
    Field{&all_electron::DfptResults::gap,            "gap_Ha",          "Ha", "from the highest level with electrons to the lowest without, of both spins; null if there is no empty level", {.or_null = true}},
    Field{&all_electron::DfptResults::dipole,         "dipole_e_bohr",   "e bohr", "of a molecule"},
    Field{&all_electron::DfptResults::crystal,        "crystal",         "", "of a crystal, a slab or a chain"},
    Field{&all_electron::DfptResults::open_shell,     "open_shell",      "", "of an open shell"},
    Field{&all_electron::DfptResults::electrons,      "electrons",       "", "on the grid"},
    Field{&all_electron::DfptResults::energies,       "energies",        "", ""},
    Flat{&all_electron::DfptResults::response},
    Field{&all_electron::DfptResults::iterations,     "iterations",      "", ""},
    Field{&all_electron::DfptResults::sizes,          "sizes",           "", ""},
    Field{&all_electron::DfptResults::form,           "form",            "", "form in which the kernels compute densities and matrices"},
    Field{&all_electron::DfptResults::far_field,      "far_field",       "", "how the potentials of distant atoms were added (parameter far of dfpt.sum_up)", {.one_of = all_electron::far_field_words}},
    Field{&all_electron::DfptResults::linear_algebra, "linear_algebra",  "", "library that computed the eigenvalues, with its version", {.least = 1}},
    Field{&all_electron::DfptResults::species,        "species",         "", ""},
    Field{&all_electron::DfptResults::restarted_at,   "restarted_at",    "", "iterations stored in the checkpoint"},
    Field{&all_electron::DfptResults::times,          "times",           "", ""},
    Field{&all_electron::DfptResults::files,          "files",           "", "in the run's folder", {.items_not_empty = true, .omit_empty = true}},
};
// clang-format on

}  // namespace suite::app
