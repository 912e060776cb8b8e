// SPDX-License-Identifier: BSD-3-Clause
// Which blocks of matrices in the basis belong to functions that share points. The others are 0 in the overlap and in every H, and those of
// a density matrix are not read: of a strand of 600 atoms seven eighths.
#pragma once

#include <vector>

#include "integration_setup.hpp"
#include "linear_algebra.hpp"

namespace suite::all_electron {

class BlockPattern {
public:
  // grid: with the batches of all processes.
  BlockPattern(const Grid& grid, Eigen::Index n_basis);

  // Of all elements those in the blocks.
  double share() const;

  // a b^T + b a^T in the blocks, 0 elsewhere.
  void add_up_symmetric(const LinearAlgebra& library, const ConstPart& a, const ConstPart& b, Part sum) const;
  // The lower triangle of X^T H X; H symmetric and 0 outside the blocks, X upper triangular.
  Matrix transformed(const LinearAlgebra& library, const Matrix& H, const Matrix& X) const;

private:
  struct Rows {
    Eigen::Index first, count;
  };
  Eigen::Index begin(size_t block) const;
  Eigen::Index size(size_t block) const { return begin(block + 1) - begin(block); }

  Eigen::Index n_;
  std::vector<std::vector<Rows>> rows_;  // of each block of columns
};

// X V of upper triangular X.
Matrix triangular_product(const LinearAlgebra& library, const Matrix& X, const Matrix& V);

}  // namespace suite::all_electron
