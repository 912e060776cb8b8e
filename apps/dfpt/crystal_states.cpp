// SPDX-License-Identifier: BSD-3-Clause
// The response is that of the basis: with d(R) = <m 0|r|n R>, r from the origin of the bra's cell, occupied i and empty a
//   r_ai(k) = C_a^H [d(k) + i dS/dk] C_i + i C_a^H (dH/dk - e_i dS/dk) C_i/(e_i - e_a)
//   U_ai = (-r_ai + <a|v1|i>)/(e_i - e_a),   D1 = 2 sum_ai (C_a U_ai C_i^H + h.c.),   alpha_IJ = 4 sum_k w_k sum_ai Re[r_I,ai^* U^J_ai]
// -r is the macroscopic field: the potential v1 has no G = 0.
#include "crystal_states.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <Eigen/Eigenvalues>
#include <fmt/core.h>

#include "base/xc/xc_fields.hpp"
#include "shifted_functions.hpp"

namespace suite::all_electron {
namespace {

constexpr double least_overlap = 1e-7;

std::string text_of(const KPoint& k) { return fmt::format("({:g} {:g} {:g})", k.fraction[0], k.fraction[1], k.fraction[2]); }

}  // namespace

void refuse_metal(const Bloch& bloch, const CrystalState& state) {
  constexpr double least = 1e-3;  // Ha
  const ScfStep& last = state.steps.back();
  if (!(last.lowest_empty - last.highest_occupied < least)) return;
  throw Failure(
      SUITE_INVALID_ARGUMENT,
      fmt::format("the crystal is a metal at these k points: the lowest empty state ({:.6f} Ha, at k = {}) is not at least {:g} Ha "
                  "above the highest occupied one ({:.6f} Ha, at k = {}); metals need fractional occupations, which are not "
                  "supported",
                  last.lowest_empty, text_of(bloch.k_points()[state.lowest_k]), least, last.highest_occupied,
                  text_of(bloch.k_points()[state.highest_k])));
}

CrystalSolver::CrystalSolver(const Setup& setup, const Settings& settings, const Bloch& bloch, GridMatrices& grid,
                             Electrostatics& electrostatics)
    : setup_(setup),
      settings_(settings),
      bloch_(bloch),
      grid_(grid),
      electrostatics_(electrostatics),
      free_(electrostatics.free_atoms()),
      overlap_(grid.overlap()),
      S_(bloch.fold(overlap_)),
      T_(bloch.fold(grid.kinetic())) {
  for (size_t k = 0; k < bloch.k_points().size(); ++k) {
    S_k_.push_back(bloch.at(k, S_));
    const Eigen::SelfAdjointEigenSolver<ComplexMatrix> solver(S_k_.back(), Eigen::EigenvaluesOnly);
    if (!(solver.eigenvalues()[0] > least_overlap))
      throw Failure(SUITE_INVALID_ARGUMENT,
                    fmt::format("the basis is linearly dependent in this crystal: its overlap at k = {} has the eigenvalue {:.2g}; a "
                                "smaller basis is needed",
                                text_of(bloch.k_points()[k]), solver.eigenvalues()[0]));
  }
}

// The blocks of R = 0 hold the norms; functions of the home cell come first among them.
double CrystalSolver::norm_error() const {
  double most = 0;
  for (size_t R = 0; R < S_.size(); ++R)
    if (const Place r = bloch_.place(R); r == Place{0, 0, 0}) most = (S_[R].diagonal().array() - 1).abs().maxCoeff();
  return most;
}

std::vector<double> CrystalSolver::start() const {
  std::vector<double> density = free_.density;
  const double factor = setup_.electrons / grid_.integral(density);
  if (needs_gradients(settings_.choices.xc)) {
    const std::vector<double> gradient = gradient_of_free_atoms(setup_, grid_.grid().coords);
    density.insert(density.end(), gradient.begin(), gradient.end());
  }
  for (double& n : density) n *= factor;
  return density;
}

void CrystalSolver::iterate(DensityMixer& mixer, CrystalState& state) {
  const Potential potential = potential_of(setup_, settings_.choices.xc, grid_, electrostatics_, free_, mixer.density(), {});
  state.H = bloch_.fold(grid_.matrices(potential.v, potential.w));
  for (size_t R = 0; R < state.H.size(); ++R) state.H[R] += T_[R];
  const size_t n_k = bloch_.k_points().size();
  state.eigenvalues.resize(n_k);
  state.C.resize(n_k);
  Energies& e = state.energies;
  e = potential.energies;
  for (size_t k = 0; k < n_k; ++k) {
    const Eigen::GeneralizedSelfAdjointEigenSolver<ComplexMatrix> solver(bloch_.at(k, state.H), S_k_[k]);
    state.eigenvalues[k] = solver.eigenvalues();
    state.C[k] = solver.eigenvectors();
    const double weight = bloch_.k_points()[k].weight;
    const auto occupied = state.C[k].leftCols(state.n_occ);
    e.band += 2 * weight * state.eigenvalues[k].head(state.n_occ).sum();
    e.kinetic += 2 * weight * (occupied.adjoint() * bloch_.at(k, T_) * occupied).trace().real();
  }
  e.mismatch = e.band - e.kinetic - potential.electrostatic_of_electrons - e.xc_potential;
  e.total = e.band - e.xc_potential + e.xc + e.electrostatic;
}

std::vector<double> CrystalSolver::density_of(const CrystalState& state) {
  Blocks P = bloch_.zeros();
  for (size_t k = 0; k < state.C.size(); ++k) {
    const auto occupied = state.C[k].leftCols(state.n_occ);
    bloch_.add(k, 2 * occupied * occupied.adjoint(), P);
  }
  return grid_.density(bloch_.unfold(P));
}

bool CrystalSolver::solve(DensityMixer& mixer, CrystalState& state, const Observer& observe) {
  state.n_occ = setup_.electrons / 2;
  if (bloch_.n_basis() < state.n_occ)
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("{} electrons need {} orbitals, and the basis has {} functions", setup_.electrons,
                                                      state.n_occ, static_cast<int>(bloch_.n_basis())));
  while (static_cast<int>(state.steps.size()) < settings_.scf.max_iterations) {
    iterate(mixer, state);
    const std::vector<double> out = density_of(state);
    ScfStep step{state.energies.total, mixer.residuals(out).front(), -std::numeric_limits<double>::infinity(),
                 std::numeric_limits<double>::infinity()};
    for (size_t k = 0; k < state.C.size(); ++k) {
      const Eigen::VectorXd& e = state.eigenvalues[k];
      if (e[state.n_occ - 1] > step.highest_occupied) step.highest_occupied = e[state.n_occ - 1], state.highest_k = k;
      if (e.size() > state.n_occ && e[state.n_occ] < step.lowest_empty) step.lowest_empty = e[state.n_occ], state.lowest_k = k;
    }
    if (!std::isfinite(step.residual) || !std::isfinite(step.energy))
      throw Failure(SUITE_INTERNAL, fmt::format("the density is not finite after iteration {}", state.steps.size() + 1));
    state.steps.push_back(step);
    state.density = mixer.density();
    state.electrons = grid_.integral(std::span(out).first(grid_.n_points()));
    mixer.next(out);
    const bool stop = observe && observe();
    if (step.residual <= settings_.scf.tolerance) return true;
    if (stop) return false;
  }
  return false;
}

// r_ai of one axis at each k point.
std::vector<ComplexMatrix> CrystalSolver::positions(const CrystalState& state, const Matrix& position, size_t axis) const {
  const std::complex<double> i(0, 1);
  const Blocks d = bloch_.fold_position(position, overlap_, axis);
  std::vector<ComplexMatrix> all;
  for (size_t k = 0; k < state.C.size(); ++k) {
    const Eigen::Index n_empty = state.C[k].cols() - state.n_occ;
    const auto occupied = state.C[k].leftCols(state.n_occ), empty = state.C[k].rightCols(n_empty);
    const ComplexMatrix dS = bloch_.derivative(k, S_, axis), dH = bloch_.derivative(k, state.H, axis);
    const ComplexMatrix S_ai = empty.adjoint() * dS * occupied, H_ai = empty.adjoint() * dH * occupied;
    ComplexMatrix r = empty.adjoint() * bloch_.at(k, d) * occupied + i * S_ai;
    const Eigen::VectorXd& e = state.eigenvalues[k];
    for (Eigen::Index o = 0; o < state.n_occ; ++o)
      for (Eigen::Index a = 0; a < n_empty; ++a) r(a, o) += i * (H_ai(a, o) - e[o] * S_ai(a, o)) / (e[o] - e[state.n_occ + a]);
    all.push_back(std::move(r));
  }
  return all;
}

bool CrystalSolver::respond(DensityMixer& mixer, const CrystalState& state, Response& response, const Observer& observe) {
  const auto n_dir = settings_.directions.size();
  const size_t points = grid_.n_points(), n_k = state.C.size();
  const Eigen::Index n_occ = state.n_occ, n = bloch_.n_basis(), cluster = overlap_.rows();
  if (n == n_occ)
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("all {} functions of the basis are occupied; a response needs empty states, which a "
                                                      "larger basis has",
                                                      static_cast<int>(n)));
  std::array<std::vector<ComplexMatrix>, 3> r;
  for (size_t axis = 0; axis < 3; ++axis)
    r[axis] = positions(state, grid_.matrices(coordinate(grid_.grid(), static_cast<int>(axis))), axis);
  const app::XcOnGrid xc(settings_.choices.xc, points, 1, state.density, true);
  while (static_cast<int>(response.steps.size()) < settings_.response.max_iterations) {
    // First iteration: independent electrons in the bare field.
    Matrix H1;
    if (!response.steps.empty()) {
      std::vector<double> v = electrostatics_.potentials(std::span(mixer.density()).first(points * n_dir));
      const std::vector<double> xc1 = xc.response(mixer.density());
      for (size_t p = 0; p < v.size(); ++p) v[p] += xc1[p];
      H1 = grid_.matrices(v, std::span(xc1).subspan(v.size()));
    }
    ResponseStep step;
    step.residual.fill(std::numeric_limits<double>::quiet_NaN());
    for (auto& row : step.polarizability) row.fill(std::numeric_limits<double>::quiet_NaN());
    Matrix P1(cluster, cluster * static_cast<Eigen::Index>(n_dir));
    for (size_t dir = 0; dir < n_dir; ++dir) {
      const auto J = static_cast<size_t>(settings_.directions[dir]);
      const auto columns = static_cast<Eigen::Index>(dir) * cluster;
      const Blocks v1 = H1.size() > 0 ? bloch_.fold(H1.middleCols(columns, cluster)) : Blocks();
      Blocks blocks = bloch_.zeros();
      for (size_t I = 0; I < 3; ++I) step.polarizability[I][J] = 0;
      for (size_t k = 0; k < n_k; ++k) {
        const Eigen::Index n_empty = n - n_occ;
        const auto occupied = state.C[k].leftCols(n_occ), empty = state.C[k].rightCols(n_empty);
        ComplexMatrix U = -r[J][k];
        if (!v1.empty()) U += empty.adjoint() * bloch_.at(k, v1) * occupied;
        const Eigen::VectorXd& e = state.eigenvalues[k];
        for (Eigen::Index o = 0; o < n_occ; ++o)
          for (Eigen::Index a = 0; a < n_empty; ++a) U(a, o) /= e[o] - e[n_occ + a];
        for (size_t I = 0; I < 3; ++I)
          step.polarizability[I][J] += 4 * bloch_.k_points()[k].weight * r[I][k].conjugate().cwiseProduct(U).sum().real();
        const ComplexMatrix half = 2 * empty * U * occupied.adjoint();
        bloch_.add(k, half + half.adjoint(), blocks);
      }
      P1.middleCols(columns, cluster) = bloch_.unfold(blocks);
    }
    const std::vector<double> out = grid_.density(P1), residuals = mixer.residuals(out);
    for (size_t dir = 0; dir < n_dir; ++dir) {
      step.residual[static_cast<size_t>(settings_.directions[dir])] = residuals[dir];
      response.invariants.charge =
          std::max(dir ? response.invariants.charge : 0.0, std::abs(grid_.integral({out.data() + dir * points, points})));
    }
    response.invariants.asymmetry = 0;
    for (const int i : settings_.directions)
      for (const int j : settings_.directions) {
        const auto I = static_cast<size_t>(i), J = static_cast<size_t>(j);
        response.invariants.asymmetry =
            std::max(response.invariants.asymmetry, std::abs(step.polarizability[I][J] - step.polarizability[J][I]));
      }
    response.steps.push_back(step);
    mixer.next(out);
    const bool stop = observe && observe();
    if (step.largest() <= settings_.response.tolerance) return true;
    if (stop) return false;
  }
  return false;
}

}  // namespace suite::all_electron
