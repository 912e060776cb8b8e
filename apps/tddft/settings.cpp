// SPDX-License-Identifier: BSD-3-Clause
// Input keys of the tddft app and their conversion to settings.
#include "settings.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/bound_keys.hpp"
#include "base/listed_atoms.hpp"
#include "base/structure/structure.hpp"
#include "common/near.hpp"
#include "grid_xc.hpp"
#include "gth.hpp"
#include "stability.hpp"

namespace suite::tddft {

using app::Kind;

namespace {

// Choices of system.functional.
const char* functionals() {
  static const std::string names = [] {
    std::string all;
    for (const auto& [name, xc] : app::named_functionals()) all += std::string(name) + " ";
    return all + "none";
  }();
  return names.c_str();
}

const app::BoundKeys<Settings>& bound_keys() {
  using S = Settings;
  using G = GroundStateSettings;
  using P = PropagationSettings;
  using Sp = SpectrumSettings;
  using I = IonSettings;
  constexpr auto ground_state = &S::ground_state;
  constexpr auto propagation = &S::propagation;
  constexpr auto spectrum = &S::spectrum;
  constexpr auto ions = &S::ions;
  static const app::BoundKeys<Settings> keys{
      {"system.boundary",
       app::choice<Boundary>({{"isolated", Boundary::isolated}, {"periodic", Boundary::periodic}}, &S::system, &System::boundary),
       "isolated", nullptr, "isolated molecule, whose density must vanish at the faces of the cell, or periodic crystal"},
      {"system.unit", Kind::choice, "", "bohr angstrom", "unit of a cell and positions that have none"},
      {"system.cell", Kind::lengths, "", ">0", "edge lengths of the orthorhombic cell, such as [12, 12, 16 bohr]", nullptr, "system.unit"},
      {"system.spacing", Kind::length, "", ">0", "maximum grid spacing; the numbers of points are even with prime factors 2, 3 and 5"},
      {"system.grid", Kind::integers, "", "1..4096", "number of grid points along x, y, z instead of a spacing: even, or 1"},
      {"system.kinetic",
       app::choice<Kinetic>({{"differences", Kinetic::differences}, {"fourier", Kinetic::fourier}}, &S::system, &System::kinetic),
       "fourier", nullptr,
       "kinetic energy of plane waves (fourier), as accurate as the grid holds the potentials, or of second-order differences, which need "
       "half the spacing for the same accuracy and a third to a half of the time of a step; default: fourier, and with 'benchmark' "
       "differences"},
      {"system.structure", Kind::file, "", nullptr,
       "file with the atoms, instead of elements and positions: CIF, POSCAR, XYZ or an input of pw.x. Crystals also take the cell from it; "
       "molecules are moved to the centre of the cell"},
      {"system.elements", Kind::names, "[]", nullptr,
       "element of each atom, such as [Na, Na]; H He C N O Na Si without a file of 'pseudopotentials'"},
      {"system.positions", Kind::positions, "[]", nullptr, "position of each atom, relative to the centre of the cell", nullptr,
       "system.unit"},
      {"system.pseudopotentials", Kind::settings, "", nullptr,
       "files of elements that are not to have the built-in pseudopotential (Goedecker, Teter and Hutter, LDA), such as {Al: "
       "Al.pz-vbc.UPF}: "
       "UPF, norm-conserving, or GTH in CP2K's format; of several entries for an element FILE:NAME takes one"},
      {"system.filter", app::boolean(&S::filter), "true", nullptr,
       "leaves out of Goedecker, Teter and Hutter's pseudopotentials the waves that the grid does not hold, which allows coarser grids; "
       "those of UPF files are always filtered"},
      {"system.charge", Kind::real, "0", nullptr, "total charge of the system, in elementary charges"},
      {"system.electrons", Kind::real, "", ">0", "number of electrons of a system without atoms or sphere"},
      {"system.occupations", Kind::reals, "[]", "0..2",
       "occupation numbers of the orbitals of each k point, lowest energy first; default: filled with 2, or with 1 where each spin has its "
       "own orbitals ('spin'): then these are of spin up"},
      {"system.occupations_down", app::reals(&S::system, &System::occupations_down), "[]", "0..1",
       "with 'spin': occupation numbers of the orbitals of spin down, such as [1, 1, 1, 1, 1, 0.5, 0.5]; default: filled with 1"},
      {"system.spin", app::small_integer(&S::system, &System::unpaired), "0", "0..1000",
       "number of unpaired electrons: each spin has its own orbitals, such as 2 for O2 and 1 for the sodium atom; 0: both spins share "
       "them"},
      {"system.kpoints", Kind::integers, "[1, 1, 1]", "1..64", "periodic systems: Monkhorst-Pack divisions"},
      {"system.functional", app::text_choice(ground_state, &G::functional), "pw92", functionals(),
       "exchange-correlation functional: of the density (pw92, pz81, vwn5), or of the density and its gradient (the others, which need "
       "libxc); none: independent electrons, without a Hartree field"},
      {"system.jellium.charge", Kind::real, "", ">0", "charge of a sphere of uniform positive background"},
      {"system.jellium.rs", Kind::length, "", ">0", "radius of the sphere that contains one elementary charge of the background"},
      {"system.well.omega", Kind::energies, "", "0..", "frequencies (hbar omega) of a harmonic well along x, y, z", "Ha"},

      {"ground_state.density_tolerance", app::aside(app::real(ground_state, &G::density_tolerance)), "1e-8", ">0",
       "converged when the density changes by less than this per electron"},
      {"ground_state.residual_tolerance", app::aside(app::energy(hartree_eV, ground_state, &G::residual_tolerance)), "1e-6 Ha", ">0",
       "converged when |H psi - eps psi| of every occupied orbital is below this"},
      {"ground_state.max_iterations", app::aside(app::small_integer(ground_state, &G::max_iterations)), "200", "1..100000",
       "maximum number of iterations of the density"},
      {"ground_state.extra_orbitals", app::aside(app::small_integer(ground_state, &G::extra_orbitals)), "", "0..10000",
       "number of unoccupied orbitals in the iteration; default: depends on the number of orbitals"},
      {"ground_state.mixing", app::aside(app::real(ground_state, &G::mixing)), "0.5", "0.001..1",
       "fraction of the new density in the first step of Pulay mixing"},
      {"ground_state.history", app::aside(app::small_integer(ground_state, &G::history)), "8", "1..100",
       "number of densities kept for Pulay mixing"},

      {"propagation.time_step", Kind::time, "", ">0",
       "time step; default: about 0.3 h^2 hbar/Ha with the grid spacing h in bohr, up to which it is accurate, and with a functional of "
       "the gradient 0.095 h^2 and at most 2 as"},
      {"propagation.duration", Kind::time, "", "0..", "length of the propagation, rounded up to whole steps"},
      {"propagation.settling", Kind::time, "0.5 fs", "0..",
       "time before t = 0, without a field, during which the time step rises from 0 and the ground state adapts to the splitting; 0: none"},
      {"propagation.gauge", Kind::choice, "auto", "auto length velocity",
       "auto: length (E.r) for isolated systems, velocity (A) for periodic ones"},
      {"propagation.field", Kind::choice, "auto", "auto frozen loop fused closed spectral isolated continuum",
       "Hartree field: solved in every step (spectral: periodic, of the Laplacian of second-order differences; continuum: of the exact "
       "one; "
       "isolated: without images), propagated by field_steps of its wave equation "
       "(loop, fused, closed), or kept as in the ground state (frozen); auto: depends on the boundary and on system.kinetic"},
      {"propagation.field_steps", app::small_integer(propagation, &P::field_steps), "100", "1..1000000",
       "steps of the wave equation per time step"},
      {"propagation.kappa", app::quantity(Kind::area, "bohr^2", propagation, &P::kappa), "", ">0",
       "(c dtau)^2 of the wave equation; default: 0.9 of the stability limit", "bohr^2"},
      {"propagation.gamma", app::real(propagation, &P::gamma), "0.1", "0..1.999", "damping of the wave equation per field step"},
      {"propagation.mass_correction", app::boolean(propagation, &P::mass_correction), "true", nullptr,
       "theta = arctan(dt/(2h^2)), which gives slow electrons their exact mass at any time step"},
      {"propagation.precision", app::choice<bool>({{"double", false}, {"single", true}}, propagation, &P::single), "double", nullptr,
       "precision of orbitals and fields"},
      {"propagation.interval", app::integer(propagation, &P::interval), "20", "1..1000000",
       "steps between outputs of energy and norm; a run can be stopped and restarted there"},
      {"propagation.absorber.kind",
       app::choice<Absorber::Kind>(
           {{"none", Absorber::Kind::none}, {"potential", Absorber::Kind::potential}, {"mask", Absorber::Kind::mask}}, propagation,
           &P::absorber, &Absorber::kind),
       "none", nullptr,
       "isolated: what takes away the electrons that leave, in a layer at every face of the cell: a complex potential -iW with W = height "
       "sin^2(pi s/(2 width)) at the depth s, or a mask cos^(1/8)(pi s/(2 width)) by which every step multiplies the orbitals"},
      {"propagation.absorber.width", app::length(1, propagation, &P::absorber, &Absorber::width), "10 bohr", ">0",
       "thickness of the absorbing layers"},
      {"propagation.absorber.height", app::energy(hartree_eV, propagation, &P::absorber, &Absorber::height), "0.5 Ha", ">0",
       "W of the absorbing potential at the faces of the cell"},

      {"excitation.type",
       app::choice<Excitation>({{"kick", Excitation::kick}, {"laser", Excitation::laser}, {"none", Excitation::none}}, &S::excitation),
       "kick", nullptr, "perturbation that excites the electrons"},
      {"excitation.direction", Kind::reals, "[0, 0, 1]", nullptr, "direction of the field, of any length"},
      {"excitation.all_directions", app::boolean(&S::all_directions), "false", nullptr,
       "kick: three runs, along x, y and z; the spectrum is their average"},
      {"excitation.strength", Kind::wave_number, "0.01 bohr^-1", ">0", "kick: momentum given to every electron, over hbar", "bohr^-1"},
      {"excitation.spins", app::choice<bool>({{"both", false}, {"opposite", true}}, &S::opposite), "both", nullptr,
       "kick: both spins alike, or spin down in the opposite direction: the spectrum is then that of the magnetisation, of triplets for a "
       "closed shell"},
      {"excitation.intensity", Kind::intensity, "", ">0", "laser: peak intensity", "W/cm^2"},
      {"excitation.amplitude", Kind::electric_field, "", ">0",
       "laser: peak field, instead of the intensity; of an ellipse that of linear light as intense", "Ha/bohr"},
      {"excitation.photon_energy", Kind::energy, "", ">0", "laser: photon energy"},
      {"excitation.pulse", Kind::time, "", ">0", "laser: duration of the pulse from zero to zero (cos^2 shape)"},
      {"excitation.phase", Kind::angle, "0 deg", nullptr, "laser: carrier phase at the maximum of the pulse", "deg"},
      {"excitation.ellipticity", Kind::real, "0", "-1..1",
       "laser: field along 'minor_direction' over that along 'direction', a quarter of a period later; 1 and -1: circular polarisation"},
      {"excitation.minor_direction", Kind::reals, "", nullptr,
       "laser: the other axis of an elliptical polarisation, perpendicular to 'direction'"},
      {"excitation.second.delay", Kind::time, "0 fs", nullptr,
       "a second pulse of the laser: time of its maximum after that of the first; it has all keys of the first, with the same directions "
       "by default"},
      {"excitation.second.intensity", Kind::intensity, "", ">0", "second pulse: peak intensity", "W/cm^2"},
      {"excitation.second.amplitude", Kind::electric_field, "", ">0",
       "second pulse: peak field, instead of the intensity; of an ellipse that of linear light as intense", "Ha/bohr"},
      {"excitation.second.photon_energy", Kind::energy, "", ">0", "second pulse: photon energy"},
      {"excitation.second.pulse", Kind::time, "", ">0", "second pulse: duration from zero to zero"},
      {"excitation.second.phase", Kind::angle, "0 deg", nullptr, "second pulse: carrier phase at its maximum", "deg"},
      {"excitation.second.direction", Kind::reals, "", nullptr, "second pulse: direction of its field"},
      {"excitation.second.ellipticity", Kind::real, "0", "-1..1", "second pulse: ellipticity"},
      {"excitation.second.minor_direction", Kind::reals, "", nullptr, "second pulse: the other axis of its polarisation"},

      {"ions.dynamics",
       app::choice<Dynamics>({{"none", Dynamics::none}, {"ground_state", Dynamics::ground_state}, {"ehrenfest", Dynamics::ehrenfest}}, ions,
                             &I::dynamics),
       "none", nullptr,
       "what moves the ions: nothing; the ground state of the electrons at every step (Born-Oppenheimer); the electrons as they move "
       "(Ehrenfest)"},
      {"ions.time_step", Kind::time, "", ">0",
       "time step of the ions; default: 0.5 fs on the ground state, about 0.02 fs with Ehrenfest, a whole number of steps of the "
       "electrons"},
      {"ions.duration", Kind::time, "", "0..", "ground_state: length of the trajectory, rounded up to whole steps"},
      {"ions.temperature", app::real(ions, &I::temperature), "0", "0..1000000",
       "temperature in kelvin of velocities drawn at random for the start, without motion of the centre of mass"},
      {"ions.seed", Kind::integer, "1", "0..1000000000", "seed of these velocities"},
      {"ions.velocities", Kind::points, "[]", nullptr, "velocity of each atom at the start in angstrom/fs, instead of a temperature"},
      {"ions.masses", app::reals(ions, &I::masses), "[]", ">0",
       "mass of each atom in atomic mass units; default: atomic weights of the elements"},
      {"ions.force_tolerance", app::quantity(Kind::electric_field, "Ha/bohr", ions, &I::force_tolerance), "1e-6 Ha/bohr", ">0",
       "ground_state: each step is converged when no force changes by more than this in an iteration"},

      {"spectrum.window", app::aside(app::choice<bool>({{"polynomial", true}, {"none", false}}, spectrum, &Sp::window)), "polynomial",
       nullptr, "window applied to the signal before its transform: 1 - 3 (t/T)^2 + 2 (t/T)^3"},
      {"spectrum.broadening", app::aside(app::energy(hartree_eV, spectrum, &Sp::broadening)), "0 eV", "0..",
       "additional Lorentzian broadening (half width)"},
      {"spectrum.persistent_current",
       app::aside(app::choice<PersistentCurrent>(
           {{"auto", PersistentCurrent::automatic}, {"keep", PersistentCurrent::keep}, {"remove", PersistentCurrent::remove}}, spectrum,
           &Sp::persistent)),
       "auto", nullptr,
       "crystals: the current that stays after a kick, which too few k points leave in an insulator too; auto: removed where the ground "
       "state has a gap and no level is partly filled"},
      {"spectrum.max_energy", app::aside(app::energy(hartree_eV, spectrum, &Sp::max_energy)), "20 eV", ">0",
       "highest energy of the spectrum"},
      {"spectrum.step", app::aside(app::energy(hartree_eV, spectrum, &Sp::step)), "0.01 eV", ">0", "energy step of the spectrum"},
      {"spectrum.threshold", app::aside(app::real(spectrum, &Sp::threshold)), "0.03", "0..1",
       "peaks below this fraction of the highest one are not listed"},

      {"output.density",
       app::aside(app::choice<DensityFile>({{"none", DensityFile::none}, {"cube", DensityFile::cube}, {"xsf", DensityFile::xsf}},
                                           &S::density_file)),
       "none", nullptr,
       "writes the density at rest and at the end on the grid, as Gaussian cube files (density.cube) or, for crystals, XSF files"},

      {"checkpoint.interval", app::aside(app::integer(&S::checkpoint_interval)), "0", "0..1000000000",
       "steps between checkpoints; 0: only at the end and on interruption"},
      {"restart.file", app::file(&S::restart), "", nullptr, "checkpoint.h5 of an earlier run of the same input to restart from"},

      {"benchmark.orbitals", Kind::integer, "", "1..100000", "number of generated orbitals: runs the LFD benchmark instead of a system"},
      {"benchmark.grid", Kind::integers, "[32, 32, 32]", "2..1024", "number of grid points of the benchmark along x, y, z"},
      {"benchmark.spacing", Kind::length, "0.4 bohr", ">0", "grid spacing of the benchmark"},
      {"benchmark.steps", Kind::integer, "1000", "1..100000000", "time steps of the benchmark"},
      {"benchmark.field_steps", Kind::integer, "1100", "1..1000000", "field steps per time step of the benchmark"},
      {"benchmark.energy_interval", Kind::integer, "100", "1..100000000", "time steps between energies of the benchmark"},
  };
  return keys;
}

// Lengths of the cell in bohr; structure: nullptr without a file. Reports an error and returns nullopt if they are unknown.
std::optional<Vec3> cell_lengths(const app::Input& input, const app::Structure* structure, Boundary boundary) {
  const bool in_file = structure && structure->cell, crystal = boundary == Boundary::periodic;
  if (input.has("system.cell")) {
    if (in_file && crystal) input.fail("system.cell", "'structure' already specifies the cell of the crystal; remove one of them");
    return input.three_quantities("system.cell", "bohr");
  }
  if (!in_file) {
    input.fail_missing("system.cell", "the lengths of the cell");
    return std::nullopt;
  }
  auto edges = app::orthorhombic_edges(*structure);
  if (!edges) {
    input.fail("system.structure", crystal ? "the cell in this file is not orthorhombic with its edges along x, y and z; a conventional "
                                             "cell may be"
                                           : "the cell in this file is not orthorhombic; give the size of the box in 'cell'");
    return std::nullopt;
  }
  for (double& edge : *edges) edge /= bohr_angstrom;
  return edges;
}

bool read_grid(const app::Input& input, const app::Structure* structure, System& system) {
  const auto cell = cell_lengths(input, structure, system.boundary);
  if (!cell) return false;
  const Vec3 lengths = *cell;
  if (input.has("system.grid") == input.has("system.spacing")) {
    if (input.has("system.grid")) input.fail("system.grid", "'grid' and 'spacing' exclude each other; give one of them");
    else input.fail_missing("system.spacing", "the grid spacing (or give 'grid', the numbers of points)");
    return false;
  }
  if (input.has("system.grid")) {
    const auto points = input.three_integers("system.grid");
    if (!points) return false;
    for (int d = 0; d < 3; ++d) {
      const int n = (*points)[d];
      if (n % 2 != 0 && n != 1) {
        input.fail("system.grid",
                   fmt::format("'grid' has {} points along {}; the number must be even (or 1), because points are propagated in pairs", n,
                               "xyz"[d]));
        return false;
      }
      system.grid.points[d] = n;
      system.grid.h[d] = lengths[d] / n;
    }
    return true;
  }
  const double h = input.length_bohr("system.spacing");
  for (int d = 0; d < 3; ++d)
    if (!(lengths[d] >= 2 * h) || !(lengths[d] / h <= 4096)) {
      input.fail("system.spacing", fmt::format("'spacing' is {:.4g} bohr in a cell of {:.4g} bohr along {}; 2 to 4096 points are possible",
                                               h, lengths[d], "xyz"[d]));
      return false;
    }
  system.grid = make_grid(lengths, h);
  return true;
}

// The atoms of a file; those of a molecule lie around the centre of the cell.
std::vector<app::ListedAtom> atoms_of(const app::Structure& structure, Boundary boundary) {
  Vec3 low = structure.atoms.front().position, high = low;
  for (const auto& atom : structure.atoms)
    for (size_t d = 0; d < 3; ++d) low[d] = std::min(low[d], atom.position[d]), high[d] = std::max(high[d], atom.position[d]);
  std::vector<app::ListedAtom> atoms;
  for (const auto& [element, position] : structure.atoms) {
    atoms.push_back({element, position});
    for (size_t d = 0; d < 3; ++d) {
      if (boundary == Boundary::isolated) atoms.back().position[d] -= 0.5 * (low[d] + high[d]);
      atoms.back().position[d] /= bohr_angstrom;
    }
  }
  return atoms;
}

// Returns false if some elements are unknown.
bool read_atoms(const app::Input& input, const app::Structure* structure, System& system) {
  if (structure) input.refuse({"system.elements", "system.positions"}, "'structure' already specifies this; remove one of them");
  const auto atoms = structure ? std::optional(atoms_of(*structure, system.boundary)) : app::listed_atoms(input, "system");
  if (!atoms) return false;
  const char* path = structure ? "system.structure" : "system.elements";
  std::vector<std::string> known;
  std::string list;
  for (const auto& name : built_in_elements()) {
    known.emplace_back(name);
    list += (list.empty() ? "" : ", ") + known.back();
  }
  for (const auto& [element, file] : input.settings("system.pseudopotentials")) known.push_back(element);
  for (const auto& [element, position] : *atoms) {
    if (std::find(known.begin(), known.end(), element) == known.end()) {
      input.fail(path, "no pseudopotential for " + app::in_quotes(element) + " (built in: " + list +
                           "; 'pseudopotentials' takes files of others)" + app::did_you_mean(element, known));
      return false;
    }
    system.atoms.push_back({element, position});
  }
  return true;
}

void read_electrons(const app::Input& input, System& system) {
  if (input.has("system.jellium.charge") != input.has("system.jellium.rs"))
    input.fail_missing(input.has("system.jellium.rs") ? "system.jellium.charge" : "system.jellium.rs",
                       "a sphere needs both a charge and rs");
  else if (input.has("system.jellium.rs"))
    system.sphere = JelliumSphere{input.real("system.jellium.charge"), input.length_bohr("system.jellium.rs")};
  if (input.has("system.well.omega")) {
    const auto omega = input.three_quantities("system.well.omega", "Ha");
    if (omega) system.well = HarmonicWell{*omega, {}};
  }
  const bool neutral = !system.atoms.empty() || system.sphere;
  if (input.has("system.electrons")) {
    system.electrons = input.real("system.electrons");
    if (neutral) input.fail("system.electrons", "'electrons' applies to systems without ions; here 'charge' sets their number");
  } else if (neutral) {
    system.electrons = ion_charge(system) - input.real("system.charge");
    if (!(system.electrons > 0))
      input.fail("system.charge", fmt::format("a 'charge' of {:g} leaves {:g} electrons of {:g}", input.real("system.charge"),
                                              system.electrons, ion_charge(system)));
  } else {
    input.fail_missing("system.electrons",
                       "number of electrons; there are no atoms ('structure', or 'elements' and 'positions') and no sphere that set it");
  }
  system.occupations = input.reals("system.occupations");
}

void read_kpoints(const app::Input& input, System& system) {
  const auto divisions = input.three_integers("system.kpoints");
  if (!divisions || divisions == std::array{1, 1, 1}) return;
  if (system.boundary == Boundary::isolated) input.fail("system.kpoints", "'kpoints' applies to crystals; this system is isolated");
  else system.k_points = monkhorst_pack(system.grid, *divisions);
}

void read_system(const app::Input& input, Settings& s) {
  System& system = s.system;
  bool grid = false, atoms = false, potentials = false;
  std::optional<app::Structure> file;
  if (input.has("system.structure")) file = app::read_structure(input.file("system.structure"));
  const app::Structure* structure = file ? &*file : nullptr;
  input.group([&] { grid = read_grid(input, structure, system); });
  input.group([&] { atoms = read_atoms(input, structure, system); });
  if (grid && atoms)
    input.group([&] {
      input.needs({"system.functional", "system.filter"});
      check_functional(input, s);
      const auto files = read_pseudopotentials(input, s.ground_state.functional, system);
      potentials = files.has_value();
      if (files) s.pseudopotentials = *files;
      take_built_in(input, s.ground_state.functional, system);
      if (files && s.filter) filter_all(system);
    });
  if (atoms && (potentials || !input.has("system.pseudopotentials")))
    input.group([&] {
      input.needs({"system.spin", "system.occupations_down"});
      read_electrons(input, system);
      check_spins(input, s);
    });
  if (grid) input.group([&] { read_kpoints(input, system); });
}

void read_field(const app::Input& input, Settings& s) {
  PropagationSettings& p = s.propagation;
  p.field = input.text("propagation.field");
  const bool isolated = s.system.boundary == Boundary::isolated;
  const bool independent = s.ground_state.functional == "none";
  const bool plane_waves = s.system.kinetic == Kinetic::fourier;
  if (p.field == "auto") p.field = independent ? "frozen" : isolated ? "isolated" : plane_waves ? "continuum" : "spectral";
  else if (independent && p.field != "frozen")
    input.fail("propagation.field", "'field: " + p.field + "' moves the Hartree field, and with 'functional: none' there is none");
  else if (isolated && p.field != "isolated" && p.field != "frozen")
    input.fail("propagation.field", "'field: " + p.field + "' is periodic, and this system is isolated; use isolated or frozen");
  else if (!isolated && p.field == "isolated")
    input.fail("propagation.field",
               "'field: isolated' has no images, and this system is periodic; use spectral, continuum, closed, fused, "
               "loop or frozen");
  // At rest under what propagates it.
  const bool exact = p.field == "continuum" || (p.field == "frozen" && plane_waves);
  s.ground_state.laplacian = isolated ? "isolated" : exact ? "continuum" : "differences";
}

void read_propagation(const app::Input& input, Settings& s) {
  PropagationSettings& p = s.propagation;
  const std::string gauge = input.text("propagation.gauge");
  const bool periodic = s.system.boundary == Boundary::periodic;
  p.velocity_gauge = gauge == "velocity" || (gauge == "auto" && periodic);
  if (gauge == "length" && periodic) input.fail("propagation.gauge", "E.r is not periodic; a crystal needs 'gauge: velocity'");
  read_field(input, s);
  p.dt = input.has("propagation.time_step") ? input.time_fs("propagation.time_step") / atomic_time_fs : default_time_step(s);
  if (!input.has("propagation.duration")) return input.fail_missing("propagation.duration", "length of the propagation");
  const auto whole_steps = [&](const char* path, double times) {
    const double steps = std::ceil(times * input.time_fs(path) / atomic_time_fs / p.dt - 1e-6);
    if (steps <= 1e9) return static_cast<int64_t>(std::max(0.0, steps));
    input.fail(path, fmt::format("'{}' is {:.3g} time steps; at most 1e9 are possible",
                                 std::string(path).substr(std::string("propagation.").size()), steps));
    return int64_t{0};
  };
  p.steps = whole_steps("propagation.duration", 1);
  p.settling_steps = whole_steps("propagation.settling", 2);  // on average half as long as the others
}

void read_direction(const app::Input& input, Settings& s) {
  const auto direction = direction_under(input, "excitation.direction", s.system.grid);
  if (!direction) return;
  s.direction = *direction;
  input.needs({"excitation.all_directions"});
  if (s.all_directions && input.has("excitation.direction"))
    input.fail("excitation.all_directions", "'all_directions' kicks along x, y and z; remove 'direction'");
  if (s.all_directions && s.excitation != Excitation::kick)
    input.fail("excitation.all_directions", "'all_directions' applies to 'type: kick'");
}

void read_excitation(const app::Input& input, Settings& s) {
  input.needs({"excitation.type", "excitation.spins"});
  read_direction(input, s);
  if (s.excitation == Excitation::laser) {
    check_opposite_spins(input, s);
    return read_pulses(input, s);
  }
  refuse_pulses(input);
  check_opposite_spins(input, s);
  if (s.excitation == Excitation::kick) s.kick = input.quantity("excitation.strength", "bohr^-1");
}

void check_spectrum(const app::Input& input, const SpectrumSettings& s) {
  if (!(s.max_energy / s.step <= 1e6))
    input.fail("spectrum.step", fmt::format("'step' makes a spectrum of {:.3g} points; at most 1e6 are possible", s.max_energy / s.step));
}

void read_benchmark(const app::Input& input, Settings& s) {
  Benchmark b;
  if (!input.has("benchmark.orbitals")) return input.fail_missing("benchmark.orbitals", "the number of generated orbitals");
  b.orbitals = input.integer("benchmark.orbitals");
  const auto points = input.three_integers("benchmark.grid");
  if (!points) return;
  for (int d = 0; d < 3; ++d) {
    const int n = (*points)[d];
    if (n % 2 != 0) return input.fail("benchmark.grid", fmt::format("'grid' has {} points along {}; it needs an even number", n, "xyz"[d]));
    b.grid.points[d] = n;
    b.grid.h[d] = input.length_bohr("benchmark.spacing");
  }
  b.field = input.text("propagation.field");
  if (b.field == "auto") b.field = "loop";
  b.energy_interval = input.integer("benchmark.energy_interval");
  s.system.boundary = Boundary::periodic;
  s.system.grid = b.grid;
  s.system.kinetic = Kinetic::differences;  // as the source has it
  input.needs({"propagation.kappa", "propagation.gamma"});
  PropagationSettings& p = s.propagation;
  p.field = b.field;
  p.field_steps = input.small_integer("benchmark.field_steps");
  p.steps = input.integer("benchmark.steps");
  p.dt = input.has("propagation.time_step") ? input.time_fs("propagation.time_step") / atomic_time_fs : 0.25 * b.grid.h[0] * b.grid.h[0];
  s.benchmark = b;
  if (const std::string functional = input.text("system.functional"); !kernels_have(functional, 1, false))
    input.fail("system.functional", "'" + functional + "' is not in lfd.propagate, which the benchmark measures; use pw92, pz81 or none");
  input.refuse_section("propagation.absorber", "a benchmark generates its own orbitals, which stay; this does not apply");
  input.refuse_section("system", "a benchmark generates its own orbitals; this does not apply", "system.functional");
}

bool is_benchmark(const app::Input& input) {
  return std::any_of(input_keys().begin(), input_keys().end(),
                     [&](const app::Key& key) { return std::string(key.path).rfind("benchmark.", 0) == 0 && input.has(key.path); });
}

}  // namespace

const std::vector<app::Key>& input_keys() { return bound_keys().keys(); }

Settings read_settings(const app::Input& input) {
  Settings s;
  if (is_benchmark(input)) {
    bound_keys().read(input, s, "system.functional");
    bound_keys().read(input, s, "propagation");
    read_benchmark(input, s);
    if (s.benchmark) refuse_unstable(s, input);
    return s;
  }
  bound_keys().read(input, s);
  s.system.polarised = s.opposite;
  s.ground_state.implementation = input.text("kernel.implementation");
  input.group([&] {
    input.needs({"system.boundary"});
    read_system(input, s);
  });
  input.group([&] {
    input.needs({"spectrum.max_energy", "spectrum.step"});
    check_spectrum(input, s.spectrum);
  });
  if (s.system.grid.size() == 0) return s;  // everything below is in units of the grid
  if (s.ions.dynamics == Dynamics::ground_state) {
    read_ions(input, s);
    return s;
  }
  input.group([&] {
    input.needs({"system.boundary", "system.functional", "ions.dynamics"});
    read_propagation(input, s);
  });
  input.group([&] {
    input.needs({"system.boundary", "propagation.absorber.kind", "propagation.absorber.width", "propagation.absorber.height"});
    check_absorber(input, s);
  });
  input.group([&] { read_excitation(input, s); });
  read_ions(input, s);
  input.group([&] {
    input.needs({"system.boundary"});
    if (s.density_file == DensityFile::xsf && s.system.boundary == Boundary::isolated)
      input.fail("output.density", "'xsf' is a format for crystals; a molecule has 'cube'");
  });
  input.group([&] {
    input.needs({"propagation.time_step", "propagation.kappa", "propagation.gamma", "propagation.field"});
    refuse_unstable(s, input);
  });
  return s;
}

std::optional<Vec3> direction_under(const app::Input& input, const std::string& key, const Grid& grid) {
  auto direction = input.three_reals(key);
  if (!direction) return std::nullopt;
  const std::string name = app::in_quotes(key.substr(key.rfind('.') + 1));
  const double length = std::hypot((*direction)[0], (*direction)[1], (*direction)[2]);
  if (!(length > 0)) {
    input.fail(key, name + " must not be zero");
    return std::nullopt;
  }
  for (size_t d = 0; d < 3; ++d) {
    (*direction)[d] /= length;
    if ((*direction)[d] == 0 || grid.points[d] > 1) continue;
    input.fail(key, fmt::format("{} points along {}, where the grid has one point", name, "xyz"[d]));
    return std::nullopt;
  }
  return direction;
}

std::string functional_of_kernels(const Settings& s) {
  return kernels_have(s.ground_state.functional, s.system) ? s.ground_state.functional : "none";
}

std::string fingerprint(const Settings& s) {
  nlohmann::ordered_json j = bound_keys().values(s);
  const System& system = s.system;
  j["points"] = system.grid.points;
  j["spacing"] = system.grid.h;
  for (const auto& atom : system.atoms) j["atoms"].push_back({{"element", atom.element}, {"position", atom.position}});
  for (const auto& file : s.pseudopotentials) j["pseudopotentials"].push_back({file.element, file.sha256, file.entry});
  if (system.well) j["well"] = {{"omega", system.well->omega}, {"centre", system.well->centre}};
  if (system.sphere) j["jellium"] = {{"charge", system.sphere->charge}, {"rs", system.sphere->rs}};
  j["electrons"] = system.electrons;
  j["occupations"] = system.occupations;
  if (system.spins() == 2) j["occupations_down"] = system.occupations_down;
  for (const auto& k : system.k_points) j["k_points"].push_back({{"k", k.k}, {"weight", k.weight}});
  const PropagationSettings& p = s.propagation;
  j["time_step"] = p.dt;
  j["settling_steps"] = p.settling_steps;
  j["gauge"] = p.velocity_gauge ? "velocity" : "length";
  j["field"] = p.field;
  if (s.moving()) j["ions"] = {{"time_step", s.ions.dt}, {"velocities", s.ions.velocities}, {"seed", s.ions.seed}};
  j["direction"] = s.direction;
  j["strength"] = s.kick;
  const Laser first = s.pulses.empty() ? Laser{} : s.pulses.front();
  j["laser"] = {{"amplitude", first.amplitude}, {"photon_energy", first.photon_energy}, {"pulse", first.duration}, {"phase", first.phase}};
  for (size_t i = 1; i < s.pulses.size(); ++i) {
    const Laser& l = s.pulses[i];
    j["pulses"].push_back({l.amplitude, l.photon_energy, l.duration, l.phase, l.maximum, l.direction});
  }
  return j.dump();
}

}  // namespace suite::tddft
