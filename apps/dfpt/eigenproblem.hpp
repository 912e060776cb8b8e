// SPDX-License-Identifier: BSD-3-Clause
// H C = S C e in a basis that may be nearly linearly dependent.
#pragma once

#include "block_pattern.hpp"
#include "common/communicator.hpp"

namespace suite::all_electron {

struct States {
  Eigen::VectorXd eigenvalues;  // Ha, ascending
  Matrix C;                     // (n_basis,n_states), C^T S C = 1
};

class Eigenproblem {
public:
  // Combinations of functions whose overlap eigenvalue is below `threshold` are dropped. pattern: of overlap and H, if known.
  Eigenproblem(const Matrix& overlap, const app::Communicator& world, const BlockPattern* pattern = nullptr, double threshold = 1e-7);

  Eigen::Index n_states() const { return n_states_; }
  std::string library() const { return library_.name(); }  // the root's eigenvalue solver
  // Returns the same on every process.
  States solve(const Matrix& H) const;

private:
  bool orthonormalise_by_triangle(const Matrix& overlap, double threshold);
  void orthonormalise(const Matrix& overlap, double threshold);

  const app::Communicator& world_;
  const LinearAlgebra& library_;  // of the root, which solves for all
  Eigen::Index n_basis_, n_states_ = 0;
  const BlockPattern* pattern_;
  Matrix orthonormal_;       // (n_basis,n_states), on the root
  bool triangular_ = false;  // orthonormal_: upper
};

}  // namespace suite::all_electron
