// SPDX-License-Identifier: BSD-3-Clause
// The response is that of the basis: with d(R) = <m 0|r|n R>, r from the origin of the bra's cell, occupied i and empty a
//   r_ai(k) = C_a^H [d(k) + i dS/dk] C_i + i C_a^H (dH/dk - e_i dS/dk) C_i/(e_i - e_a)
//   U_ai = (-r_ai + <a|v1|i>)/(e_i - e_a),   D1 = f sum_ai (C_a U_ai C_i^H + h.c.),   alpha_IJ = 2 f sum_k w_k sum_ai Re[r_I,ai^* U^J_ai]
// with f = 2 electrons in each orbital; or f = 1 for either spin, over which alpha is summed. -r is the macroscopic field: the potential v1
// has no G = 0.
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

void set_frontier(CrystalSpin& spin) {
  spin.highest_occupied = -std::numeric_limits<double>::infinity();
  spin.lowest_empty = std::numeric_limits<double>::infinity();
  for (size_t k = 0; k < spin.eigenvalues.size(); ++k) {
    const Eigen::VectorXd& e = spin.eigenvalues[k];
    if (spin.n_occ > 0 && e[spin.n_occ - 1] > spin.highest_occupied) spin.highest_occupied = e[spin.n_occ - 1], spin.highest_k = k;
    if (spin.n_occ < e.size() && e[spin.n_occ] < spin.lowest_empty) spin.lowest_empty = e[spin.n_occ], spin.lowest_k = k;
  }
}

}  // namespace

void refuse_metal(const Bloch& bloch, const CrystalState& state) {
  constexpr double least = 1e-3;  // Ha
  for (size_t s = 0; s < state.spins.size(); ++s) {
    const CrystalSpin& spin = state.spins[s];
    if (!(spin.gap() < least)) continue;
    throw Failure(
        SUITE_INVALID_ARGUMENT,
        fmt::format("the crystal is a metal at these k points: the lowest empty state{} ({:.6f} Ha, at k = {}) is not at least {:g} Ha "
                    "above the highest occupied one ({:.6f} Ha, at k = {}); metals need fractional occupations, which are not "
                    "supported",
                    state.spins.size() == 1 ? ""
                    : s == 0                ? " of spin up"
                                            : " of spin down",
                    spin.lowest_empty, text_of(bloch.k_points()[spin.lowest_k]), least, spin.highest_occupied,
                    text_of(bloch.k_points()[spin.highest_k])));
  }
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

void CrystalSolver::iterate(DensityMixer& mixer, CrystalState& state) {
  const Potential potential = potential_of(setup_, settings_.choices.xc, grid_, electrostatics_, free_, mixer.density(), {});
  const Matrix H = grid_.matrices(potential.v, potential.w);
  const size_t n_k = bloch_.k_points().size();
  const double electrons = state.electrons_of_orbital();
  Energies& e = state.energies;
  e = potential.energies;
  for (size_t s = 0; s < state.spins.size(); ++s) {
    CrystalSpin& spin = state.spins[s];
    spin.H = bloch_.fold(H.middleCols(static_cast<Eigen::Index>(s) * H.rows(), H.rows()));
    for (size_t R = 0; R < spin.H.size(); ++R) spin.H[R] += T_[R];
    spin.eigenvalues.resize(n_k);
    spin.C.resize(n_k);
    for (size_t k = 0; k < n_k; ++k) {
      const Eigen::GeneralizedSelfAdjointEigenSolver<ComplexMatrix> solver(bloch_.at(k, spin.H), S_k_[k]);
      spin.eigenvalues[k] = solver.eigenvalues();
      spin.C[k] = solver.eigenvectors();
      const double weight = electrons * bloch_.k_points()[k].weight;
      const auto occupied = spin.C[k].leftCols(spin.n_occ);
      e.band += weight * spin.eigenvalues[k].head(spin.n_occ).sum();
      e.kinetic += weight * (occupied.adjoint() * bloch_.at(k, T_) * occupied).trace().real();
    }
    set_frontier(spin);
  }
  e.mismatch = e.band - e.kinetic - potential.electrostatic_of_electrons - e.xc_potential;
  e.total = e.band - e.xc_potential + e.xc + e.electrostatic;
}

std::vector<double> CrystalSolver::density_of(const CrystalState& state) {
  const Eigen::Index cluster = overlap_.rows();
  Matrix all(cluster, cluster * static_cast<Eigen::Index>(state.spins.size()));
  for (size_t s = 0; s < state.spins.size(); ++s) {
    const CrystalSpin& spin = state.spins[s];
    Blocks P = bloch_.zeros();
    for (size_t k = 0; k < spin.C.size(); ++k) {
      const auto occupied = spin.C[k].leftCols(spin.n_occ);
      bloch_.add(k, state.electrons_of_orbital() * occupied * occupied.adjoint(), P);
    }
    bloch_.unfold(P, all.middleCols(static_cast<Eigen::Index>(s) * cluster, cluster));
  }
  return grid_.density(all);
}

bool CrystalSolver::solve(DensityMixer& mixer, CrystalState& state, const Observer& observe) {
  const int up = (setup_.electrons + setup_.unpaired) / 2;
  if (bloch_.n_basis() < up)
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("{} electrons need {} orbitals, and the basis has {} functions", setup_.electrons, up,
                                                      static_cast<int>(bloch_.n_basis())));
  state.spins.resize(n_spin_of(setup_));
  for (size_t s = 0; s < state.spins.size(); ++s) state.spins[s].n_occ = s == 0 ? up : up - setup_.unpaired;
  while (static_cast<int>(state.steps.size()) < settings_.scf.max_iterations) {
    iterate(mixer, state);
    const std::vector<double> out = density_of(state);
    ScfStep step{state.energies.total, mixer.residuals(out).front(), -std::numeric_limits<double>::infinity(),
                 std::numeric_limits<double>::infinity()};
    state.electrons = 0;
    for (size_t s = 0; s < state.spins.size(); ++s) {
      step.highest_occupied = std::max(step.highest_occupied, state.spins[s].highest_occupied);
      step.lowest_empty = std::min(step.lowest_empty, state.spins[s].lowest_empty);
      state.electrons += grid_.integral(std::span(out).subspan(s * grid_.n_points(), grid_.n_points()));
    }
    if (!std::isfinite(step.residual) || !std::isfinite(step.energy))
      throw Failure(SUITE_INTERNAL, fmt::format("the density is not finite after iteration {}", state.steps.size() + 1));
    state.steps.push_back(step);
    state.density = mixer.density();
    mixer.next(out);
    const bool stop = observe && observe();
    if (step.residual <= settings_.scf.tolerance) return true;
    if (stop) return false;
  }
  return false;
}

// r_ai of one axis at each k point.
std::vector<ComplexMatrix> CrystalSolver::positions(const CrystalSpin& spin, const Matrix& position, size_t axis) const {
  const std::complex<double> i(0, 1);
  const Blocks d = bloch_.fold_position(position, overlap_, axis);
  std::vector<ComplexMatrix> all;
  for (size_t k = 0; k < spin.C.size(); ++k) {
    const Eigen::Index n_empty = spin.C[k].cols() - spin.n_occ;
    const auto occupied = spin.C[k].leftCols(spin.n_occ), empty = spin.C[k].rightCols(n_empty);
    const ComplexMatrix dS = bloch_.derivative(k, S_, axis), dH = bloch_.derivative(k, spin.H, axis);
    const ComplexMatrix S_ai = empty.adjoint() * dS * occupied, H_ai = empty.adjoint() * dH * occupied;
    ComplexMatrix r = empty.adjoint() * bloch_.at(k, d) * occupied + i * S_ai;
    const Eigen::VectorXd& e = spin.eigenvalues[k];
    for (Eigen::Index o = 0; o < spin.n_occ; ++o)
      for (Eigen::Index a = 0; a < n_empty; ++a) r(a, o) += i * (H_ai(a, o) - e[o] * S_ai(a, o)) / (e[o] - e[spin.n_occ + a]);
    all.push_back(std::move(r));
  }
  return all;
}

// v1: blocks of the induced potential, or empty. Adds the density matrix that it and the field along J induce, and the column J of alpha.
void CrystalSolver::add_response(const CrystalSpin& spin, double electrons, const Positions& r, size_t J, const Blocks& v1, Blocks& P1,
                                 Tensor& alpha) const {
  for (size_t k = 0; k < spin.C.size(); ++k) {
    const Eigen::Index n_empty = spin.C[k].cols() - spin.n_occ;
    const auto occupied = spin.C[k].leftCols(spin.n_occ), empty = spin.C[k].rightCols(n_empty);
    ComplexMatrix U = -r[J][k];
    if (!v1.empty()) U += empty.adjoint() * bloch_.at(k, v1) * occupied;
    const Eigen::VectorXd& e = spin.eigenvalues[k];
    for (Eigen::Index o = 0; o < spin.n_occ; ++o)
      for (Eigen::Index a = 0; a < n_empty; ++a) U(a, o) /= e[o] - e[spin.n_occ + a];
    for (size_t I = 0; I < 3; ++I)
      alpha[I][J] += 2 * electrons * bloch_.k_points()[k].weight * r[I][k].conjugate().cwiseProduct(U).sum().real();
    const ComplexMatrix half = electrons * empty * U * occupied.adjoint();
    bloch_.add(k, half + half.adjoint(), P1);
  }
}

bool CrystalSolver::respond(DensityMixer& mixer, const CrystalState& state, Response& response, const Observer& observe) {
  const size_t n_dir = settings_.directions.size(), points = grid_.n_points(), n_spin = state.spins.size(), size = points * n_dir;
  const Eigen::Index n = bloch_.n_basis(), cluster = overlap_.rows();
  if (n == state.spins.front().n_occ)
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("all {} functions of the basis are occupied; a response needs empty states, which a "
                                                      "larger basis has",
                                                      static_cast<int>(n)));
  std::vector<Positions> r(n_spin);
  for (size_t axis = 0; axis < 3; ++axis) {
    const Matrix position = grid_.matrices(coordinate(grid_.grid(), static_cast<int>(axis)));
    for (size_t s = 0; s < n_spin; ++s) r[s][axis] = positions(state.spins[s], position, axis);
  }
  const app::XcOnGrid xc(settings_.choices.xc, points, n_spin, state.density, true);
  while (static_cast<int>(response.steps.size()) < settings_.response.max_iterations) {
    // First iteration: independent electrons in the bare field. Each P1 takes the place of its H1.
    const bool bare = response.steps.empty();
    Matrix matrices(bare ? cluster : 0, bare ? cluster * static_cast<Eigen::Index>(n_dir * n_spin) : 0);
    if (!bare) {
      const std::vector<double>& n1 = mixer.density();
      std::vector<double> sum(n1.begin(), n1.begin() + static_cast<std::ptrdiff_t>(size));
      for (size_t p = 0; p < size && n_spin == 2; ++p) sum[p] += n1[size + p];
      const std::vector<double> es = electrostatics_.potentials(sum);
      std::vector<double> v1 = xc.response(n1);
      for (size_t p = 0; p < n_spin * size; ++p) v1[p] += es[p % size];
      matrices = grid_.matrices(std::span(v1).first(n_spin * size), std::span(v1).subspan(n_spin * size));
    }
    ResponseStep step;
    step.residual.fill(std::numeric_limits<double>::quiet_NaN());
    for (auto& row : step.polarizability) row.fill(std::numeric_limits<double>::quiet_NaN());
    for (const int J : settings_.directions)
      for (auto& row : step.polarizability) row[static_cast<size_t>(J)] = 0;
    for (size_t i = 0; i < n_dir * n_spin; ++i) {
      const size_t s = i / n_dir;
      auto matrix = matrices.middleCols(static_cast<Eigen::Index>(i) * cluster, cluster);
      Blocks blocks = bloch_.zeros();
      add_response(state.spins[s], state.electrons_of_orbital(), r[s], static_cast<size_t>(settings_.directions[i % n_dir]),
                   bare ? Blocks() : bloch_.fold(matrix), blocks, step.polarizability);
      bloch_.unfold(blocks, matrix);
    }
    const std::vector<double> out = grid_.density(matrices), residuals = mixer.residuals(out);
    for (size_t dir = 0; dir < n_dir; ++dir) {
      step.residual[static_cast<size_t>(settings_.directions[dir])] = residuals[dir];
      if (!std::isfinite(residuals[dir]))
        throw Failure(SUITE_INTERNAL, fmt::format("the response density is not finite after iteration {}", response.steps.size() + 1));
    }
    response.invariants.charge = response.invariants.asymmetry = 0;
    for (size_t i = 0; i < n_dir * n_spin; ++i)
      response.invariants.charge = std::max(response.invariants.charge, std::abs(grid_.integral({out.data() + i * points, points})));
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
