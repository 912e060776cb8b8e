// SPDX-License-Identifier: BSD-3-Clause
#include "eigenproblem.hpp"

#include <limits>

#include <fmt/core.h>

#include <suite/plugin.hpp>

namespace suite::all_electron {

Eigenproblem::Eigenproblem(const Matrix& overlap, const app::Communicator& world, double threshold)
    : world_(world), library_(world.root() ? linear_algebra_for(overlap.rows()) : eigen()), n_basis_(overlap.rows()) {
  if (world_.root()) orthonormalise(overlap, threshold);
  world_.share(n_states_);
  world_.share(least_overlap_);
}

void Eigenproblem::orthonormalise(const Matrix& overlap, double threshold) {
  const std::optional<Eigenpairs> pairs = library_.eigenpairs(overlap);
  least_overlap_ = pairs ? pairs->values[0] : std::numeric_limits<double>::quiet_NaN();
  if (!(least_overlap_ > -threshold))
    throw Failure(SUITE_INTERNAL, fmt::format("the overlap of the basis functions has an eigenvalue of "
                                              "{:.3g}; the integration grid is too coarse for this basis",
                                              least_overlap_));
  const Eigen::VectorXd& s = pairs->values;
  n_states_ = (s.array() >= threshold).count();
  orthonormal_ = pairs->vectors.rightCols(n_states_) * s.tail(n_states_).cwiseSqrt().cwiseInverse().asDiagonal();
}

States Eigenproblem::solve(const Matrix& H) const {
  States states;
  if (world_.root()) {
    const std::optional<Eigenpairs> pairs =
        library_.eigenpairs(library_.transposed_product(orthonormal_, library_.product(H, orthonormal_)));
    if (!pairs) throw Failure(SUITE_INTERNAL, "cannot diagonalise the Hamiltonian: it is not finite");
    states.eigenvalues = pairs->values;
    states.C = library_.product(orthonormal_, pairs->vectors);
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
