// SPDX-License-Identifier: BSD-3-Clause
#include "ground_state.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/units.hpp"
#include "base/xc/xc_fields.hpp"
#include "shifted_functions.hpp"

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

constexpr double least_gap = 1e-3;  // Ha
constexpr Eigen::Index many_functions = 200;
constexpr const char* not_treated = "closed shells need a gap; open shells are computed with 'molecule.spin'";

}  // namespace

void refuse_small_gap(const GroundState& state) {
  if (!state.spins.empty()) return;  // levels that are close are filled evenly
  const auto& e = state.states.eigenvalues;
  if (e.size() <= state.n_occ) return;
  const double gap = e[state.n_occ] - e[state.n_occ - 1];
  if (gap >= least_gap) return;
  throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("the highest occupied state ({:.6f} Ha) and the lowest empty one ({:.6f} Ha) are "
                                                    "{:.2g} Ha apart, less than {:.0e} Ha; {}",
                                                    e[state.n_occ - 1], e[state.n_occ], gap, least_gap, not_treated));
}

void refuse_swapping_states(const GroundState& state) {
  if (!state.spins.empty()) return;
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
      pattern_(setup.grid, overlap_.rows()),
      eigenproblem_(overlap_, world, &pattern_),
      library_(linear_algebra_for(overlap_.rows())),
      n_occ_((setup.electrons + setup.unpaired) / 2),
      orbital_form_(n_spin() == 1 && use_orbitals(settings.form, form_costs(setup.grid, n_occ_, 1))),
      by_blocks_(!orbital_form_ && n_spin() == 1 && overlap_.rows() >= many_functions && pattern_.share() < 0.5) {
  if (eigenproblem_.n_states() < n_occ_)
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("{} electrons need {} orbitals, and the basis has {} independent functions",
                                                      setup.electrons, n_occ_, static_cast<int>(eigenproblem_.n_states())));
}

double GroundStateSolver::free_electrons_error() const {
  double all = 0;
  for (const double Z : setup_.atom_charge) all += Z;
  return grid_.integral(free_.density) - all;
}

std::vector<double> starting_density(const Setup& setup, Xc xc, const GridMatrices& grid, const FreeAtoms& free) {
  const size_t points = grid.n_points();
  const std::vector<double>& coords = grid.grid().coords;
  std::vector<double> density = free.density;
  const double factor = setup.electrons / grid.integral(density);
  if (needs_gradients(xc)) {
    const std::vector<double> sum = sum_of_free_atoms(setup, coords, std::vector<double>(setup.n_home(), 1.0));
    density.insert(density.end(), sum.begin() + static_cast<std::ptrdiff_t>(points), sum.end());
  }
  for (double& n : density) n *= factor;
  if (n_spin_of(setup) == 1) return density;
  // Spin up less spin down.
  std::vector<double> polarisation;
  if (setup.initial_moments.empty()) {
    polarisation = density;
    for (double& m : polarisation) m *= static_cast<double>(setup.unpaired) / setup.electrons;
  } else {
    std::vector<double> shares = setup.initial_moments;
    for (size_t a = 0; a < shares.size(); ++a) shares[a] *= factor / setup.atom_charge[a];
    polarisation = sum_of_free_atoms(setup, coords, shares);
  }
  std::vector<double> both;
  both.reserve(2 * density.size());
  for (size_t column = 0; column < density.size(); column += points)
    for (const double sign : {1.0, -1.0})
      for (size_t i = column; i < column + points; ++i) both.push_back(0.5 * (density[i] + sign * polarisation[i]));
  return both;
}

std::vector<double> moments_of_atoms(const Setup& setup, const GridMatrices& grid, const std::vector<double>& density) {
  if (n_spin_of(setup) == 1) return {};
  std::vector<double> polarisation(grid.n_points());
  for (size_t i = 0; i < polarisation.size(); ++i) polarisation[i] = density[i] - density[polarisation.size() + i];
  return grid.integrals_of_atoms(polarisation);
}

Matrix GroundState::weighted_orbitals() const {
  if (spins.empty()) return states.C.leftCols(n_occ);
  const Eigen::Index up = spins[0].n_occupied(), down = spins[1].n_occupied();
  Matrix all(spins[0].states.C.rows(), up + down);
  for (Eigen::Index i = 0; i < up; ++i) all.col(i) = std::sqrt(spins[0].occupations[i] / 2) * spins[0].states.C.col(i);
  for (Eigen::Index i = 0; i < down; ++i) all.col(up + i) = std::sqrt(spins[1].occupations[i] / 2) * spins[1].states.C.col(i);
  return all;
}

std::array<double, 2> GroundState::frontier() const {
  if (spins.empty()) {
    const auto& e = states.eigenvalues;
    return {e[n_occ - 1], e.size() > n_occ ? e[n_occ] : std::nan("")};
  }
  const auto up = frontier_of(spins[0].states.eigenvalues, spins[0].occupations),
             down = frontier_of(spins[1].states.eigenvalues, spins[1].occupations);
  return {std::fmax(up[0], down[0]), std::fmin(up[1], down[1])};  // a spin may have no such level: NaN, which these leave out
}

Eigen::VectorXd occupations_of(const Eigen::VectorXd& e, int electrons) {
  Eigen::VectorXd f = Eigen::VectorXd::Zero(e.size());
  f.head(electrons).setOnes();
  Eigen::Index first = electrons, last = electrons;  // of the open shell, from the highest level down and the lowest empty one up
  if (electrons == 0 || electrons == e.size() || e[electrons] - e[electrons - 1] >= least_gap) return f;
  while (first > 0 && e[electrons] - e[first - 1] < least_gap) --first;
  while (last < e.size() && e[last] - e[electrons - 1] < least_gap) ++last;
  f.segment(first, last - first).setConstant(static_cast<double>(electrons - first) / static_cast<double>(last - first));
  return f;
}

std::array<double, 2> frontier_of(const Eigen::VectorXd& e, const Eigen::VectorXd& f) {
  std::array<double, 2> levels{std::nan(""), std::nan("")};
  for (Eigen::Index i = 0; i < e.size(); ++i) {
    if (f[i] > 0) levels[0] = e[i];
    else if (std::isnan(levels[1])) levels[1] = e[i];
  }
  return levels;
}

Potential potential_of(const Setup& setup, Xc functional, const GridMatrices& grid, Electrostatics& electrostatics, const FreeAtoms& free,
                       const std::vector<double>& density, std::span<const double> external) {
  const size_t points = grid.n_points(), n_spin = n_spin_of(setup);
  const auto column = [&](const std::vector<double>& of, size_t c) { return std::span(of).subspan(c * points, points); };
  std::vector<double> n(density.begin(), density.begin() + static_cast<std::ptrdiff_t>(points));
  if (n_spin == 2)
    for (size_t i = 0; i < points; ++i) n[i] += density[points + i];
  std::vector<double> change(points), v_es(points), n_multipole(points);
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < points; ++i) change[i] = n[i] - free.density[i];
  const Electrostatics::Solution es = electrostatics.solve(change);
  const app::XcOnGrid xc(functional, points, n_spin, density, false);
  const std::vector<double>& v_xc = xc.potential();
  Potential potential;
  potential.v.resize(n_spin * points);
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < points; ++i) {
    v_es[i] = free.potential[i] + es.potential[i];
    n_multipole[i] = free.density[i] + es.density[i];
    for (size_t s = 0; s < n_spin; ++s)
      potential.v[s * points + i] = v_es[i] + v_xc[s * points + i] + (external.empty() ? 0.0 : external[i]);
  }
  potential.w.assign(v_xc.begin() + static_cast<std::ptrdiff_t>(n_spin * points), v_xc.end());
  Energies& e = potential.energies;
  for (size_t s = 0; s < n_spin; ++s) e.xc_potential += grid.integral(column(density, s), column(v_xc, s));
  for (size_t c = n_spin; c < density.size() / points; ++c) e.xc_gradients += grid.integral(column(density, c), column(v_xc, c));
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

// Sets the states, and the band and kinetic energies.
void GroundStateSolver::solve_closed(const Matrix& H, GroundState& state) {
  state.states = eigenproblem_.solve(kinetic_ + H);
  const Matrix occupied = state.states.C.leftCols(n_occ_);
  state.energies.band = 2 * state.states.eigenvalues.head(n_occ_).sum();
  if (by_blocks_) {
    density_matrix_.resize(H.rows(), H.cols());
    pattern_.add_up_symmetric(library_, occupied, occupied, density_matrix_);
    state.energies.kinetic = kinetic_.cwiseProduct(density_matrix_).sum();
  } else {
    state.energies.kinetic = 2 * occupied.cwiseProduct(library_.product(kinetic_, occupied)).sum();
  }
}

void GroundStateSolver::solve_spins(const Matrix& H, GroundState& state) const {
  state.spins.resize(2);
  for (size_t s = 0; s < 2; ++s) {
    SpinStates& spin = state.spins[s];
    spin.states = eigenproblem_.solve(kinetic_ + H.middleCols(static_cast<Eigen::Index>(s) * H.rows(), H.rows()));
    spin.occupations = occupations_of(spin.states.eigenvalues, s == 0 ? n_occ_ : n_occ_ - setup_.unpaired);
    state.energies.band += spin.occupations.dot(spin.states.eigenvalues);
  }
  const Matrix weighted = state.weighted_orbitals();
  state.energies.kinetic = 2 * weighted.cwiseProduct(library_.product(kinetic_, weighted)).sum();
}

void GroundStateSolver::iterate(DensityMixer& mixer, std::span<const double> external, GroundState& state) {
  const Potential potential = potential_of(setup_, settings_.choices.xc, grid_, electrostatics_, free_, mixer.density(), external);
  Energies& e = state.energies;
  const std::optional<double> mismatch = e.mismatch;
  e = potential.energies;
  const Matrix H = grid_.matrices(potential.v, potential.w);
  n_spin() == 1 ? solve_closed(H, state) : solve_spins(H, state);
  e.mismatch = external.empty() ? e.band - e.kinetic - potential.electrostatic_of_electrons - e.xc_potential : mismatch;
  e.total = e.band - e.xc_potential + e.xc + e.electrostatic;
}

std::vector<double> GroundStateSolver::density_of(const GroundState& state) {
  if (by_blocks_) return grid_.density(density_matrix_);
  if (n_spin() == 1) {
    const Matrix occupied = state.states.C.leftCols(n_occ_);
    return orbital_form_ ? grid_.density_of_orbitals(occupied) : grid_.density(library_.product(2 * occupied, occupied.transpose()));
  }
  const Eigen::Index n = overlap_.rows();
  Matrix P(n, 2 * n);
  for (Eigen::Index s = 0; s < 2; ++s) {
    const SpinStates& spin = state.spins[static_cast<size_t>(s)];
    const Matrix occupied = spin.states.C.leftCols(spin.n_occupied());
    P.middleCols(s * n, n) = library_.product(occupied * spin.occupations.head(spin.n_occupied()).asDiagonal(), occupied.transpose());
  }
  return grid_.density(P);
}

bool GroundStateSolver::solve(DensityMixer& mixer, std::span<const double> external, GroundState& state, const Observer& observe) {
  state.n_occ = n_occ_;
  const double tolerance = settings_.scf.tolerance;
  if (!state.steps.empty() && state.steps.back().residual <= tolerance) return true;
  while (static_cast<int>(state.steps.size()) < settings_.scf.max_iterations) {
    iterate(mixer, external, state);
    const std::vector<double> out = density_of(state);
    const double residual = mixer.residuals(out).front();
    if (!std::isfinite(residual) || !std::isfinite(state.energies.total))
      throw Failure(SUITE_INTERNAL, fmt::format("the density is not finite after iteration {}", state.steps.size() + 1));
    const std::array<double, 2> frontier = state.frontier();
    state.steps.push_back({state.energies.total, residual, frontier[0], frontier[1]});
    state.density = mixer.density();
    std::vector<double> n(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(grid_.n_points()));
    if (n_spin() == 2)
      for (size_t i = 0; i < n.size(); ++i) n[i] += out[n.size() + i];
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
