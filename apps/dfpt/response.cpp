// SPDX-License-Identifier: BSD-3-Clause
#include "response.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

namespace suite::all_electron {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

double ResponseStep::largest() const {
  double most = 0;
  for (const double r : residual) most = std::fmax(most, r);  // skips NaN
  return most;
}

namespace {

class ClosedShells final : public OrbitalResponse {
public:
  ClosedShells(const Setup& setup, const Settings& settings, GridMatrices& grid, Kernels& kernels, const GroundStateSolver& solver,
               const GroundState& ground)
      : settings_(settings),
        grid_(grid),
        response_(kernels.open("response")),
        orbital_form_(use_orbitals(settings.form, form_costs(setup.grid, ground.n_occ, static_cast<int64_t>(settings.directions.size())))),
        library_(linear_algebra_for(solver.overlap().rows())),
        blocks_(orbital_form_ || kernels.implementation() != "cpu" ? nullptr : solver.blocks()),
        occupied_(ground.states.C.leftCols(ground.n_occ)),
        S_C_(library_.product(solver.overlap(), occupied_)) {
    const Eigen::Index n_occ = ground.n_occ, n_states = ground.states.C.cols(), n = ground.states.C.rows();
    orthonormality_ = (library_.transposed_product(occupied_, S_C_) - Matrix::Identity(n_occ, n_occ)).cwiseAbs().maxCoeff();
    const auto columns = static_cast<Eigen::Index>(n_dir());
    C1_.resize(n, n_occ * columns);
    if (!orbital_form_) P1_.resize(n, n * columns);
    Kernel& k = response_.kernel();
    k.set("C", ground.states.C.data(), {n, n_states});
    k.set("eigenvalues", ground.states.eigenvalues.data(), {n_states});
    k.set("n_occ", static_cast<int32_t>(n_occ));
    k.set("C1", C1_.data(), {n, n_occ, columns});
    if (!orbital_form_ && !blocks_) k.set("density_matrix", P1_.data(), {n, n, columns});
  }

  bool orbital_form() const override { return orbital_form_; }

  std::vector<double> density_of(std::span<const double> v, std::span<const double> w) override {
    const Eigen::Index n = occupied_.rows(), n_occ = occupied_.cols();
    const auto columns = static_cast<int64_t>(n_dir());
    const Matrix H1 = orbital_form_ ? grid_.products(v, w, occupied_) : grid_.matrices(v, w);
    Kernel& k = response_.kernel();
    if (orbital_form_) k.set("HC1", H1.data(), {n, n_occ, columns});
    else k.set("H1", H1.data(), {n, n, columns});
    response_.run();
    k.get("C1", C1_.data(), {n, n_occ, columns});
    if (orbital_form_) return grid_.density_of_orbitals(occupied_, C1_);
    if (blocks_) {
      const Matrix twice = 2 * occupied_;
      for (int64_t d = 0; d < columns; ++d)
        blocks_->add_up_symmetric(library_, C1_.middleCols(d * n_occ, n_occ), twice, P1_.middleCols(d * n, n));
    } else {
      k.get("density_matrix", P1_.data(), {n, n, columns});
    }
    return grid_.density(P1_);
  }

  Invariants invariants() const override {
    Invariants out;
    const Eigen::Index n_occ = occupied_.cols();
    out.orthonormality = orthonormality_;
    const Matrix deviations = library_.transposed_product(S_C_, C1_);
    for (size_t d = 0; d < n_dir(); ++d) {
      const auto deviation = deviations.middleCols(static_cast<Eigen::Index>(d) * n_occ, n_occ);
      out.overlap = std::max(out.overlap, std::abs(4 * deviation.trace()));
      out.idempotency = std::max(out.idempotency, deviation.cwiseAbs().maxCoeff());
    }
    return out;
  }

private:
  size_t n_dir() const { return settings_.directions.size(); }

  const Settings& settings_;
  GridMatrices& grid_;
  app::TimedKernel& response_;
  bool orbital_form_;
  const LinearAlgebra& library_;
  const BlockPattern* blocks_;  // of P1; nullptr: dfpt.response makes all of it
  Matrix occupied_;            // occupied columns of C
  Matrix S_C_;                 // overlap times occupied_
  double orthonormality_ = 0;  // Invariants::orthonormality
  Matrix C1_, P1_;
};

}  // namespace

ResponseSolver::ResponseSolver(const Setup& setup, const Settings& settings, GridMatrices& grid, Electrostatics& electrostatics,
                               Kernels& kernels, const GroundStateSolver& solver, const GroundState& ground)
    : settings_(settings),
      grid_(grid),
      electrostatics_(electrostatics),
      n_spin_(solver.n_spin()),
      xc_(settings.choices.xc, grid.n_points(), n_spin_, ground.density, true) {
  if (solver.eigenproblem().n_states() == solver.n_occ())
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("all {} functions of the basis are occupied; a "
                                                      "response needs empty states, which a larger basis has",
                                                      solver.n_occ()));
  for (size_t axis = 0; axis < 3; ++axis) position_[axis] = coordinate(grid.grid(), static_cast<int>(axis));
  for (const int axis : settings.directions)
    for (const double x : position_[static_cast<size_t>(axis)]) field_.push_back(-x);
  if (n_spin_ == 2) orbitals_ = response_of_spins(grid, solver, ground);
  else orbitals_ = std::make_unique<ClosedShells>(setup, settings, grid, kernels, solver, ground);
}

// v(n_points,n_dir) for each spin.
std::vector<double> ResponseSolver::of_all_spins(const std::vector<double>& v) const {
  std::vector<double> all;
  for (size_t s = 0; s < n_spin_; ++s) all.insert(all.end(), v.begin(), v.end());
  return all;
}

std::vector<double> ResponseSolver::potential(const std::vector<double>& n1) {
  const size_t size = field_.size();
  std::vector<double> both(n_spin_ == 2 ? size : 0);
  for (size_t i = 0; i < both.size(); ++i) both[i] = n1[i] + n1[size + i];
  const std::vector<double> v = electrostatics_.potentials(both.empty() ? std::span(n1).first(size) : std::span<const double>(both));
  std::vector<double> all = xc_.response(n1);
  for (size_t s = 0; s < n_spin_; ++s)
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < size; ++i) all[s * size + i] = v[i] + (field_[i] + all[s * size + i]);
  return all;
}

// alpha_IJ = int r_I n1_J
Tensor ResponseSolver::polarizability(const std::vector<double>& n1) const {
  Tensor alpha;
  for (auto& row : alpha) row.fill(nan);
  const size_t points = grid_.n_points();
  for (size_t d = 0; d < n_dir(); ++d)
    for (size_t axis = 0; axis < 3; ++axis) {
      double& sum = alpha[axis][static_cast<size_t>(settings_.directions[d])] = 0;
      for (size_t s = 0; s < n_spin_; ++s) sum += grid_.integral(position_[axis], {n1.data() + (d + n_dir() * s) * points, points});
    }
  return alpha;
}

std::vector<double> ResponseSolver::respond(const std::vector<double>& v1) {
  const size_t column = n_spin_ * field_.size();
  return orbitals_->density_of(std::span(v1).first(column), std::span(v1).subspan(column));
}

Invariants ResponseSolver::invariants(const std::vector<double>& n1, const Tensor& alpha) const {
  Invariants out = orbitals_->invariants();
  const size_t points = grid_.n_points();
  for (size_t i = 0; i < n_spin_ * n_dir(); ++i)
    out.charge = std::max(out.charge, std::abs(grid_.integral({n1.data() + i * points, points})));
  for (const int i : settings_.directions)
    for (const int j : settings_.directions) {
      const auto a = static_cast<size_t>(i), b = static_cast<size_t>(j);
      out.asymmetry = std::max(out.asymmetry, std::abs(alpha[a][b] - alpha[b][a]));
    }
  return out;
}

bool ResponseSolver::solve(DensityMixer& mixer, Response& response, const Observer& observe) {
  const double tolerance = settings_.response.tolerance;
  if (!response.steps.empty() && response.steps.back().largest() <= tolerance) return true;
  while (static_cast<int>(response.steps.size()) < settings_.response.max_iterations) {
    // First iteration: independent electrons in the bare field.
    const bool first = response.steps.empty();
    const std::vector<double> out = respond(first ? of_all_spins(field_) : potential(mixer.density()));
    const std::vector<double> residuals = mixer.residuals(out);
    ResponseStep step;
    step.residual.fill(nan);
    for (size_t d = 0; d < n_dir(); ++d) {
      step.residual[static_cast<size_t>(settings_.directions[d])] = residuals[d];
      if (!std::isfinite(residuals[d]))
        throw Failure(SUITE_INTERNAL, fmt::format("the response density is not finite after iteration {}", response.steps.size() + 1));
    }
    step.polarizability = polarizability(out);
    response.steps.push_back(step);
    const bool last = step.largest() <= tolerance || static_cast<int>(response.steps.size()) == settings_.response.max_iterations;
    if (last) response.invariants = invariants(out, step.polarizability);
    mixer.next(out);
    const bool stop = observe && observe();
    if (stop && !last) response.invariants = invariants(out, step.polarizability);
    if (step.largest() <= tolerance) return true;
    if (stop) return false;
  }
  return false;
}

}  // namespace suite::all_electron
