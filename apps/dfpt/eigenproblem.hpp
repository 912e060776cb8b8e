// SPDX-License-Identifier: BSD-3-Clause
// H C = S C e in a basis that may be nearly linearly dependent.
#pragma once

#include "../common/communicator.hpp"
#include "grid_matrices.hpp"

namespace suite::all_electron {

struct States {
  Eigen::VectorXd eigenvalues;  // Ha, rising
  Matrix C;                     // (n_basis,n_states), C^T S C = 1
};

class Eigenproblem {
public:
  // Combinations of functions whose overlap has an eigenvalue below `threshold` are left out.
  Eigenproblem(const Matrix& overlap, const app::Communicator& world, double threshold = 1e-7);

  Eigen::Index n_states() const { return orthonormal_.cols(); }
  double least_overlap() const { return least_overlap_; }
  // The same on every process.
  States solve(const Matrix& H) const;

private:
  const app::Communicator& world_;
  Matrix orthonormal_;  // (n_basis,n_states)
  double least_overlap_ = 0;
};

}  // namespace suite::all_electron
