// SPDX-License-Identifier: BSD-3-Clause
// Table, results and data files of a run.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/units.hpp"
#include "measure/fields_json.hpp"
#include "results.hpp"

namespace suite::all_electron {
namespace {

using nlohmann::ordered_json;

// Drops the sign of a value that rounds to zero at this number of decimals.
double without_sign_of_zero(double value, int decimals) { return std::abs(value) < 0.5 * std::pow(10.0, -decimals) ? 0.0 : value; }

std::string tensor_text(const char* name, const Tensor& alpha) {
  std::string text;
  for (size_t i = 0; i < 3; ++i) {
    text += fmt::format(" {:<23}", i == 0 ? name : "");
    for (size_t j = 0; j < 3; ++j)
      text += std::isfinite(alpha[i][j]) ? fmt::format(" {:13.7f}", without_sign_of_zero(alpha[i][j], 7)) : fmt::format(" {:>13}", "-");
    text += "\n";
  }
  return text;
}

double gap(const Calculated& o) {
  if (o.crystal) return o.crystal->lowest_empty - o.crystal->highest_occupied;
  const auto [highest, lowest] = o.ground.frontier();
  return lowest - highest;
}

// The three kernels discussed in the family's source publication; the others follow.
constexpr const char* main_kernels[] = {"dfpt.rho", "dfpt.sum_up", "dfpt.h"};

double sum_of(const std::map<std::string, double>& seconds) {
  double sum = 0;
  for (const auto& [kernel, s] : seconds) sum += s;
  return sum;
}

std::string shares_text(const Calculated& o) {
  const auto& seconds = o.response ? o.response_kernel_s : o.kernel_s;
  const double whole = o.response ? o.response_s : o.scf_s, kernels = sum_of(seconds);
  std::string text = fmt::format(" kernels of the {}", o.response ? "response" : "ground state");
  double others = kernels;
  for (const char* name : main_kernels) {
    const double s = seconds.count(name) ? seconds.at(name) : 0.0;
    others -= s;
    text += fmt::format("   {} {:.2f} s ({:.1f} %)", name + 5, s, kernels > 0 ? 100 * s / kernels : 0.0);
  }
  return text + fmt::format("   others {:.2f} s ({:.1f} %)   of {:.2f} s, {:.1f} % of the wall clock's {:.2f} s\n", others,
                            kernels > 0 ? 100 * others / kernels : 0.0, kernels, whole > 0 ? 100 * kernels / whole : 0.0, whole);
}

std::string response_text(const Settings& s, const Calculated& o) {
  const Tensor alpha = o.response->polarizability();
  std::string text = tensor_text("polarizability (bohr^3)", alpha);
  if (s.directions.size() == 3)
    text += fmt::format(" isotropic {:.7f} bohr^3 ({:.6f} angstrom^3), anisotropy {:.7f} bohr^3\n", isotropic(alpha),
                        isotropic(alpha) * std::pow(app::bohr_angstrom, 3), anisotropy(alpha));
  if (o.crystal && o.crystal->dimensions == 3) text += tensor_text("dielectric tensor", dielectric_tensor(alpha, o.crystal->volume));
  const Invariants& i = o.response->invariants;
  text += fmt::format(" {} iterations; int n1 {:.1e}, sum S P1 {:.1e}, C S C1 {:.1e}, C S C - 1 {:.1e}, asymmetry {:.1e}\n",
                      o.response->steps.size(), i.charge, i.overlap, i.idempotency, i.orthonormality, i.asymmetry);
  if (o.finite_field)
    text += fmt::format(" finite fields of {:g} Ha/bohr differ by {:.2e} bohr^3 at most ({} iterations)\n", o.finite_field->strength,
                        o.finite_field->largest_difference, o.finite_field->iterations);
  return text;
}

ResponseResult response_of(const Settings& s, const Calculated& o) {
  ResponseResult out;
  out.polarizability = o.response->polarizability();
  if (s.directions.size() == 3) {
    out.isotropic = isotropic(out.polarizability);
    out.anisotropy = anisotropy(out.polarizability);
  }
  out.uncoupled = o.response->uncoupled();
  out.invariants = o.response->invariants;
  if (const auto& f = o.finite_field)
    out.finite_field = FiniteFieldResult{f->strength, f->polarizability, f->largest_difference, f->iterations};
  return out;
}

CrystalResult crystal_of(const Calculated& o) {
  CrystalResult out{o.crystal->dimensions, o.crystal->volume, o.crystal->k_points, {}};
  if (o.response && o.crystal->dimensions == 3) out.dielectric = dielectric_tensor(o.response->polarizability(), o.crystal->volume);
  return out;
}

std::array<double, 2> gaps_of_spins(const Calculated& o) {
  if (o.crystal) return o.crystal->gaps;
  std::array<double, 2> gaps{};
  for (size_t s = 0; s < 2; ++s) {
    const auto [highest, lowest] = frontier_of(o.ground.spins[s].states.eigenvalues, o.ground.spins[s].occupations);
    gaps[s] = lowest - highest;
  }
  return gaps;
}

OpenShellResult open_shell_of(const Calculated& o) {
  const GroundState& g = o.ground;
  const auto numbers = [](const Eigen::VectorXd& v) { return std::vector<double>(v.data(), v.data() + v.size()); };
  const SpinStates &up = g.spins[0], &down = g.spins[1];
  const auto [gap_up, gap_down] = gaps_of_spins(o);
  return {up.occupations.sum() - down.occupations.sum(),
          numbers(up.occupations),
          numbers(down.states.eigenvalues),
          numbers(down.occupations),
          gap_up,
          gap_down,
          o.moments};
}

std::string spin_text(const Calculated& o) {
  const auto gap_text = [](double gap) { return std::isfinite(gap) ? fmt::format("{:.6f}", gap) : std::string("-"); };
  const auto [up, down] = gaps_of_spins(o);
  std::string text = fmt::format(" gaps of the spins      up {}, down {} Ha\n", gap_text(up), gap_text(down));
  text += fmt::format(" {:<22}", "moments of the atoms");
  constexpr size_t most = 8;
  for (size_t a = 0; a < std::min(o.moments.size(), most); ++a) text += fmt::format(" {:.4f}", without_sign_of_zero(o.moments[a], 4));
  if (o.moments.size() > most) text += fmt::format(" ... ({} atoms)", o.moments.size());
  return text + "\n";
}

SpeciesResult result_of(const Species& species) {
  SpeciesResult out{species.symbol, species.free.energy, {}};
  for (const auto& f : species.functions) out.functions.push_back({f.origin, f.l, f.energy, f.outer_radius});
  return out;
}

std::string convergence_csv(const Calculated& o) {
  std::string text =
      "# residual: root of the integral of the squared density change; alpha: current polarizability (bohr^3)\n"
      "stage,iteration,energy_Ha,residual,alpha_xx,alpha_yy,alpha_zz\n";
  for (size_t i = 0; i < o.ground.steps.size(); ++i)
    text += fmt::format("ground_state,{},{:.12g},{:.6g},,,\n", i + 1, o.ground.steps[i].energy, o.ground.steps[i].residual);
  if (!o.response) return text;
  for (size_t i = 0; i < o.response->steps.size(); ++i) {
    const ResponseStep& step = o.response->steps[i];
    text += fmt::format("response,{},,{:.6g}", i + 1, step.largest());
    for (size_t d = 0; d < 3; ++d)
      text += std::isfinite(step.polarizability[d][d]) ? fmt::format(",{:.12g}", step.polarizability[d][d]) : std::string(",");
    text += "\n";
  }
  return text;
}

}  // namespace

std::string table(const Settings& s, const Calculated& o) {
  const GroundState& g = o.ground;
  std::string text = "\n";
  if (o.restarted_scf > 0)
    text += fmt::format(" continued from {}: {} iterations of the ground state, {} of the response\n", s.restart.string(), o.restarted_scf,
                        o.restarted_response);
  text += fmt::format(" total energy          {:.9f} Ha ({:.6f} eV), {} iterations\n", g.energies.total, g.energies.total * app::hartree_eV,
                      g.steps.size());
  const double highest = o.crystal ? o.crystal->highest_occupied : g.frontier()[0];
  text += fmt::format(" eigenvalues           highest occupied {:.6f}, lowest empty {:.6f}, gap {:.6f} Ha\n", highest, highest + gap(o),
                      gap(o));
  if (o.crystal) {
    static constexpr std::pair<const char*, const char*> measures[] = {
        {"period of the chain", "bohr"}, {"area of the cell", "bohr^2"}, {"volume of the cell", "bohr^3"}};
    const auto& [measure, unit] = measures[o.crystal->dimensions - 1];
    text += fmt::format(" {:<21} {:.6f} {}, {} k points; energies and polarizabilities are those of a cell\n", measure, o.crystal->volume,
                        unit, o.crystal->k_points);
  } else {
    text += fmt::format(" dipole                {:.6f} {:.6f} {:.6f} e bohr\n", without_sign_of_zero(g.dipole[0], 6),
                        without_sign_of_zero(g.dipole[1], 6), without_sign_of_zero(g.dipole[2], 6));
  }
  text += fmt::format(" electrons on the grid {:.8f}, multipole error {:.2e} Ha\n", g.electrons, g.energies.multipole_error);
  if (!g.spins.empty()) text += spin_text(o);
  if (o.response) text += response_text(s, o);
  text += fmt::format(" set-up {:.1f} s, ground state {:.1f} s", o.setup_s, o.scf_s);
  if (o.response) text += fmt::format(", response {:.1f} s", o.response_s);
  if (o.finite_field) text += fmt::format(", finite fields {:.1f} s", o.finite_field_s);
  return text + "\n" + shares_text(o);
}

ordered_json results(const Settings& s, const Calculated& o) {
  const GroundState& g = o.ground;
  const auto& e = g.spins.empty() ? g.states.eigenvalues : g.spins[0].states.eigenvalues;
  const auto form = [](bool orbitals) { return orbitals ? "orbitals" : "matrix"; };
  DfptResults out;
  out.total_energy = g.energies.total;
  out.eigenvalues.assign(e.data(), e.data() + e.size());
  out.occupied = g.n_occ;
  if (!g.spins.empty()) out.open_shell = open_shell_of(o);
  out.gap = gap(o);
  if (o.crystal) out.crystal = crystal_of(o);
  else out.dipole = g.dipole;
  out.electrons = g.electrons;
  out.energies = g.energies;
  out.iterations.ground_state = g.steps.size();
  out.sizes = o.sizes;
  out.form.ground_state = form(o.orbital_density);
  if (o.response) {
    out.response = response_of(s, o);
    out.iterations.response = o.response->steps.size();
    out.form.response = form(o.orbital_response);
  }
  out.far_field = o.far_field;
  out.linear_algebra = o.linear_algebra;
  for (const auto& species : o.species) out.species.push_back(result_of(species));
  out.restarted_at = {o.restarted_scf, o.restarted_response};
  out.times = {o.setup_s, o.scf_s, o.response_s, o.finite_field_s, o.kernel_s, o.response_kernel_s};
  return app::json_of(out);
}

ordered_json results_schema() { return app::schema_of<DfptResults>(); }

std::vector<app::TextFile> files(const Settings&, const Calculated& o) {
  std::vector<app::TextFile> all{{"convergence.csv", convergence_csv(o)}, {"convergence.svg", convergence_figure(o)}};
  if (o.density) all.push_back({"density.cube", app::cube_text(*o.density)});
  return all;
}

}  // namespace suite::all_electron
