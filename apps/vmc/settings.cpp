// SPDX-License-Identifier: BSD-3-Clause
// Input keys of the vmc app and their conversion to settings.
#include "settings.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/bound_keys.hpp"
#include "base/units.hpp"
#include "casino_correlation.hpp"
#include "crystal/crystal_settings.hpp"
#include "factor_rows.hpp"
#include "mistakes.hpp"
#include "molecule/molecule_settings.hpp"
#include "common/quantities.hpp"

namespace suite::vmc {

using app::Kind;
namespace {

const app::BoundKeys<Settings>& bound_keys() {
  using S = Settings;
  constexpr auto jastrow = &S::jastrow;
  constexpr auto vmc = &S::vmc;
  constexpr auto dmc = &S::dmc;
  constexpr auto optimise = &S::optimise;
  static const app::BoundKeys<Settings> keys{
      {"method", Kind::choice, "vmc", "vmc dmc optimise",
       "vmc: energy of the trial function; dmc: ground-state energy with its nodes; optimise: a better Jastrow factor"},
      {"seed", app::integer(&S::seed), "1", "0..9007199254740991",
       "seed of the random numbers: the same seed gives the same walk on any machine and number of processes"},

      {"system.rs", Kind::length, "", ">0", "density: radius of the sphere that contains one electron", "bohr"},
      {"system.lattice", Kind::choice, "sc", "sc fcc bcc", "lattice of the simulation cell"},
      {"system.cell", Kind::points, "[]", nullptr,
       "lattice vectors of any other simulation cell, instead of lattice; their length is arbitrary, because rs sets the volume"},
      {"system.electrons", Kind::integer, "", "1..20000", "number of electrons, closed shells of both spins"},
      {"system.polarisation", Kind::real, "0", "0..1", "spin polarisation, (up - down)/(up + down)"},
      {"system.spins", Kind::integers, "", "0..20000", "number of electrons with spin up and down, instead of electrons and polarisation"},
      {"system.casino_input", Kind::file, "", nullptr,
       "CASINO's input file of an electron gas or, with gwfn.data or stowfn.data and x_pp.data beside it, of a molecule: replaces this "
       "section and sets "
       "the method and its run lengths where their keys are not given"},
      {"system.trexio", Kind::file, "", nullptr,
       "TREXIO file (HDF5) of a molecule, instead of the electron gas: its nuclei, Gaussian or Slater functions, occupied orbitals and "
       "electrons"},
      {"system.eshdf", Kind::file, "", nullptr,
       "ES-HDF file of a crystal, as pw2qmcpack.x of Quantum ESPRESSO writes it for QMCPACK, instead of the electron gas: its cell, "
       "nuclei, "
       "plane waves of the occupied orbitals and electrons"},
      {"system.pseudopotentials", Kind::names, "", nullptr,
       "crystals: files of the elements that have one, each QMCPACK's XML or CASINO's x_pp.data, such as [C.BFD.xml]"},
      {"system.supercell", Kind::integers, "", "-1000..1000",
       "crystals: the file's cell repeated, such as [2, 2, 2], or nine numbers, the vectors of the supercell by those of the file; its k "
       "points must be in the file. Default: the file's cell"},
      {"system.twist", Kind::reals, "", "-1..1", "crystals: k point of the supercell in its reciprocal vectors; default: [0, 0, 0]"},
      {"system.twists", Kind::points, "[]", nullptr,
       "crystals: several twists in one run, whose energies are averaged, instead of twist: rows of three numbers, or of four with a "
       "weight"},
      {"system.complex_wf", Kind::boolean, "", nullptr,
       "crystals: complex orbitals and a fixed phase; default: where 'twist' has no real orbitals, other than multiples of 1/2"},
      {"system.mesh_factor", Kind::real, "1", "0.5..8",
       "crystals: points of the mesh of the splines in each direction, by those that the density of the plane waves needs"},
      {"system.quadrature", Kind::integer, "12", "6..50",
       "with pseudopotentials: number of points of the quadrature of their projectors, turned at random for each use: 6, 12, 18, "
       "26 or 50"},
      {"system.cusp_correction", Kind::boolean, "true", nullptr,
       "molecules: near nuclei without pseudopotential the orbitals get the cusp that Gaussian functions lack. Default with "
       "jastrow.chi_cusp: false"},

      {"jastrow.type", Kind::choice, "slater_jastrow", "slater_jastrow slater",
       "slater: no Jastrow factor, determinants only. Default with casino_input: its use_jastrow"},
      {"jastrow.file", Kind::file, "", nullptr,
       "CASINO's correlation.data with u and p terms or, of a molecule, u, chi and f, instead of the keys below; an optimisation changes "
       "the "
       "coefficients and cutoffs marked optimisable in it"},
      {"jastrow.form",
       app::aside(app::choice<Form>({{"polynomial", Form::polynomial}, {"bspline", Form::bspline}}, jastrow, &Jastrow::form)), "polynomial",
       nullptr, "form of u: CASINO's (r - L)^C sum alpha_l r^l, or cubic B-splines"},
      {"jastrow.truncation", Kind::integer, "3", "2..3", "C of the polynomial"},
      {"jastrow.cutoff", Kind::length, "", ">0",
       "cutoff length L of u; default: radius of the sphere inscribed in the Wigner-Seitz cell, for a molecule 5 bohr"},
      {"jastrow.u", Kind::points, "[]", nullptr,
       "for each set of spin pairs, alpha_0, alpha_2, alpha_3 ... (the cusp condition sets alpha_1), or the knots of the B-spline from 0"},
      {"jastrow.order", Kind::integer, "8", "2..16",
       "without u: largest power of the polynomial, or number of knots; the coefficients are those of the RPA. Without u and chi, of both"},
      {"jastrow.sets", Kind::integer, "", "1..3",
       "without u: 1 for all pairs alike, 2 for parallel and antiparallel spins, 3 for uu, ud, dd"},
      {"jastrow.p", Kind::points, "[]", nullptr,
       "electron gas and crystals: coefficients of the stars of G vectors, shortest first, one row for each set of spin pairs"},
      {"jastrow.stars", Kind::integer, "", "0..1000",
       "without p: number of stars in the p term; 0: none. Of the electron gas without u, with RPA coefficients; default: enough for 25 G "
       "vectors. Of a crystal with 0, the start of an optimisation; default: 0"},

      {"jastrow.chi", Kind::points, "[]", nullptr,
       "molecules and crystals: for each kind of atom, in the order of the file, beta_0, beta_2, beta_3 ... of chi; the slope at the "
       "nucleus sets "
       "beta_1"},
      {"jastrow.chi_cutoff", Kind::length, "", ">0",
       "molecules and crystals: cutoff length of chi; default: 4 bohr, in a crystal at most the radius of the inscribed sphere"},
      {"jastrow.chi_cusp", Kind::boolean, "false", nullptr,
       "molecules and crystals: chi has the cusp of the nuclei, which Gaussian orbitals and splines lack; false: it has no slope there. "
       "Default "
       "of crystals: true"},

      {"jastrow.f_order", Kind::integer, "", "2..6",
       "molecules and crystals: largest powers of f, the term of pairs of electrons near a nucleus; default: no f"},
      {"jastrow.f_cutoff", Kind::length, "", ">0",
       "molecules and crystals: cutoff length of f; default: 4 bohr, in a crystal at most half the radius of the inscribed sphere"},
      {"jastrow.f_sets", Kind::integer, "", "1..3",
       "molecules and crystals: sets of coefficients of f: 1 for all pairs alike, 2 for parallel and antiparallel spins, 3 for uu, ud, dd; "
       "default: 2, "
       "of "
       "one spin 1"},
      {"jastrow.f", Kind::points, "[]", nullptr,
       "molecules and crystals: for each kind of atom, in the order of the file, and each set the free coefficients of f, which has no "
       "cusps and does "
       "not "
       "repeat u and chi; default: 0, the start of an optimisation"},

      {"vmc.walkers", app::integer(vmc, &VmcSettings::walkers), "32", "1..1000000", "number of walkers of all processes together"},
      {"vmc.equilibration", app::integer(vmc, &VmcSettings::equilibration), "500", "0..100000000", "sweeps before the first energy"},
      {"vmc.steps", Kind::integer, "1000", "1..1000000000",
       "energies per walker; with dmc, of the trial function first, where the default is 100"},
      {"vmc.decorrelation", app::integer(vmc, &VmcSettings::decorrelation), "3", "1..100000", "sweeps between energies"},
      {"vmc.move", app::choice<Move>({{"metropolis", Move::metropolis}, {"langevin", Move::langevin}}, vmc, &VmcSettings::move),
       "metropolis", nullptr, "proposed move of one electron: Gaussian (metropolis), or drift and diffusion (langevin)"},
      {"vmc.time_step", app::time(app::atomic_time_fs, vmc, &VmcSettings::tau), "", ">0",
       "variance of the Gaussian of a move; default: tuned until half of the moves are accepted"},
      {"vmc.reinvert", app::integer(&S::reinvert_interval), "100", "1..1000000",
       "sweeps, in whole steps, between fresh inversions of the Slater matrices; a run can be stopped and restarted there"},

      {"dmc.time_steps", app::quantities(Kind::times, "hbar/Ha", dmc, &DmcSettings::time_steps), "[]", ">0",
       "time steps, largest first; several are extrapolated to 0", "hbar/Ha"},
      {"dmc.walkers", app::integer(dmc, &DmcSettings::target), "200", "1..1000000", "target population of all processes together"},
      {"dmc.equilibration", app::integer(dmc, &DmcSettings::equilibration), "200", "0..100000000", "equilibration steps at each time step"},
      {"dmc.steps", app::aside(app::integer(dmc, &DmcSettings::steps)), "1000", "1..1000000000", "statistics steps at each time step"},
      {"dmc.energy_limit", app::real(dmc, &DmcSettings::energy_limit), "0.2", "0..",
       "local energies are limited to this times sqrt(electrons/time step) Ha from the mean; 0: no limit"},
      {"dmc.drift_limit", app::real(dmc, &DmcSettings::alimit), "0.5", ">0", "parameter a of the drift limiter"},
      {"dmc.feedback", app::real(dmc, &DmcSettings::feedback), "10", ">0", "steps over which the population returns to its target"},
      {"dmc.t_moves", Kind::boolean, "true", nullptr,
       "with pseudopotentials: T-moves, which make the energy an upper bound for short time steps; false: locality "
       "approximation"},

      {"optimise.target", app::text_choice(optimise, &OptimiseSettings::target), "variance", "variance energy mad",
       "quantity to minimise; mad: mean absolute deviation of the local energy, which is less sensitive to rare outliers"},
      {"optimise.cycles", app::aside(app::small_integer(optimise, &OptimiseSettings::cycles)), "4", "1..1000",
       "number of cycles, each with configurations of the previous trial function"},
      {"optimise.configurations", app::integer(optimise, &OptimiseSettings::configurations), "2000", "10..10000000",
       "configurations per cycle of all processes together"},
      {"optimise.u", app::boolean(optimise, &OptimiseSettings::free, &Free::u), "true", nullptr, "optimise the coefficients of u"},
      {"optimise.p", app::boolean(optimise, &OptimiseSettings::free, &Free::p), "true", nullptr, "optimise the coefficients of p"},
      {"optimise.chi", app::boolean(optimise, &OptimiseSettings::free, &Free::chi), "true", nullptr, "optimise the coefficients of chi"},
      {"optimise.f", app::boolean(optimise, &OptimiseSettings::free, &Free::f), "true", nullptr, "optimise the coefficients of f"},
      {"optimise.cutoffs", app::boolean(optimise, &OptimiseSettings::free, &Free::cutoffs), "false", nullptr,
       "optimise the cutoff lengths, too, by at most a tenth in a cycle; default with a correlation.data: true, if any is marked "
       "optimisable "
       "in it"},

      {"output.pair_correlation", app::boolean(&S::pair_correlation), "true", nullptr, "pair correlation functions g(r) by spin"},
      {"output.structure_factor", app::boolean(&S::structure_factor), "true", nullptr, "structure factor S(k)"},
      {"output.density", app::boolean(&S::density), "false", nullptr, "density along the three lattice vectors"},
      {"output.interval", app::integer(&S::interval), "4", "1..1000000", "energies between samples of these quantities"},
      {"output.bins", app::small_integer(&S::bins), "100", "10..10000", "bins of g(r), up to the inscribed radius"},

      {"checkpoint.interval", app::aside(app::integer(&S::checkpoint_interval)), "0", "0..1000000000",
       "steps between checkpoints; 0: only at the end and on interruption"},
      {"restart.file", app::file(&S::restart), "", nullptr,
       "checkpoint.h5 of an earlier run of the same input to restart from; with several twists that of any twist, beside which the others "
       "are"},
  };
  return keys;
}

namespace fs = std::filesystem;

constexpr int default_vectors = 25;  // number of G of the p term; theory and practice use 10 to 100
constexpr int64_t fewest_configurations = 10;
constexpr int64_t steps_before_dmc = 100;  // per walker, as required for reblocking

// All keys of the Jastrow factor.
constexpr const char* factor_keys[] = {"jastrow.file",    "jastrow.form",     "jastrow.truncation", "jastrow.cutoff",
                                       "jastrow.u",       "jastrow.order",    "jastrow.sets",       "jastrow.p",
                                       "jastrow.stars",   "jastrow.chi",      "jastrow.chi_cutoff", "jastrow.chi_cusp",
                                       "jastrow.f_order", "jastrow.f_cutoff", "jastrow.f_sets",     "jastrow.f"};

Method method_of(const std::string& name) { return name == "dmc" ? Method::dmc : name == "optimise" ? Method::optimise : Method::vmc; }
const char* name_of(Method method) { return method == Method::dmc ? "dmc" : method == Method::optimise ? "optimise" : "vmc"; }
Method method_of_runtype(const std::string& runtype) {
  return runtype == "vmc_dmc" ? Method::dmc : runtype == "vmc_opt" ? Method::optimise : Method::vmc;
}
Lattice lattice_of(const std::string& name) { return name == "fcc" ? Lattice::fcc : name == "bcc" ? Lattice::bcc : Lattice::sc; }

// Numbers of electrons of both spins from system.spins, or from electrons and polarisation.
bool read_spins(const app::Input& input, std::array<int32_t, 2>& nele) {
  if (input.has("system.spins")) {
    input.refuse({"system.electrons", "system.polarisation"}, "'spins' sets the number of electrons; remove this key");
    const auto spins = input.integers("system.spins");
    if (spins.size() != 2 || spins[0] < 1) {
      input.fail("system.spins", "'spins' needs two numbers, up (at least 1) and down, such as [27, 27]");
      return false;
    }
    nele = {static_cast<int32_t>(spins[0]), static_cast<int32_t>(spins[1])};
    return true;
  }
  if (!input.has("system.electrons")) {
    input.fail_missing("system.electrons", "number of electrons (or 'spins', up and down)");
    return false;
  }
  const long all = input.integer("system.electrons");
  const double up = 0.5 * static_cast<double>(all) * (1 + input.real("system.polarisation"));
  if (std::abs(up - std::round(up)) > 1e-6 * static_cast<double>(all)) {
    input.fail(input.has("system.polarisation") ? "system.polarisation" : "system.electrons",
               fmt::format("{} electrons with a polarisation of {:g} give {:g} with spin up; use 'spins: [up, down]' with whole numbers",
                           all, input.real("system.polarisation"), up));
    return false;
  }
  nele[0] = static_cast<int32_t>(std::lround(up));
  nele[1] = static_cast<int32_t>(all) - nele[0];
  return true;
}

bool read_cell(const app::Input& input, Lattice& lattice, std::array<double, 9>& shape) {
  lattice = lattice_of(input.text("system.lattice"));
  if (!input.has("system.cell")) return true;
  if (input.has("system.lattice")) {
    input.fail("system.cell", "'cell' and 'lattice' exclude each other; give one of them");
    return false;
  }
  const auto rows = input.points("system.cell");
  if (rows.size() != 3) {
    input.fail("system.cell", "'cell' has " + app::counted(rows.size(), "vector") + "; it needs 3");
    return false;
  }
  if (!input.need_three("system.cell", rows.front().size())) return false;
  for (size_t i = 0; i < 9; ++i) shape[i] = rows[i / 3][i % 3];
  lattice = Lattice::given;
  return true;
}

// The key to blame for an open shell.
const char* count_key(const app::Input& input) {
  return input.has("system.spins") ? "system.spins" : input.has("system.electrons") ? "system.electrons" : "system.casino_input";
}

// The system is a molecule as far as is known: CASINO's file may be faulty.
bool of_molecule(const app::Input& input, const CasinoInput* casino) { return input.has("system.trexio") || (casino && casino->molecule); }
bool of_ions(const app::Input& input, const CasinoInput* casino) { return input.has("system.eshdf") || of_molecule(input, casino); }

bool read_system(const app::Input& input, CasinoControl& control, Settings& s) {
  const CasinoInput* const casino = control.file();
  if (input.has("system.eshdf")) return read_crystal(input, s);
  if (input.has("system.trexio")) return read_molecule(input, s);
  double rs = 0;
  Lattice lattice = Lattice::sc;
  std::array<double, 9> shape{};
  std::array<int32_t, 2> nele{};
  if (input.has("system.casino_input")) {
    input.refuse({"system.rs", "system.lattice", "system.cell", "system.electrons", "system.polarisation", "system.spins"},
                 "'casino_input' already specifies this; remove one of them");
    if (!casino) return false;
    if (casino->molecule) return read_casino_molecule(input, control, s);
    rs = casino->rs, shape = casino->shape, nele = casino->nele, lattice = Lattice::given;
  } else {
    if (!input.has("system.rs")) input.fail_missing("system.rs", "the density, such as 5 bohr");
    const bool cell = read_cell(input, lattice, shape), spins = read_spins(input, nele);
    if (!cell || !spins) return false;
    // Closed shells depend on the shape of the cell, not its size, so open ones are reported even without a density.
    rs = input.has("system.rs") ? input.length_bohr("system.rs") : 1;
  }
  return input.holds(lattice == Lattice::given && !input.has("system.casino_input") ? "system.cell" : count_key(input), [&] {
    s.system = make_system(rs, lattice, shape, nele[0], nele[1]);
  }) && (casino || input.has("system.rs"));
}

int sets_of(const app::Input& input, const System& system) {
  if (input.has("jastrow.sets")) return input.small_integer("jastrow.sets");
  return system.polarised() ? 1 : 2;
}

// The fewest stars that contain the default number of G.
int default_stars(const System& system) {
  const Stars found = stars(system.cell, default_vectors);
  return found.star[default_vectors - 1];
}

// File of the Jastrow factor: that of the input or, if CASINO's input uses a factor and ours does not mention it, correlation.data beside
// it, where CASINO expects it.
fs::path factor_file(const app::Input& input, CasinoControl& casino) {
  if (!casino.decides(&CasinoInput::use_jastrow, "use_jastrow", "jastrow.type")) return input.file("jastrow.file");
  for (const char* key : factor_keys)
    if (input.has(key)) return input.file("jastrow.file");
  return input.file("system.casino_input").parent_path() / "correlation.data";
}

void read_factor_file(const app::Input& input, const fs::path& file, const System* system, Settings& s) {
  if (!fs::exists(file))
    return input.fail("system.casino_input",
                      "use_jastrow is T, but there is no " + file.string() +
                          "; give another file in 'jastrow.file', or start from a first guess with 'jastrow.type: slater_jastrow'");
  if (!system) return check_correlation_data(file);
  const CorrelationData data = read_correlation_data(file, *system);
  s.jastrow = data.jastrow;
  s.optimise.free.each_u = data.free_alpha;
  s.optimise.free.each_p = data.free_a;
  s.optimise.free.each_chi = data.free_beta;
  s.optimise.free.each_f = data.free_gamma;
  s.optimise.free.each_cutoff = data.free_cutoffs;
  // Those marked in the file, unless the input says otherwise.
  if (!input.has("optimise.cutoffs"))
    s.optimise.free.cutoffs = std::any_of(data.free_cutoffs.begin(), data.free_cutoffs.end(), [](bool free) { return free; });
  if (system->molecule) settle_cusps(input, s);
}

// CASINO's use_jastrow F, or our own 'type: slater'.
bool without_factor(const app::Input& input, const CasinoInput* casino) {
  if (input.has("jastrow.type") || !casino || !casino->use_jastrow) return input.text("jastrow.type") == "slater";
  return !*casino->use_jastrow;
}

// system: nullptr if it is invalid; errors found here are reported nevertheless.
void read_jastrow(const app::Input& input, CasinoControl& casino, const System* system, Settings& s) {
  Jastrow& j = s.jastrow;
  if (without_factor(input, casino.file())) {
    const bool own = !casino.decides(&CasinoInput::use_jastrow, "use_jastrow", "jastrow.type");
    for (const char* key : factor_keys)
      input.refuse({key}, own ? "'type: slater' has no Jastrow factor; remove this key"
                              : "use_jastrow of the CASINO input is F: no Jastrow factor; remove this key, or set 'type: slater_jastrow'");
    return;
  }
  if (input.has("jastrow.file"))
    for (const char* key : factor_keys)
      if (std::string_view(key) != "jastrow.file") input.refuse({key}, "'file' already specifies this; remove one of them");
  const fs::path file = factor_file(input, casino);
  if (!file.empty()) return read_factor_file(input, file, system, s);
  if (of_ions(input, casino.file())) return read_factor_of_molecule(input, system, s);
  input.needs({"jastrow.form"});
  j.truncation = input.small_integer("jastrow.truncation");
  if (input.has("jastrow.cutoff")) j.L_u = input.length_bohr("jastrow.cutoff");
  if (system && j.L_u == 0) j.L_u = system->inscribed_radius();
  if (input.has("jastrow.u") || input.has("jastrow.p")) {
    input.refuse({"jastrow.order", "jastrow.sets", "jastrow.stars"},
                 "this applies to a start from the RPA; 'u' and 'p' already specify it");
    if (input.has("jastrow.u")) read_u(input, system, j);
    if (input.has("jastrow.p")) read_p(input, system, j);
  } else if (system) {
    JastrowShape shape{j.form, j.truncation, input.small_integer("jastrow.order"), j.L_u, sets_of(input, *system), 0, 1};
    shape.stars = input.has("jastrow.stars") ? input.small_integer("jastrow.stars") : default_stars(*system);
    j = rpa_jastrow(*system, shape);
  }
  if (system) input.holds(input.has("jastrow.cutoff") ? "jastrow.cutoff" : "jastrow", [&] { check(*system, j); });
}

// Steps per walker for this many energies of all walkers together.
int64_t steps_for(int64_t energies, int64_t walkers) { return (energies + walkers - 1) / walkers; }

void read_vmc(const app::Input& input, CasinoControl& casino, Settings& s) {
  VmcSettings& v = s.vmc;
  input.needs({"vmc.walkers", "vmc.equilibration", "vmc.decorrelation", "vmc.time_step"});
  casino.apply(&CasinoInput::vmc_equil_nstep, "vmc_equil_nstep", "vmc.equilibration", v.equilibration);
  v.steps = casino.decides(&CasinoInput::vmc_nstep, "vmc_nstep", "vmc.steps")
                ? steps_for(*casino.file()->vmc_nstep, s.method == Method::dmc ? s.dmc.target : v.walkers)
            : s.method == Method::dmc && !input.has("vmc.steps") ? steps_before_dmc
                                                                 : input.integer("vmc.steps");
  casino.apply(&CasinoInput::vmc_decorr_period, "vmc_decorr_period", "vmc.decorrelation", v.decorrelation);
  const bool tuned = !casino.decides(&CasinoInput::opt_dtvmc, "opt_dtvmc", "vmc.time_step") || *casino.file()->opt_dtvmc == 1;
  if (casino.decides(&CasinoInput::dtvmc, "dtvmc", "vmc.time_step")) (tuned ? v.first_tau : v.tau) = *casino.file()->dtvmc;
  const std::string equilibration = casino.name_of("vmc.equilibration", "vmc_equil_nstep");
  if (v.tau == 0 && v.equilibration < fewest_tuning_sweeps)
    input.fail("vmc.equilibration", fmt::format("{} is {} sweeps; tuning the time step needs at least {}, or set 'time_step'",
                                                equilibration, v.equilibration, fewest_tuning_sweeps));
  const double sweeps = static_cast<double>(v.equilibration) + static_cast<double>(v.steps) * static_cast<double>(v.decorrelation);
  if (!(sweeps < 4294967296.0))
    input.fail("vmc.steps", fmt::format("{:.4g} sweeps; the random numbers of a walk last for 4294967295", sweeps));
}

void apply_to_dmc(CasinoControl& casino, DmcSettings& d) {
  if (casino.decides(&CasinoInput::dtdmc, "dtdmc", "dmc.time_steps")) d.time_steps = {*casino.file()->dtdmc};
  casino.apply(&CasinoInput::dmc_target_weight, "dmc_target_weight", "dmc.walkers", d.target);
  casino.apply(&CasinoInput::dmc_equil_nstep, "dmc_equil_nstep", "dmc.equilibration", d.equilibration);
  casino.apply(&CasinoInput::dmc_stats_nstep, "dmc_stats_nstep", "dmc.steps", d.steps);
  casino.apply(&CasinoInput::alimit, "alimit", "dmc.drift_limit", d.alimit);
  casino.apply(&CasinoInput::alphalimit, "alphalimit", "dmc.energy_limit", d.energy_limit);
}

std::string target_of(const std::string& opt_method) {
  return opt_method == "emin" ? "energy" : opt_method == "madmin" ? "mad" : "variance";
}

void read_optimise(const app::Input& input, CasinoControl& casino, OptimiseSettings& o) {
  input.needs({"optimise.configurations"});
  if (casino.decides(&CasinoInput::opt_method, "opt_method", "optimise.target")) o.target = target_of(*casino.file()->opt_method);
  casino.apply(&CasinoInput::opt_cycles, "opt_cycles", "optimise.cycles", o.cycles);
  casino.apply(&CasinoInput::vmc_nconfig_write, "vmc_nconfig_write", "optimise.configurations", o.configurations);
  if (o.configurations < fewest_configurations)
    input.fail("optimise.configurations",
               fmt::format("{} is {}; an optimisation needs at least {} configurations",
                           casino.name_of("optimise.configurations", "vmc_nconfig_write"), o.configurations, fewest_configurations));
  if (without_factor(input, casino.file()))
    input.fail("jastrow.type", input.has("jastrow.type") ? "'slater' has no Jastrow factor to optimise"
                                                         : "use_jastrow of the CASINO input is F: there is no Jastrow factor to optimise");
  if (input.has("restart.file")) input.fail("restart.file", "an optimisation has no checkpoint; continue it with 'jastrow.file'");
}

// Reports an error if every parameter is marked as fixed.
void require_free_parameters(const app::Input& input, const Settings& s) {
  const Free& free = s.optimise.free;
  if (s.method == Method::optimise && s.jastrow.any() && parameters(s.jastrow, free).empty())
    input.fail("optimise.u", "no coefficient of the Jastrow factor is free to be optimised");
}

// Sections of methods not selected are errors, because ignoring them could go unnoticed.
void refuse_other_methods(const app::Input& input, Method method) {
  for (const char* section : {"dmc", "optimise"})
    if (method_of(section) != method)
      input.refuse_section(section, fmt::format("this applies to 'method: {}'; this input has 'method: {}'", section, name_of(method)));
}

// Keys without effect for this method; they are allowed because an input may be run with another one.
std::vector<std::string> unused_keys(const app::Input& input, const Settings& s) {
  const Method method = s.method;
  std::vector<const char*> keys;
  if (method != Method::vmc && (!s.system.molecule || s.system.crystal()))
    keys = {"output.pair_correlation", "output.structure_factor", "output.density", "output.interval", "output.bins"};
  if (method == Method::dmc) keys.push_back("vmc.walkers");
  if (method == Method::optimise) keys.insert(keys.end(), {"vmc.steps", "checkpoint.interval"});
  std::vector<std::string> unused;
  for (const char* key : keys)
    if (input.has(key)) unused.push_back(key);
  return unused;
}

}  // namespace

const std::vector<app::Key>& input_keys() { return bound_keys().keys(); }

Settings read_settings(const app::Input& input) {
  Settings s;
  bound_keys().read(input, s);
  std::vector<app::InputErrors> of_files;  // errors in CASINO's files
  const auto reading = [&](auto&& read) {
    try {
      input.group(read);
    } catch (const app::InputErrors& errors) { of_files.push_back(errors); }
  };
  std::optional<CasinoControl> control;
  reading([&] { control.emplace(input); });
  const bool known = control.has_value();
  if (!known) control.emplace(input, std::nullopt);
  input.group([&] {
    s.method = control->decides(&CasinoInput::runtype, "runtype", "method") ? method_of_runtype(*control->file()->runtype)
                                                                            : method_of(input.text("method"));
    if (known || input.has("method")) refuse_other_methods(input, s.method);
    input.needs({"dmc.time_steps"});
    if (s.method == Method::dmc) apply_to_dmc(*control, s.dmc);
    if (s.method == Method::dmc && s.dmc.time_steps.empty() && known)
      input.fail_missing("dmc.time_steps", "the time steps, such as [0.5, 0.25 hbar/Ha]");
  });
  input.group([&] { read_vmc(input, *control, s); });
  input.group([&] {
    if (s.method == Method::optimise) read_optimise(input, *control, s.optimise);
  });
  bool system = false;
  reading([&] { system = read_system(input, *control, s); });
  if (!input.has("system.eshdf")) refuse_keys_of_crystals(input);
  if (of_molecule(input, control->file())) refuse_keys_of_the_gas(input);
  else if (known && !input.has("system.eshdf")) refuse_keys_of_molecules(input);
  reading([&] { read_jastrow(input, *control, system ? &s.system : nullptr, s); });
  require_free_parameters(input, s);
  s.casino = control->report();
  s.unused = unused_keys(input, s);
  if (of_files.empty()) {
    input.finish();
    return s;
  }
  try {
    input.finish();
  } catch (const app::InputErrors& own) { of_files.insert(of_files.begin(), own); }
  throw joined(of_files);
}

std::string fingerprint(const Settings& s) {
  nlohmann::ordered_json f = bound_keys().values(s);
  f["method"] = static_cast<int>(s.method);
  f["rs"] = s.system.rs;
  f["cell"] = s.system.cell;
  f["electrons"] = s.system.nele;
  const Jastrow& j = s.jastrow;
  f["jastrow"] = {{"form", static_cast<int>(j.form)},
                  {"truncation", j.truncation},
                  {"cutoff", j.L_u},
                  {"u", j.alpha},
                  {"sets_u", j.nset_u},
                  {"p", j.a},
                  {"sets_p", j.nset_p},
                  {"star", j.star},
                  {"gvec", j.gvec}};
  f["first_time_step"] = s.vmc.first_tau;
  if (s.system.molecule) f["molecule"] = fingerprint_of(*s.system.molecule, j);
  if (s.method == Method::dmc) f["steps_before_dmc"] = s.vmc.steps;
  if (s.dmc.t_moves) f["t_moves"] = true;
  return f.dump();
}

}  // namespace suite::vmc
