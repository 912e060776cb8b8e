// SPDX-License-Identifier: BSD-3-Clause
#include "molecule_settings.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <suite/qmc/sphere_rule.hpp>

#include "common/quantities.hpp"
#include "factor_rows.hpp"
#include "trexio.hpp"

namespace suite::vmc {
namespace {

constexpr double default_cutoff_of_u = 5, default_cutoff_of_chi = 4;  // bohr

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

// On, unless chi has the cusps of the nuclei or there is none.
void read_cusps(const app::Input& input, Molecule& m) {
  input.needs({"jastrow.chi_cusp"});
  const bool of_chi = input.boolean("jastrow.chi_cusp");
  bool bare = false;
  for (size_t ion = 0; ion < m.charge.size(); ++ion) bare = bare || m.bare(ion);
  m.cusps = input.has("system.cusp_correction") ? input.boolean("system.cusp_correction") : bare && !of_chi;
  if (m.cusps && !bare) input.fail("system.cusp_correction", "all nuclei have pseudopotentials, which have no cusps");
  if (m.cusps && of_chi) input.fail("system.cusp_correction", "chi has the cusps of the nuclei already (jastrow.chi_cusp); choose one");
}

}  // namespace

bool read_molecule(const app::Input& input, Settings& s) {
  input.refuse(
      {"system.rs", "system.lattice", "system.cell", "system.electrons", "system.polarisation", "system.spins", "system.casino_input"},
      "'trexio' already specifies the system; remove one of them");
  return input.holds("system.trexio", [&] {
    TrexioFile file = read_trexio(input.file("system.trexio"));
    file.molecule.points = input.small_integer("system.quadrature");
    input.holds("system.quadrature", [&] { qmc::sphere_rule(file.molecule.points); });
    if (file.molecule.potential.empty())
      input.refuse({"system.quadrature", "dmc.t_moves"}, "this is of pseudopotentials, and the file has none");
    else if (s.method == Method::dmc) s.dmc.t_moves = input.boolean("dmc.t_moves");
    read_cusps(input, file.molecule);
    s.system = make_system(std::move(file.molecule), file.nele);
    s.pair_correlation = s.structure_factor = s.density = false;
  });
}

void refuse_keys_of_the_gas(const app::Input& input) {
  input.refuse({"jastrow.p", "jastrow.stars", "optimise.p"}, "the p term is of periodic cells; a molecule has u and chi");
  input.refuse({"jastrow.file"}, "correlation.data is read for the electron gas; give the coefficients of a molecule in 'u' and 'chi'");
  input.refuse({"output.pair_correlation", "output.structure_factor", "output.density", "output.interval", "output.bins"},
               "this is of the electron gas, and the system is a molecule");
}

void refuse_keys_of_molecules(const app::Input& input) {
  input.refuse({"jastrow.chi", "jastrow.chi_cutoff", "jastrow.chi_cusp", "optimise.chi"}, "chi is of molecules ('system.trexio')");
  input.refuse({"system.quadrature", "system.cusp_correction", "dmc.t_moves"}, "this is of molecules ('system.trexio')");
}

void read_factor_of_molecule(const app::Input& input, const System* system, Settings& s) {
  Jastrow& j = s.jastrow;
  input.needs({"jastrow.form", "jastrow.truncation", "jastrow.order", "jastrow.chi_cusp"});
  StartOfMolecule start;
  start.truncation = input.small_integer("jastrow.truncation");
  start.order = input.small_integer("jastrow.order");
  start.L_u = input.has("jastrow.cutoff") ? input.length_bohr("jastrow.cutoff") : default_cutoff_of_u;
  start.L_chi = input.has("jastrow.chi_cutoff") ? input.length_bohr("jastrow.chi_cutoff") : default_cutoff_of_chi;
  start.cusp_of_nuclei = input.boolean("jastrow.chi_cusp");
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
  if (system) input.holds("jastrow", [&] { check(*system, j); });
}

nlohmann::ordered_json fingerprint_of(const Molecule& m, const Jastrow& j) {
  nlohmann::ordered_json potential = nlohmann::ordered_json::array();
  for (const PotentialTerm& t : m.potential) potential.push_back({t.ion, t.l, t.power, t.exponent, t.coefficient});
  return {{"charges", m.charge},
          {"nuclei", m.rion},
          {"shells", {m.shell_ion, m.shell_l, m.shell_first}},
          {"exponents", m.exponent},
          {"coefficients", m.coefficient},
          {"orbitals", m.mo},
          {"pseudopotentials", potential},
          {"quadrature", m.points},
          {"cusps", m.cusps},
          {"chi", j.beta},
          {"cutoffs_chi", j.L_chi},
          {"slopes_chi", j.slope_chi}};
}

}  // namespace suite::vmc
