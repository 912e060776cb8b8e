// SPDX-License-Identifier: BSD-3-Clause
#include "eigenproblem.hpp"

#include <limits>

#include <fmt/core.h>

#include <suite/plugin.hpp>

namespace suite::all_electron {

Eigenproblem::Eigenproblem(const Matrix& overlap, const app::Communicator& world, const BlockPattern* pattern, double threshold)
    : world_(world), library_(world.root() ? linear_algebra_for(overlap.rows()) : eigen()), n_basis_(overlap.rows()), pattern_(pattern) {
  if (world_.root() && !orthonormalise_by_triangle(overlap, threshold)) orthonormalise(overlap, threshold);
  world_.share(n_states_);
}

// With X^T S X = 1, the sum of X's squares is the trace of S^-1, thus no less than the reciprocal of S's smallest eigenvalue. A triangle halves
// most products with X, and is found in a tenth of the time.
bool Eigenproblem::orthonormalise_by_triangle(const Matrix& overlap, double threshold) {
  if (!pattern_) return false;
  std::optional<Matrix> X = library_.inverse_factor(overlap);
  if (!X || !(1 > threshold * X->squaredNorm())) return false;
  orthonormal_ = *std::move(X);
  n_states_ = n_basis_;
  triangular_ = true;
  return true;
}

void Eigenproblem::orthonormalise(const Matrix& overlap, double threshold) {
  const std::optional<Eigenpairs> pairs = library_.eigenpairs(overlap);
  const double least = pairs ? pairs->values[0] : std::numeric_limits<double>::quiet_NaN();
  if (!(least > -threshold))
    throw Failure(SUITE_INTERNAL, fmt::format("the overlap of the basis functions has an eigenvalue of "
                                              "{:.3g}; the integration grid is too coarse for this basis",
                                              least));
  const Eigen::VectorXd& s = pairs->values;
  n_states_ = (s.array() >= threshold).count();
  orthonormal_ = pairs->vectors.rightCols(n_states_) * s.tail(n_states_).cwiseSqrt().cwiseInverse().asDiagonal();
}

States Eigenproblem::solve(const Matrix& H) const {
  States states;
  if (world_.root()) {
    const std::optional<Eigenpairs> pairs =
        library_.eigenpairs(triangular_ ? pattern_->transformed(library_, H, orthonormal_)
                                        : library_.transposed_product(orthonormal_, library_.product(H, orthonormal_)));
    if (!pairs) throw Failure(SUITE_INTERNAL, "cannot diagonalise the Hamiltonian: it is not finite");
    states.eigenvalues = pairs->values;
    states.C = triangular_ ? triangular_product(library_, orthonormal_, pairs->vectors) : library_.product(orthonormal_, pairs->vectors);
  } else {
    states.eigenvalues.resize(n_states_);
    states.C.resize(n_basis_, n_states_);
  }
  const auto bytes = [](auto& m) {
    return std::span<char>(reinterpret_cast<char*>(m.data()), static_cast<size_t>(m.size()) * sizeof(double));
  };
  world_.broadcast(bytes(states.eigenvalues), 0);
  world_.broadcast(bytes(states.C), 0);
  return states;
}

}  // namespace suite::all_electron
