// SPDX-License-Identifier: BSD-3-Clause
// Eigenvalues and products of dense real matrices: by LAPACK and BLAS if available and worthwhile, else by Eigen.
#pragma once

#include <optional>
#include <string>

#include <Eigen/Core>

namespace suite::all_electron {

using Matrix = Eigen::MatrixXd;
// Parts of matrices.
using Part = Eigen::Ref<Matrix>;
using ConstPart = Eigen::Ref<const Matrix>;

struct Eigenpairs {
  Eigen::VectorXd values;  // (n) ascending
  Matrix vectors;          // (n,n) orthonormal columns
};

class LinearAlgebra {
public:
  virtual ~LinearAlgebra() = default;
  virtual std::string name() const = 0;  // "Eigen 3.4.0", "LAPACK 3.9.0, OpenBLAS 0.3.21"
  // Of a symmetric matrix, of which the lower triangle is read; nullopt if it is not finite or the solver fails.
  virtual std::optional<Eigenpairs> eigenpairs(Matrix symmetric) const = 0;
  // Upper triangular X with X^T S X = 1 of a symmetric matrix; nullopt if there is none, or if the library does not find it.
  virtual std::optional<Matrix> inverse_factor(Matrix symmetric) const = 0;
  virtual Matrix product(const Matrix& a, const Matrix& b) const = 0;             // a b
  virtual Matrix transposed_product(const Matrix& a, const Matrix& b) const = 0;  // a^T b
  // c += a^T b, and c += a b^T.
  virtual void add_transposed_product(const ConstPart& a, const ConstPart& b, Part c) const = 0;
  virtual void add_product_with_transposed(const ConstPart& a, const ConstPart& b, Part c) const = 0;
  // c += a b
  virtual void add_product(const ConstPart& a, const ConstPart& b, Part c) const = 0;
};

const LinearAlgebra& eigen();
// Returns nullptr, with the reason in why, if LAPACK is not in this build or cannot be loaded.
const LinearAlgebra* lapack(std::string* why = nullptr);

// The library for matrices of n rows. Eigen for small ones and in deterministic runs: the bits of a BLAS depend on its number of threads
// and on which one is installed.
const LinearAlgebra& linear_algebra_for(Eigen::Index n);

}  // namespace suite::all_electron
