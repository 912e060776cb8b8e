// SPDX-License-Identifier: BSD-3-Clause
#include "ground_state.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/units.hpp"
#include "shifted_functions.hpp"
#include "xc_fields.hpp"

namespace suite::all_electron {

std::vector<double> coordinate(const Grid& grid, int axis) {
  std::vector<double> x(grid.n_points());
  for (size_t i = 0; i < x.size(); ++i) x[i] = grid.coords[3 * i + static_cast<size_t>(axis)];
  return x;
}

FormCosts form_costs(const Grid& grid, int64_t n_occ, int64_t n_dir) {
  FormCosts costs;
  for (size_t b = 0; b < grid.n_batches(); ++b) {
    const double points = grid.batch_points[b + 1] - grid.batch_points[b];
    const double functions = grid.batch_basis[b + 1] - grid.batch_basis[b];
    costs.matrix += 0.5 * points * functions * (functions + 1) * static_cast<double>(n_dir);
    // The orbitals themselves, and their changes.
    costs.orbitals += points * functions * static_cast<double>(n_occ) * static_cast<double>(n_dir > 1 ? n_dir + 1 : 1);
  }
  return costs;
}

bool use_orbitals(Form form, const FormCosts& costs) {
  return form == Form::orbitals || (form == Form::automatic && costs.orbitals < costs.matrix);
}

namespace {

constexpr const char* not_treated = "open shells and metals need fractional occupations, which are not supported";

}  // namespace

void refuse_small_gap(const GroundState& state) {
  constexpr double least = 1e-3;  // Ha
  const auto& e = state.states.eigenvalues;
  if (e.size() <= state.n_occ) return;
  const double gap = e[state.n_occ] - e[state.n_occ - 1];
  if (gap >= least) return;
  throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("the highest occupied state ({:.6f} Ha) and the lowest empty one ({:.6f} Ha) are "
                                                    "{:.2g} Ha apart, less than {:.0e} Ha; {}",
                                                    e[state.n_occ - 1], e[state.n_occ], gap, least, not_treated));
}

void refuse_swapping_states(const GroundState& state) {
  constexpr double small = 0.02;  // Ha
  double gap = small;
  for (size_t i = state.steps.size() / 2; i < state.steps.size(); ++i)
    gap = std::min(gap, state.steps[i].lowest_empty - state.steps[i].highest_occupied);
  if (gap >= small) return;
  throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("the ground state did not converge in {} iterations, and the gap between the highest "
                                                    "occupied and the lowest empty state was only {:.2g} Ha; {}",
                                                    state.steps.size(), gap, not_treated));
}

GroundStateSolver::GroundStateSolver(const Setup& setup, const Settings& settings, const app::Communicator& world, GridMatrices& grid,
                                     Electrostatics& electrostatics)
    : setup_(setup),
      settings_(settings),
      grid_(grid),
      electrostatics_(electrostatics),
      free_(electrostatics.free_atoms()),
      overlap_(grid.overlap()),
      kinetic_(grid.kinetic()),
      eigenproblem_(overlap_, world),
      library_(linear_algebra_for(overlap_.rows())),
      n_occ_(setup.electrons / 2),
      orbital_form_(use_orbitals(settings.form, form_costs(setup.grid, n_occ_, 1))) {
  if (eigenproblem_.n_states() < n_occ_)
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("{} electrons need {} orbitals, and the basis has {} independent functions",
                                                      setup.electrons, n_occ_, static_cast<int>(eigenproblem_.n_states())));
}

double GroundStateSolver::free_electrons_error() const {
  double all = 0;
  for (const double Z : setup_.atom_charge) all += Z;
  return grid_.integral(free_.density) - all;
}

std::vector<double> GroundStateSolver::start() const {
  std::vector<double> density = free_.density;
  const double factor = setup_.electrons / grid_.integral(density);
  if (columns_of(settings_.choices.xc) > 1) {
    const std::vector<double> gradient = gradient_of_free_atoms(setup_, grid_.grid().coords);
    density.insert(density.end(), gradient.begin(), gradient.end());
  }
  for (double& n : density) n *= factor;
  return density;
}

Potential potential_of(const Setup& setup, Xc functional, const GridMatrices& grid, Electrostatics& electrostatics, const FreeAtoms& free,
                       const std::vector<double>& density, std::span<const double> external) {
  const size_t points = grid.n_points();
  const std::span<const double> n = std::span(density).first(points);
  std::vector<double> change(points), v_es(points), n_multipole(points);
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < points; ++i) change[i] = n[i] - free.density[i];
  const Electrostatics::Solution es = electrostatics.solve(change);
  const XcOnGrid xc(functional, points, 1, density, false);
  const std::vector<double>& v_xc = xc.potential();
  Potential potential;
  potential.v.resize(points);
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < points; ++i) {
    v_es[i] = free.potential[i] + es.potential[i];
    n_multipole[i] = free.density[i] + es.density[i];
    potential.v[i] = v_es[i] + v_xc[i] + (external.empty() ? 0.0 : external[i]);
  }
  potential.w.assign(v_xc.begin() + static_cast<std::ptrdiff_t>(points), v_xc.end());
  Energies& e = potential.energies;
  e.xc_potential = grid.integral(n, std::span(v_xc).first(points));
  for (size_t first = points; first < density.size(); first += points)
    e.xc_gradients += grid.integral(std::span(density).subspan(first, points), std::span(v_xc).subspan(first, points));
  e.xc_potential += e.xc_gradients;
  e.xc = grid.integral(n, xc.energy());
  potential.electrostatic_of_electrons = grid.integral(n, v_es);
  const double shared = grid.integral(n_multipole, v_es);
  double nuclei = 0;
  for (size_t a = 0; a < setup.n_home(); ++a) nuclei += setup.atom_charge[a] * (free.at_nuclei[a] + es.at_nuclei[a]);
  e.electrostatic = -0.5 * (shared + nuclei);
  e.multipole_error = 0.5 * (potential.electrostatic_of_electrons - shared);
  return potential;
}

void GroundStateSolver::iterate(DensityMixer& mixer, std::span<const double> external, GroundState& state) {
  const Potential potential = potential_of(setup_, settings_.choices.xc, grid_, electrostatics_, free_, mixer.density(), external);
  state.states = eigenproblem_.solve(kinetic_ + grid_.matrices(potential.v, potential.w));
  const Matrix occupied = state.states.C.leftCols(n_occ_);
  Energies& e = state.energies;
  const std::optional<double> mismatch = e.mismatch;
  e = potential.energies;
  e.band = 2 * state.states.eigenvalues.head(n_occ_).sum();
  e.kinetic = 2 * occupied.cwiseProduct(library_.product(kinetic_, occupied)).sum();
  e.mismatch = external.empty() ? e.band - e.kinetic - potential.electrostatic_of_electrons - e.xc_potential : mismatch;
  e.total = e.band - e.xc_potential + e.xc + e.electrostatic;
}

bool GroundStateSolver::solve(DensityMixer& mixer, std::span<const double> external, GroundState& state, const Observer& observe) {
  state.n_occ = n_occ_;
  const double tolerance = settings_.scf.tolerance;
  if (!state.steps.empty() && state.steps.back().residual <= tolerance) return true;
  while (static_cast<int>(state.steps.size()) < settings_.scf.max_iterations) {
    iterate(mixer, external, state);
    const Matrix occupied = state.states.C.leftCols(n_occ_);
    std::vector<double> out =
        orbital_form_ ? grid_.density_of_orbitals(occupied) : grid_.density(library_.product(2 * occupied, occupied.transpose()));
    const auto& e = state.states.eigenvalues;
    const double residual = mixer.residuals(out).front();
    if (!std::isfinite(residual) || !std::isfinite(state.energies.total))
      throw Failure(SUITE_INTERNAL, fmt::format("the density is not finite after iteration {}", state.steps.size() + 1));
    state.steps.push_back({state.energies.total, residual, e[n_occ_ - 1], e.size() > n_occ_ ? e[n_occ_] : std::nan("")});
    state.density = mixer.density();
    const std::span<const double> n = std::span(out).first(grid_.n_points());
    state.electrons = grid_.integral(n);
    for (int axis = 0; axis < 3; ++axis) {
      double& mu = state.dipole[static_cast<size_t>(axis)];
      mu = -grid_.integral(n, coordinate(grid_.grid(), axis));
      for (size_t a = 0; a < setup_.atom_charge.size(); ++a)
        mu += setup_.atom_charge[a] * setup_.atom_coords[3 * a + static_cast<size_t>(axis)];
    }
    mixer.next(out);
    const bool stop = observe && observe();
    if (residual <= tolerance) return true;
    if (stop) return false;
  }
  return false;
}

}  // namespace suite::all_electron
