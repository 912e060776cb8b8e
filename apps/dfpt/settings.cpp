// SPDX-License-Identifier: BSD-3-Clause
// Input keys of the dfpt app and their conversion to settings.
#include "settings.hpp"

#include <algorithm>
#include <set>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/bound_keys.hpp"
#include "base/checker.hpp"
#include "base/listed_atoms.hpp"
#include "base/structure/structure.hpp"
#include "base/units.hpp"
#include "common/near.hpp"
#include "gaussian.hpp"
#include "lebedev.hpp"
#include "radial_tables.hpp"
#include "species_definition.hpp"
#include "common/quantities.hpp"

namespace suite::all_electron {

using app::Kind;
namespace {

const app::BoundKeys<Settings>& bound_keys() {
  using S = Settings;
  constexpr auto choices = &S::choices;
  constexpr auto scf = &S::scf;
  constexpr auto response = &S::response;
  static const app::BoundKeys<Settings> keys{
      {"calculation", app::aside(app::choice<bool>({{"polarizability", true}, {"ground_state", false}}, &S::polarizability)),
       "polarizability", nullptr, "response to a homogeneous electric field, or the ground state only"},
      {"functional", app::choice<Xc>(app::named_functionals(), choices, &Choices::xc), "pw92", nullptr,
       "exchange-correlation functional: of the density (pw92, pz81, vwn5), or of the density and its gradient (the others, which need "
       "libxc)"},

      {"molecule.elements", Kind::names, "[]", nullptr, "element of each atom, such as [O, H, H]"},
      {"molecule.positions", Kind::positions, "[]", nullptr, "position of each atom, such as [[0, 0, 0], [0, 0, 1.1 angstrom]]", nullptr,
       "molecule.unit"},
      {"molecule.unit", Kind::choice, "", "bohr angstrom", "unit of positions that have none"},
      {"molecule.structure", Kind::file, "", nullptr,
       "file with the atoms, instead of elements and positions: XYZ, CIF, POSCAR or an input of pw.x; with 'crystal.kpoints' the crystal "
       "has its "
       "cell, unless 'crystal.lattice' specifies another"},
      {"molecule.xyz", Kind::file, "", nullptr, "former name of structure"},
      {"molecule.charge", app::small_integer(&S::molecule, &Molecule::charge), "0", "-1000..1000",
       "total charge of the molecule, in elementary charges"},
      {"molecule.spin", app::small_integer(&S::molecule, &Molecule::unpaired), "0", "0..1000",
       "number of unpaired electrons, of a crystal those of a cell: orbitals of either spin, such as 2 for O2 and the oxygen atom; 0: "
       "closed "
       "shells, unless there are initial moments"},
      {"molecule.initial_moments", app::reals(&S::molecule, &Molecule::initial_moments), "[]", nullptr,
       "electrons of spin up less those of spin down of each atom in the first density, such as [1, -1] for antiferromagnetic order; they "
       "add "
       "up to 'spin'. Default: either spin has its share everywhere"},

      {"crystal.lattice", Kind::positions, "[]", nullptr,
       "lattice vectors: three of a crystal, two of a slab, or one of a chain, such as [[4.5, 0, 0 bohr]]; a molecule has none", nullptr,
       "crystal.unit"},
      {"crystal.unit", Kind::choice, "", "bohr angstrom", "unit of lattice vectors that have none"},
      {"crystal.kpoints", Kind::integers, "[1, 1, 1]", "1..200",
       "k points along each reciprocal lattice vector; of slabs and chains, the others are 1"},
      {"crystal.shift", app::choice<bool>({{"none", false}, {"half", true}}, &S::crystal, &CrystalSettings::shifted), "none", nullptr,
       "k points with k = 0 among them (none), or half a step beside it along each vector (half)"},
      {"crystal.ewald_radius", app::length(1, &S::crystal, &CrystalSettings::ewald_radius), "1.4 bohr", ">0",
       "radius that splits potentials of a crystal between real and reciprocal space; results do not depend on it"},

      {"basis.kind", Kind::choice, "nao", "nao gaussian", "numeric atom-centred orbitals or Gaussians"},
      {"basis.level", app::choice<Level>({{"light", Level::light}, {"tight", Level::tight}}, choices, &Choices::level), "light", nullptr,
       "accuracy of numeric orbitals: their cutoff radius, integration grid and multipole order"},
      {"basis.tier", app::small_integer(choices, &Choices::tier), "1", "0..4",
       "numeric orbitals: highest tier of basis functions; 0 is the minimal basis of free-atom orbitals"},
      {"basis.species", Kind::settings, "", nullptr,
       "numeric orbitals: files of your own for some elements, such as {Mg: Mg.yaml}; 'suite init dfpt --species Mg' writes one"},
      {"basis.onset", app::length(1, choices, &Choices::onset), "", ">0",
       "numeric orbitals: radius where their confinement begins, for all elements; default: set by the level, 3.5 (light) or 4 angstrom "
       "(tight) for the built-in ones"},
      {"basis.file", app::file(choices, &Choices::gaussian_file), "", nullptr, "Gaussian basis set in NWChem's format"},

      {"grid.l_hartree", app::small_integer(choices, &Choices::l_hartree), "", "0..8",
       "maximum l of the multipole expansion of the potential; default: 4 (light), 6 (tight) or 8 (Gaussians)"},
      {"grid.multiplier", app::small_integer(choices, &Choices::radial_multiplier), "", "1..16",
       "radial grid refinement factor; default: 1 (light), 2 (tight) or 6 (Gaussians)"},
      {"grid.angular_points", app::small_integer(choices, &Choices::angular_points), "", "6..974",
       "points of the Lebedev grid on every radial shell; default: set by the level, increasing with the radius"},
      {"grid.knots", app::small_integer(choices, &Choices::n_knots), "256", "16..4096", "knots of the splines of the multipole potentials"},
      {"grid.batch_points", app::small_integer(choices, &Choices::batch_target), "200", "20..10000", "maximum number of points per batch"},

      {"scf.mixing", app::real(scf, &Iteration::mixing), "0.4", "0.001..1",
       "fraction of the new density in the first step of Pulay mixing"},
      {"scf.history", app::small_integer(scf, &Iteration::history), "8", "1..100", "number of densities kept for Pulay mixing"},
      {"scf.tolerance", app::real(scf, &Iteration::tolerance), "1e-9", ">0",
       "converged when the root of the integral of the squared density change is below this"},
      {"scf.max_iterations", app::aside(app::small_integer(scf, &Iteration::max_iterations)), "100", "1..100000",
       "maximum number of iterations of the ground state"},

      {"dfpt.directions", Kind::names, "[x, y, z]", nullptr, "directions of the field, all computed together"},
      {"dfpt.form", app::choice<Form>({{"auto", Form::automatic}, {"matrix", Form::matrix}, {"orbitals", Form::orbitals}}, &S::form),
       "auto", nullptr, "passes density matrices or occupied orbitals between the kernels; auto: the one that needs fewer operations"},
      {"dfpt.mixing", app::real(response, &Iteration::mixing), "0.4", "0.001..1",
       "fraction of the new response density in the first step of Pulay mixing"},
      {"dfpt.history", app::small_integer(response, &Iteration::history), "8", "1..100",
       "number of response densities kept for Pulay mixing"},
      {"dfpt.tolerance", app::aside(app::real(response, &Iteration::tolerance)), "1e-9", ">0",
       "converged when the root of the integral of the squared change of the response density (unit field) is below this"},
      {"dfpt.max_iterations", app::aside(app::small_integer(response, &Iteration::max_iterations)), "100", "1..100000",
       "maximum number of iterations of the response"},

      {"finite_field.strength", app::aside(app::quantity(Kind::electric_field, "Ha/bohr", &S::finite_field)), "", ">0",
       "field strength, such as 0.001 Ha/bohr: checks the polarizability against ground states in this field", "Ha/bohr"},
      {"memory.limit", Kind::memory, "", ">0",
       "memory per process for basis functions at the grid points; where they need more, they are evaluated again at every use. "
       "Default: a third of the machine's memory, less if the run leaves less",
       "GiB"},

      {"output.density", app::aside(app::choice<bool>({{"none", false}, {"cube", true}}, &S::density_file)), "none", nullptr,
       "writes the density of the ground state on a regular grid as a Gaussian cube file, density.cube"},
      {"output.spacing", app::aside(app::length(1, &S::density_spacing)), "0.2 bohr", ">0", "grid spacing of the density file"},

      {"checkpoint.interval", app::aside(app::integer(&S::checkpoint_interval)), "0", "0..1000000",
       "iterations between checkpoints; 0: only at the end and on interruption"},
      {"restart.file", app::file(&S::restart), "", nullptr, "checkpoint.h5 of an earlier run of the same input to restart from"},
  };
  return keys;
}

// position: bohr. Returns false, after reporting an error of this key (once per element), if the element is unknown; the atom then has Z =
// 0.
bool add_atom(const app::Input& input, const char* path, const app::ListedAtom& atom, std::set<std::string>& reported, Molecule& molecule) {
  const int Z = atomic_number(atom.element);
  if (Z == 0 && reported.insert(atom.element).second) input.fail(path, no_such_element(atom.element));
  molecule.atoms.push_back({Z, atom.position});
  return Z != 0;
}

// What could be read of the atoms; either may be wrong independently.
struct Known {
  bool elements = false, places = false;
};

Known read_inline(const app::Input& input, Molecule& molecule) {
  const auto elements = input.names("molecule.elements");
  if (elements.empty()) {
    input.fail_missing("molecule.elements", "the atoms (or 'structure', a file with them)");
    return {};
  }
  Known found{true, false};
  std::set<std::string> reported;
  for (const auto& element : elements)
    found.elements = add_atom(input, "molecule.elements", {element, {}}, reported, molecule) && found.elements;
  input.group([&] {
    constexpr double no_minimum = 0;  // refuse_close_atoms() checks the distances
    const auto atoms = app::listed_atoms(input, "molecule", no_minimum);
    if (!atoms) {
      found.elements = false;
      return;
    }
    for (size_t i = 0; i < atoms->size(); ++i) molecule.atoms[i].position = (*atoms)[i].position;
    found.places = true;
  });
  return found;
}

// path: "molecule.structure", or its former name.
Known read_file(const app::Input& input, const char* path, Settings& s) {
  Molecule& molecule = s.molecule;
  input.refuse({"molecule.elements", "molecule.positions", "molecule.unit"}, "'structure' already specifies this; remove one of them");
  const app::Structure structure = app::read_structure(input.file(path));
  if (structure.cell && input.has("crystal.kpoints") && !input.has("crystal.lattice"))
    for (const auto& row : *structure.cell)
      s.crystal.vectors.push_back({row[0] / app::bohr_angstrom, row[1] / app::bohr_angstrom, row[2] / app::bohr_angstrom});
  else if (structure.cell && !input.has("crystal.lattice"))
    input.warn(path, "the cell in this file is not used: its " + app::counted(static_cast<long>(structure.atoms.size()), "atom") +
                         " are computed as a molecule in empty space; 'crystal.kpoints' makes a crystal of them");
  bool known = true;
  std::set<std::string> reported;
  for (const auto& atom : structure.atoms) {
    std::array<double, 3> position = atom.position;
    for (double& x : position) x /= app::bohr_angstrom;
    known = add_atom(input, path, {atom.element, position}, reported, molecule) && known;
  }
  return {known, true};
}

void check_spins(const app::Input& input, const Molecule& molecule) {
  const char* const what = input.has("crystal.lattice") || input.has("crystal.kpoints") ? "cell" : "molecule";
  const int electrons = molecule.electrons(), unpaired = molecule.unpaired;
  if (electrons <= 0) return input.fail("molecule.charge", fmt::format("a 'charge' of {} leaves {} electrons", molecule.charge, electrons));
  const std::string all = app::counted(electrons, "electron") + fmt::format(" (charge {})", molecule.charge);
  if (unpaired == 0 && electrons % 2 != 0)
    input.fail("molecule.charge", all + ": an open shell; 'spin' is the number of its unpaired electrons, such as 1");
  else if (unpaired > electrons) input.fail("molecule.spin", fmt::format("'spin' is {}, and the {} has only {}", unpaired, what, all));
  else if ((electrons - unpaired) % 2 != 0)
    input.fail("molecule.spin",
               fmt::format("'spin' is {}, and the {} has {}: both numbers must be even, or both odd", unpaired, what, all));
}

void check_moments(const app::Input& input, const Molecule& molecule) {
  constexpr const char* path = "molecule.initial_moments";
  const std::vector<double>& moments = molecule.initial_moments;
  if (moments.empty()) return;
  if (moments.size() != molecule.atoms.size())
    return input.fail(path, fmt::format("'initial_moments' has {}, and there are {}; each atom needs one",
                                        app::counted(moments.size(), "number"), app::counted(molecule.atoms.size(), "atom")));
  double sum = 0;
  for (size_t a = 0; a < moments.size(); ++a) {
    const int Z = molecule.atoms[a].Z;
    sum += moments[a];
    if (!(std::abs(moments[a]) <= Z))
      return input.fail(path, fmt::format("the moment of atom {} is {:g}, and {} has {}", a + 1, moments[a], element_symbol(Z),
                                          app::counted(Z, "electron")));
  }
  constexpr double rounding = 0.01;  // of thirds and the like
  if (!(std::abs(sum - molecule.unpaired) <= rounding))
    input.fail(path, fmt::format("'initial_moments' add up to {:g}, and 'spin' is {}; the two must be equal", sum, molecule.unpaired));
}

void read_crystal(const app::Input& input, Settings& s) {
  input.needs({"crystal.shift", "crystal.ewald_radius"});
  const auto rows = input.positions_bohr("crystal.lattice");
  if (rows.empty() && s.crystal.vectors.empty()) {
    if (s.molecule.atoms.empty()) return;  // their file has been refused, and may have a cell
    input.refuse_section("crystal", "this applies to crystals, slabs and chains, which 'lattice' makes of a molecule", "crystal.lattice");
    return;
  }
  if (rows.size() > 3)
    return input.fail("crystal.lattice",
                      "'lattice' has " + app::counted(rows.size(), "vector") + "; a crystal has three, a slab two, a chain one");
  for (const auto& row : rows) {
    if (!input.need_three("crystal.lattice", row.size())) return;
    s.crystal.vectors.push_back({row[0], row[1], row[2]});
  }
  input.holds(rows.empty() ? "crystal.kpoints" : "crystal.lattice", [&] { lattice_of(s.crystal); });
  if (const auto given = input.three_integers("crystal.kpoints")) s.crystal.k_points = *given;
  const auto& k = s.crystal.k_points;
  if (rows.size() == 1 && (k[1] != 1 || k[2] != 1))
    input.fail("crystal.kpoints",
               fmt::format("a chain has k points along its own vector only; 'kpoints' is [{}, {}, {}], and the second and "
                           "third must be 1",
                           k[0], k[1], k[2]));
  if (rows.size() == 2 && k[2] != 1)
    input.fail("crystal.kpoints",
               fmt::format("a slab has k points along its own two vectors only; 'kpoints' is [{}, {}, {}], and the third must be 1", k[0],
                           k[1], k[2]));
  if (s.molecule.charge != 0) input.fail("molecule.charge", "a cell with a charge has no energy in a crystal; 'charge' must be 0");
  for (const char* section : {"finite_field", "checkpoint", "restart"})
    input.refuse_section(section, "this is for molecules; crystals have neither finite fields nor checkpoints", "crystal.lattice");
  if (s.density_file) input.fail("output.density", "density files are written for molecules only");
}

// The key that names a file with the atoms; nullptr if there is none.
const char* structure_key(const app::Input& input) {
  if (!input.has("molecule.xyz")) return input.has("molecule.structure") ? "molecule.structure" : nullptr;
  if (input.has("molecule.structure")) input.fail("molecule.xyz", "'xyz' is the former name of 'structure'; remove one of them");
  else input.warn("molecule.xyz", "'xyz' is now called 'structure'");
  return "molecule.xyz";
}

// With the lattice vectors, if they are those of a file.
void read_molecule(const app::Input& input, Settings& s) {
  Molecule& molecule = s.molecule;
  const char* file = structure_key(input);
  const Known known = file ? read_file(input, file, s) : read_inline(input, molecule);
  if (known.places) input.holds(file ? file : "molecule.positions", [&] { refuse_close_atoms(molecule); });
  input.needs({"molecule.charge", "molecule.spin", "molecule.initial_moments"});
  if (known.elements) check_spins(input, molecule);
  if (known.elements) input.group([&] { check_moments(input, molecule); });
}

void check_basis(const app::Input& input) {
  if (input.text("basis.kind") == "gaussian") {
    if (!input.has("basis.file")) input.fail_missing("basis.file", "the Gaussians, in NWChem's format");
    input.refuse({"basis.level", "basis.tier", "basis.species", "basis.onset"},
                 "this applies to numeric orbitals only; Gaussians ('kind: gaussian') set their own grids");
  } else {
    input.refuse({"basis.file"}, "'file' applies to 'kind: gaussian'; numeric orbitals use 'tier'");
  }
}

void read_own_species(const app::Input& input, Settings& s) {
  if (input.text("basis.kind") == "gaussian") return;
  for (const auto& [symbol, name] : input.settings("basis.species")) {
    const std::string path = "basis.species." + symbol;
    constexpr bool of_command_line = false;
    const std::filesystem::path file = app::find_file(name, input.source(), of_command_line);
    if (file.empty()) {
      input.fail(path, app::in_quotes(symbol) + " names a file that does not exist: " + app::in_quotes(name));
      continue;
    }
    const int Z = atomic_number(symbol);
    const auto& atoms = s.molecule.atoms;
    if (Z == 0 || std::none_of(atoms.begin(), atoms.end(), [Z = Z](const Atom& atom) { return atom.Z == Z; })) {
      input.fail(path, "none of the atoms is " + app::in_quotes(symbol));
      continue;
    }
    SpeciesDefinition species = read_species(file);
    if (species.Z != Z) {
      input.fail(path, fmt::format("{} is for {}, not {}", file.string(), element_symbol(species.Z), symbol));
      continue;
    }
    s.choices.own_species.emplace(Z, std::move(species));
    // Functions that are not bound are found when the atom is solved.
    input.holds(path, [&] { make_species({Z}, s.choices); });
  }
}

// Reports at their keys what the set-up would refuse later.
void refuse_missing_functions(const app::Input& input, const Settings& s) {
  const Choices& c = s.choices;
  const char* path = input.has("molecule.structure") ? "molecule.structure"
                     : input.has("molecule.xyz")     ? "molecule.xyz"
                                                     : "molecule.elements";
  std::set<int> elements;
  for (const auto& atom : s.molecule.atoms)
    if (atom.Z != 0) elements.insert(atom.Z);
  if (input.text("basis.kind") == "gaussian" && !c.gaussian_file.empty()) {
    const auto known = read_gaussian_basis(c.gaussian_file);
    for (const int Z : elements)
      if (known.count(Z) == 0)
        input.fail("basis.file", fmt::format("{} has no functions for {}", c.gaussian_file.string(), element_symbol(Z)));
  } else if (!input.has("basis.file")) {
    for (const int Z : elements) {
      const SpeciesDefinition* species = nullptr;
      if (c.own_species.count(Z) > 0 || !input.holds(path, [&] { species = &numeric_species(Z); })) continue;
      if (input.holds(input.has("basis.tier") ? "basis.tier" : path, [&] { tier_functions(*species, c.level, c.tier); }) && c.onset)
        input.holds("basis.onset", [&] { make_species({Z}, c); });
    }
  }
}

void read_directions(const app::Input& input, std::vector<int>& directions) {
  const std::vector<std::string> axes{"x", "y", "z"};
  directions.clear();
  for (const auto& word : input.names("dfpt.directions")) {
    const auto found = std::find(axes.begin(), axes.end(), word);
    if (found == axes.end()) return input.fail("dfpt.directions", "no direction " + app::in_quotes(word) + "; must be x, y or z");
    const int axis = static_cast<int>(found - axes.begin());
    if (std::find(directions.begin(), directions.end(), axis) != directions.end())
      return input.fail("dfpt.directions", "'" + word + "' appears twice");
    directions.push_back(axis);
  }
  if (directions.empty()) return input.fail("dfpt.directions", "'directions' is empty; at least one is needed");
  std::sort(directions.begin(), directions.end());
}

}  // namespace

Lattice lattice_of(const CrystalSettings& crystal) {
  const auto& a = crystal.vectors;
  if (a.size() == 1) return Lattice::chain(a[0]);
  return a.size() == 2 ? Lattice::slab(a[0], a[1]) : Lattice({a[0], a[1], a[2]});
}

std::vector<KPoint> k_points_of(const CrystalSettings& crystal) {
  std::array<bool, 3> shifted{};
  for (size_t d = 0; d < crystal.vectors.size(); ++d) shifted[d] = crystal.shifted;
  return k_grid(crystal.k_points, shifted);
}

const std::vector<app::Key>& input_keys() { return bound_keys().keys(); }

namespace {

void check_functional(const app::Input& input, const Settings& s) {
  if (s.molecule.two_spins() && !app::have_libxc())
    input.fail(s.molecule.unpaired != 0 ? "molecule.spin" : "molecule.initial_moments",
               "open shells need libxc, which this build does not have (apt install libxc-dev, then build again)");
  if (!needs_gradients(s.choices.xc)) return;
  const std::string name = input.text("functional");
  if (!app::have_libxc())
    input.fail("functional", "'" + name +
                                 "' needs libxc, which this build does not have (apt install libxc-dev, then build again); pw92, "
                                 "pz81 and vwn5 do not need it");
}

}  // namespace

Settings read_settings(const app::Input& input) {
  Settings s;
  bound_keys().read(input, s);
  input.group([&] {
    input.needs({"calculation"});
    if (s.polarizability) return;
    for (const char* section : {"dfpt", "finite_field"})
      input.refuse_section(section, "this applies to the response, which 'calculation: ground_state' does not compute", "dfpt.form");
  });
  input.group([&] { check_basis(input); });
  input.group([&] {
    input.needs({"grid.angular_points"});
    const auto& points = s.choices.angular_points;
    if (points) input.holds("grid.angular_points", [&] { angular_grid(*points); });
  });
  input.group([&] { read_directions(input, s.directions); });
  input.group([&] { read_molecule(input, s); });
  input.group([&] { read_crystal(input, s); });
  input.group([&] {
    input.needs({"functional"});
    check_functional(input, s);
  });
  input.group([&] {
    input.needs({"basis.kind", "basis.level", "basis.tier", "basis.species", "basis.onset", "basis.file"});
    read_own_species(input, s);
    refuse_missing_functions(input, s);
  });
  input.group([&] {
    if (input.has("memory.limit")) s.memory_B = input.quantity("memory.limit", "GiB") * 1073741824.0;
  });
  return s;
}

std::string fingerprint(const Settings& s) {
  nlohmann::ordered_json f = bound_keys().values(s);
  for (const auto& atom : s.molecule.atoms) f["atoms"].push_back({{"element", element_symbol(atom.Z)}, {"position", atom.position}});
  f["lattice"] = s.crystal.vectors;
  f["k_points"] = s.crystal.k_points;
  for (const auto& [Z, species] : s.choices.own_species) f["species"].push_back(species.text);
  f["basis"] = s.choices.gaussian_file.filename().string();
  f["directions"] = s.directions;
  return f.dump();
}

}  // namespace suite::all_electron
