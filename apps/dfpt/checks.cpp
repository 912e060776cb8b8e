// SPDX-License-Identifier: BSD-3-Clause
#include "checks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/core.h>
#include <Eigen/Eigenvalues>

#include "common/quantities.hpp"

namespace suite::all_electron {
namespace {

using app::Observable;
using app::Outcome;
// Bounds. Sums over the same grid on both sides differ by rounding only.
constexpr double algebra_bound = 1e-6;       // of electrons, charges and matrices
constexpr double mismatch_bound = 1e-6;      // Ha per electron
constexpr double grid_bound = 1e-3;          // relative: the integration grid
constexpr double multipole_bound = 5e-3;     // Ha per atom, corrected for in first order
constexpr double asymmetry_bound = 1e-3;     // of the largest element
constexpr double finite_field_bound = 1e-3;  // of the largest element
constexpr double rounding = 1e-12;           // of the largest element
constexpr double virial_bound = 0.02;        // fraction of the kinetic energy: error of the basis

constexpr double energy_tolerance = 1e-6, dipole_tolerance = 1e-5;  // Ha, e bohr
constexpr double polarizability_tolerance = 1e-5;                   // of the largest element

double largest_element(const Tensor& alpha) {
  double most = 0;
  for (const auto& row : alpha)
    for (const double x : row) most = std::fmax(most, std::abs(x));  // skips NaN
  return most;
}

void check_grid(const Calculated& c, Outcome& out) {
  double all = 0;
  for (const double Z : c.nuclei) all += Z;
  out.checks.push_back({"electrons of the free atoms on the grid", c.free_electrons_error / all, grid_bound, "",
                        "the integration grid is too coarse: 'grid.multiplier', 'grid.angular_points'"});
  out.checks.push_back({"norm of the basis functions on the grid", c.norm_error, grid_bound, "",
                        "the integration grid is too coarse: 'grid.multiplier', 'grid.angular_points'"});
}

// Virial theorem of a free atom: 2 T + E_es + 3 (int n v_xc - E_xc) + int g . w = 0, from n(r) -> k^3 n(k r) (Levy, Perdew, Phys. Rev. A
// 32, 2010 (1985)), to the extent that the basis can represent the scaling. The last term is that of gradients, which gain another k.
void check_virial(const Calculated& c, Outcome& out) {
  if (c.nuclei.size() != 1 || c.crystal) return;
  const Energies& e = c.ground.energies;
  const double coulomb = e.total - e.kinetic - e.xc;
  out.checks.push_back({"virial theorem of an atom", (2 * e.kinetic + coulomb + 3 * (e.xc_potential - e.xc) + e.xc_gradients) / e.kinetic,
                        virial_bound, "", "the basis is too small, or the energy and its parts belong to different densities"});
}

void check_ground_state(const Settings& s, const Calculated& c, Outcome& out) {
  const GroundState& g = c.ground;
  out.checks.push_back({"electrons of the density on the grid", g.electrons - c.electrons, algebra_bound, "",
                        "the density does not match the occupied orbitals; is the precision single?"});
  if (!c.moments.empty())
    out.checks.push_back({"moments of the atoms add up to the unpaired electrons",
                          std::accumulate(c.moments.begin(), c.moments.end(), -static_cast<double>(s.molecule.unpaired)), algebra_bound, "",
                          "the spins' densities do not match their occupied orbitals; is the precision single?"});
  out.checks.push_back(
      {"ground state is converged", g.steps.back().residual, s.scf.tolerance, "bohr^-3/2", "more iterations: 'scf.max_iterations'"});
  if (g.energies.mismatch)
    out.checks.push_back({"eigenvalues are kinetic plus potential energies", *g.energies.mismatch / c.electrons, mismatch_bound,
                          "Ha for each electron", "the density is not converged, or the matrices do not match the potential"});
  out.checks.push_back({"multipole expansion of the potential", g.energies.multipole_error / static_cast<double>(c.nuclei.size()),
                        multipole_bound, "Ha for each atom", "raise 'grid.l_hartree'"});
  check_virial(c, out);
}

// Of a symmetric tensor with all columns computed.
double lowest_eigenvalue(const Tensor& alpha) {
  Eigen::Matrix3d a;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const auto p = static_cast<size_t>(i), q = static_cast<size_t>(j);
      a(i, j) = 0.5 * (alpha[p][q] + alpha[q][p]);
    }
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(a, Eigen::EigenvaluesOnly).eigenvalues()(0);
}

void check_response(const Settings& s, const Calculated& c, Outcome& out) {
  const Response& r = *c.response;
  const Invariants& i = r.invariants;
  const Tensor alpha = r.polarizability();
  const double scale = largest_element(alpha);
  const auto algebra = [&](const char* name, double deviation, const char* meaning) {
    out.checks.push_back({name, deviation, algebra_bound, "", meaning});
  };
  const char* const perturbation = "the response does not match the occupied orbitals; is the precision single?";
  out.checks.push_back(
      {"response is converged", r.steps.back().largest(), s.response.tolerance, "bohr^-3/2", "more iterations: 'dfpt.max_iterations'"});
  algebra("charge of the response density", i.charge, perturbation);
  if (!c.crystal) algebra("overlap with the first-order density matrix", i.overlap, perturbation);
  if (!c.crystal) algebra("first-order orbitals are orthogonal to the occupied ones", i.idempotency, perturbation);
  if (!c.crystal) algebra("occupied orbitals are orthonormal", i.orthonormality, "the eigenproblem is not solved");
  if (s.directions.size() > 1)
    out.checks.push_back(
        {"polarizability is symmetric", i.asymmetry / scale, asymmetry_bound, "", "raise 'grid.l_hartree', or refine the grid"});
  if (s.directions.size() == 3)
    out.checks.push_back({"polarizability is positive", std::max(0.0, -lowest_eigenvalue(alpha)), rounding * scale, "bohr^3",
                          "a static field lowers the energy of a ground state, so this is not one"});
  if (c.finite_field)
    out.checks.push_back({"response agrees with finite fields", c.finite_field->largest_difference / scale, finite_field_bound, "",
                          "'finite_field.strength' is too large (hyperpolarizability) or too small (noise)"});
}

// Of both spins of an open shell.
std::vector<double> occupied_levels(const GroundState& g) {
  if (g.spins.empty()) return {g.states.eigenvalues.data(), g.states.eigenvalues.data() + g.n_occ};
  std::vector<double> levels;
  for (const SpinStates& spin : g.spins)
    levels.insert(levels.end(), spin.states.eigenvalues.data(), spin.states.eigenvalues.data() + spin.n_occupied());
  return levels;
}

// Electrons above the vacuum level are bound only by the finite basis.
void warn_of_unbound_electrons(const Calculated& c, Outcome& out) {
  if (c.crystal) return;  // has no vacuum level
  const std::vector<double> levels = occupied_levels(c.ground);
  const double highest = *std::max_element(levels.begin(), levels.end());
  if (!(highest > 0)) return;
  const auto unbound = std::count_if(levels.begin(), levels.end(), [](double x) { return x > 0; });
  out.warnings.push_back(
      fmt::format("the highest occupied state is at {:+.6f} Ha, above zero ({} of {} orbitals are): these electrons are unbound in this "
                  "functional and basis, and energies and polarizabilities depend on the extent of the basis",
                  highest, static_cast<std::ptrdiff_t>(unbound), levels.size()));
}

// Levels that share electrons are an average over states: a spherical atom, half of an electron in each pi orbital of NO.
void warn_of_shared_levels(const Calculated& c, Outcome& out) {
  for (size_t s = 0; s < c.ground.spins.size(); ++s) {
    const SpinStates& spin = c.ground.spins[s];
    const auto shared = (spin.occupations.array() > 0 && spin.occupations.array() < 1).eval();
    if (!shared.any()) continue;
    const double electrons = shared.select(spin.occupations.array(), 0.0).sum();
    out.warnings.push_back(
        fmt::format("{} of spin {} near {:+.6f} Ha share {}, evenly: states that fill only some of them whole, as other programs may "
                    "choose, have a lower symmetry and another, usually lower energy",
                    app::counted(static_cast<long>(shared.count()), "orbital"), s == 0 ? "up" : "down",
                    spin.states.eigenvalues[spin.n_occupied() - 1], app::counted(std::lround(electrons), "electron")));
  }
}

// A fixed moment of a crystal whose spins have gaps, but not the same ones.
void warn_of_other_moments(const Calculated& c, Outcome& out) {
  if (!c.crystal || c.ground.spins.empty() || !(c.crystal->lowest_empty < c.crystal->highest_occupied)) return;
  out.warnings.push_back(
      fmt::format("the highest occupied state of one spin ({:.6f} Ha) lies above the lowest empty one of the other ({:.6f} Ha): with "
                  "another 'molecule.spin' the energy may be lower",
                  c.crystal->highest_occupied, c.crystal->lowest_empty));
}

void add_observables(const Settings& s, const Calculated& c, Outcome& out) {
  const GroundState& g = c.ground;
  out.observables.push_back({"total energy", "Ha", {g.energies.total}, {}, energy_tolerance});
  // The occupied levels and the lowest empty one: higher ones depend on linear dependences of the basis.
  const auto add_levels = [&](const char* name, const Eigen::VectorXd& e, Eigen::Index occupied) {
    Observable levels{name, "Ha", {}, {}, energy_tolerance};
    for (Eigen::Index i = 0; i < std::min<Eigen::Index>(e.size(), occupied + 1); ++i) {
      levels.values.push_back(e[i]);
      levels.labels.push_back(fmt::format("state {}", static_cast<std::ptrdiff_t>(i) + 1));
    }
    out.observables.push_back(levels);
  };
  if (g.spins.empty()) add_levels("eigenvalues", g.states.eigenvalues, g.n_occ);
  else
    for (size_t s = 0; s < 2; ++s)
      add_levels(s == 0 ? "eigenvalues, spin up" : "eigenvalues, spin down", g.spins[s].states.eigenvalues, g.spins[s].n_occupied());
  if (!c.crystal) out.observables.push_back({"dipole", "e bohr", {g.dipole.begin(), g.dipole.end()}, {"x", "y", "z"}, dipole_tolerance});
  if (!c.response || c.response->steps.empty()) return;
  const Tensor alpha = c.response->polarizability();
  Observable tensor{"polarizability", "bohr^3", {}, {}, polarizability_tolerance * largest_element(alpha)};
  for (const int j : s.directions)
    for (size_t i = 0; i < 3; ++i) {
      tensor.values.push_back(alpha[i][static_cast<size_t>(j)]);
      tensor.labels.push_back(fmt::format("{}{}", "xyz"[i], "xyz"[j]));
    }
  out.observables.push_back(tensor);
}

}  // namespace

void judge(const Settings& s, const Calculated& c, Outcome& out) {
  check_grid(c, out);
  if (c.ground.steps.empty() || c.stopped_by) return;  // interrupted run
  check_ground_state(s, c, out);
  if (c.response && !c.response->steps.empty()) check_response(s, c, out);
  warn_of_unbound_electrons(c, out);
  warn_of_shared_levels(c, out);
  warn_of_other_moments(c, out);
  add_observables(s, c, out);
}

}  // namespace suite::all_electron
