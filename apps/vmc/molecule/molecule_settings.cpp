// SPDX-License-Identifier: BSD-3-Clause
#include "molecule_settings.hpp"

#include <algorithm>
#include <optional>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <suite/qmc/sphere_rule.hpp>

#include "casino_potential.hpp"
#include "common/quantities.hpp"
#include "crystal/crystal.hpp"
#include "factor_rows.hpp"
#include "gwfn.hpp"
#include "stowfn.hpp"
#include "trexio.hpp"

namespace suite::vmc {
namespace {

// One row for each kind of atom.
void read_chi(const app::Input& input, const System& system, double L_chi, bool cusp, Jastrow& j) {
  const auto rows = input.points("jastrow.chi");
  const auto kinds = system.molecule->kinds();
  if (rows.size() != kinds.size()) {
    std::string names;
    for (const auto& kind : kinds) names += (names.empty() ? "" : ", ") + kind;
    return input.fail("jastrow.chi",
                      fmt::format("'chi' has {}; there must be one for each kind of atom ({})", app::counted(rows.size(), "row"), names));
  }
  add_chi(system, j, static_cast<int>(rows.front().size()), L_chi, cusp);
  for (size_t set = 0; set < rows.size(); ++set)
    for (size_t k = 0; k < rows[set].size(); ++k) j.beta[set * static_cast<size_t>(j.nbeta) + (k == 0 ? 0 : k + 1)] = rows[set][k];
  apply_cusp(system, j);
}

// From coefficients, or from 0.
void read_p_of_crystal(const app::Input& input, const System& system, Jastrow& j) {
  if (input.has("jastrow.p")) {
    input.refuse({"jastrow.stars"}, "'p' already specifies it; remove one of them");
    return read_p(input, &system, j);
  }
  j.nstar = input.has("jastrow.stars") ? input.small_integer("jastrow.stars") : 0;
  if (j.nstar == 0) return;
  j.nset_p = 1;
  j.a.assign(static_cast<size_t>(j.nstar), 0.0);
  const Stars found = stars(system.cell, j.nstar);
  j.gvec = found.gvec, j.star = found.star;
}

// One row for each kind of atom and set of pairs.
void read_f(const app::Input& input, const System* system, Jastrow& j) {
  if (!input.has("jastrow.f_order"))
    return input.refuse({"jastrow.f_cutoff", "jastrow.f_sets", "jastrow.f", "optimise.f"}, "there is no f term without 'f_order'");
  StartOfF start;
  start.order = input.small_integer("jastrow.f_order");
  if (input.has("jastrow.f_cutoff")) start.L = input.length_bohr("jastrow.f_cutoff");
  else if (system) start.L = std::min(usual_cutoff_of_f, system->inscribed_radius() / 2);
  const bool sets = input.has("jastrow.f_sets"), values = input.has("jastrow.f");
  if (sets) start.npair = input.small_integer("jastrow.f_sets");
  const auto rows = values ? input.points("jastrow.f") : std::vector<std::vector<double>>{};
  if (!system) return;
  if (!sets && system->polarised()) start.npair = 1;
  add_f(*system, j, start);
  if (!values) return;
  const auto all = static_cast<size_t>(j.nset_f * j.npair_f), each = parameters(j, Free::only_f()).size() / all;
  std::vector<double> list;
  for (const auto& row : rows) list.insert(list.end(), row.begin(), row.end());
  if (rows.size() != all || list.size() != all * each)
    return input.fail("jastrow.f",
                      fmt::format("'f' has {} of {}; there must be {} (for each kind of atom and set) of {}",
                                  app::counted(rows.size(), "row"), app::counted(rows.front().size(), "coefficient"), all, each));
  set_parameters(*system, j, list, Free::only_f());
}

// On, unless chi has the cusps of the nuclei or there is none. asked: by CASINO's input.
void read_cusps(const app::Input& input, Molecule& m, std::optional<bool> asked) {
  input.needs({"jastrow.chi_cusp"});
  const bool of_chi = input.boolean("jastrow.chi_cusp"), own = input.has("system.cusp_correction");
  bool bare = false;
  for (size_t ion = 0; ion < m.charge.size(); ++ion) bare = bare || m.bare(ion);
  if (m.slater()) {
    if (own && input.boolean("system.cusp_correction"))
      input.fail("system.cusp_correction", "this is of Gaussian functions; Slater functions have cusps of their own");
    if (of_chi && bare) input.fail("jastrow.chi_cusp", "the Slater functions of the orbitals have cusps at the nuclei already");
    return;
  }
  m.cusps = own ? input.boolean("system.cusp_correction") : bare && asked.value_or(!of_chi);
  if (m.cusps && !bare) input.fail("system.cusp_correction", "all nuclei have pseudopotentials, which have no cusps");
  if (m.cusps && of_chi)
    input.fail(own ? "system.cusp_correction" : "jastrow.chi_cusp",
               "chi has the cusps of the nuclei already (jastrow.chi_cusp); choose one");
}

void finish_molecule(const app::Input& input, Molecule molecule, const std::array<int32_t, 2>& nele, std::optional<bool> cusps,
                     Settings& s) {
  input.holds("system.quadrature", [&] { qmc::sphere_rule(molecule.points); });
  if (molecule.potential.empty())
    input.refuse({"system.quadrature", "dmc.t_moves"}, "this is of pseudopotentials, and the molecule has none");
  read_cusps(input, molecule, cusps);
  s.system = make_system(std::move(molecule), nele);
  s.pair_correlation = s.structure_factor = s.density = false;
}

}  // namespace

bool read_molecule(const app::Input& input, Settings& s) {
  input.refuse(
      {"system.rs", "system.lattice", "system.cell", "system.electrons", "system.polarisation", "system.spins", "system.casino_input"},
      "'trexio' already specifies the system; remove one of them");
  return input.holds("system.trexio", [&] {
    TrexioFile file = read_trexio(input.file("system.trexio"));
    file.molecule.points = input.small_integer("system.quadrature");
    if (s.method == Method::dmc && !file.molecule.potential.empty()) s.dmc.t_moves = input.boolean("dmc.t_moves");
    finish_molecule(input, std::move(file.molecule), file.nele, std::nullopt, s);
  });
}

bool read_casino_molecule(const app::Input& input, CasinoControl& control, Settings& s) {
  const CasinoInput& casino = *control.file();
  const std::filesystem::path folder = input.file("system.casino_input").parent_path(), file = folder / casino.orbitals_file();
  if (!std::filesystem::exists(file)) {
    input.fail("system.casino_input",
               fmt::format("atom_basis_type is {}, but there is no {}", casino.slater ? "slater-type" : "gaussian", file.string()));
    return false;
  }
  Molecule molecule = casino.slater ? read_stowfn(file, casino.nele) : read_gwfn(file, casino.nele);
  std::optional<int> rule;
  try {
    rule = add_casino_potentials(folder, molecule);
  } catch (const app::InputErrors&) {
    throw;  // it names its file
  } catch (const Failure& failure) {
    input.fail("system.casino_input", failure.what());
    return false;
  }
  return input.holds("system.casino_input", [&] {
    molecule.points = rule && !input.has("system.quadrature") ? *rule : input.small_integer("system.quadrature");
    if (control.decides(&CasinoInput::non_local_grid, "non_local_grid", "system.quadrature"))
      molecule.points = points_of_casino_rule(*casino.non_local_grid);
    if (s.method == Method::dmc && !molecule.potential.empty()) {
      s.dmc.t_moves = input.boolean("dmc.t_moves");
      control.apply(&CasinoInput::use_tmove, "use_tmove", "dmc.t_moves", s.dmc.t_moves);
    }
    const bool cusps = control.decides(&CasinoInput::cusp_correction, "cusp_correction", "system.cusp_correction");
    finish_molecule(input, std::move(molecule), casino.nele, cusps ? casino.cusp_correction : std::nullopt, s);
  });
}

void settle_cusps(const app::Input& input, Settings& s) {
  const auto& slopes = s.jastrow.slope_chi;
  if (std::all_of(slopes.begin(), slopes.end(), [](double slope) { return slope == 0; })) return;
  if (s.system.molecule->slater())
    return input.fail("system.casino_input",
                      "chi of correlation.data has the cusps of the nuclei, which the Slater functions of the orbitals have already");
  if (!s.system.molecule->cusps) return;
  if (input.has("system.cusp_correction"))
    return input.fail("system.cusp_correction", "chi of correlation.data has the cusps of the nuclei already; choose one");
  Molecule molecule = *s.system.molecule;
  molecule.cusps = false;
  s.system.molecule = std::make_shared<const Molecule>(std::move(molecule));
}

void refuse_keys_of_the_gas(const app::Input& input) {
  input.refuse({"jastrow.p", "jastrow.stars", "optimise.p"}, "the p term is of periodic cells; a molecule has u, chi and f");
  input.refuse({"output.pair_correlation", "output.structure_factor", "output.density", "output.interval", "output.bins"},
               "this is of the electron gas, and the system is a molecule");
}

void refuse_keys_of_molecules(const app::Input& input) {
  input.refuse({"jastrow.chi", "jastrow.chi_cutoff", "jastrow.chi_cusp", "optimise.chi", "jastrow.f_order", "jastrow.f_cutoff",
                "jastrow.f_sets", "jastrow.f", "optimise.f"},
               "chi and f are of molecules ('system.trexio', or a CASINO input of one) and crystals ('system.eshdf')");
  input.refuse({"system.quadrature", "system.cusp_correction", "dmc.t_moves"},
               "this is of molecules ('system.trexio', or a CASINO input of one)");
}

void read_factor_of_molecule(const app::Input& input, const System* system, Settings& s) {
  Jastrow& j = s.jastrow;
  input.needs({"jastrow.form", "jastrow.truncation", "jastrow.order", "jastrow.chi_cusp"});
  StartOfMolecule start;
  start.truncation = input.small_integer("jastrow.truncation");
  start.order = input.small_integer("jastrow.order");
  const double most = system ? system->inscribed_radius() : usual_cutoff_of_u;
  start.L_u = input.has("jastrow.cutoff") ? input.length_bohr("jastrow.cutoff") : std::min(usual_cutoff_of_u, most);
  start.L_chi = input.has("jastrow.chi_cutoff") ? input.length_bohr("jastrow.chi_cutoff") : std::min(usual_cutoff_of_chi, most);
  const bool crystal = system && system->crystal();
  start.cusp_of_nuclei = crystal && !input.has("jastrow.chi_cusp") ? true : input.boolean("jastrow.chi_cusp");
  if (!input.has("jastrow.u") && !input.has("jastrow.chi")) {
    if (j.form != Form::polynomial) input.fail("jastrow.form", "without 'u' a molecule starts with polynomials; give the knots in 'u'");
    if (!system) return;
    start.nset_u = input.has("jastrow.sets") ? input.small_integer("jastrow.sets") : system->polarised() ? 1 : 2;
    j = start_of_molecule(*system, start);
  } else {
    input.refuse({"jastrow.order", "jastrow.sets"}, "this applies to a start without 'u' and 'chi'");
    j.truncation = start.truncation;
    j.L_u = start.L_u;
    if (input.has("jastrow.u")) read_u(input, system, j);
    if (input.has("jastrow.chi") && system) read_chi(input, *system, start.L_chi, start.cusp_of_nuclei, j);
  }
  if (crystal) read_p_of_crystal(input, *system, j);
  read_f(input, system, j);
  if (system) input.holds("jastrow", [&] { check(*system, j); });
}

nlohmann::ordered_json fingerprint_of(const Molecule& m, const Jastrow& j) {
  nlohmann::ordered_json potential = nlohmann::ordered_json::array();
  for (const PotentialTerm& t : m.potential) {
    potential.push_back({t.ion, t.l, t.power, t.exponent, t.coefficient});
    if (t.table) potential.push_back({t.table->r, t.table->times_r});
  }
  nlohmann::ordered_json splines;
  if (m.crystal)
    for (const auto& spin : m.crystal->spin)
      if (spin) splines.push_back({m.crystal->mesh, spin->kinetic, spin->digest});
  return {{"charges", m.charge},
          {"splines", splines},
          {"nuclei", m.rion},
          {"shells", {m.shell_ion, m.shell_l, m.shell_first}},
          {"exponents", m.exponent},
          {"coefficients", m.coefficient},
          {"powers", m.power},
          {"orbitals", m.mo},
          {"pseudopotentials", potential},
          {"quadrature", m.points},
          {"cusps", m.cusps},
          {"chi", j.beta},
          {"cutoffs_chi", j.L_chi},
          {"slopes_chi", j.slope_chi},
          {"spins_chi", j.nspin_chi},
          {"sets_chi", j.set_of_ion},
          {"f", j.gamma},
          {"cutoffs_f", j.L_f},
          {"shape_f", {j.nf_en, j.nf_ee, j.npair_f}},
          {"sets_f", j.f_of_ion}};
}

}  // namespace suite::vmc
