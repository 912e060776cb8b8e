// SPDX-License-Identifier: BSD-3-Clause
#include "eigenproblem.hpp"

#include <Eigen/Eigenvalues>

#include "../common/print.hpp"

namespace suite::all_electron {

Eigenproblem::Eigenproblem(const Matrix& overlap, const app::Communicator& world, double threshold)
    : world_(world) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(overlap);
  const Eigen::VectorXd& s = solver.eigenvalues();
  least_overlap_ = s[0];
  if (solver.info() != Eigen::Success || !(s[0] > -threshold))
    throw Failure(SUITE_INTERNAL,
                  app::print("the overlap of the basis functions has an eigenvalue of %.3g; the integration "
                             "grid is too coarse for this basis",
                             s[0]));
  const Eigen::Index dropped = (s.array() < threshold).count();
  orthonormal_ = solver.eigenvectors().rightCols(s.size() - dropped) *
                 s.tail(s.size() - dropped).cwiseSqrt().cwiseInverse().asDiagonal();
}

States Eigenproblem::solve(const Matrix& H) const {
  States states;
  if (world_.root()) {
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(orthonormal_.transpose() * H * orthonormal_);
    if (solver.info() != Eigen::Success || !solver.eigenvalues().allFinite())
      throw Failure(SUITE_INTERNAL, "the eigenvalues of the Hamiltonian were not found; it is not finite");
    states.eigenvalues = solver.eigenvalues();
    states.C = orthonormal_ * solver.eigenvectors();
  } else {
    states.eigenvalues.resize(n_states());
    states.C.resize(orthonormal_.rows(), n_states());
  }
  const auto bytes = [](auto& m) {
    return std::span<char>(reinterpret_cast<char*>(m.data()), static_cast<size_t>(m.size()) * sizeof(double));
  };
  world_.broadcast(bytes(states.eigenvalues), 0);
  world_.broadcast(bytes(states.C), 0);
  return states;
}

}  // namespace suite::all_electron
