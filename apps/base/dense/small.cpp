// SPDX-License-Identifier: BSD-3-Clause
#include "small.hpp"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>

namespace suite::app {

namespace {
using Complex = std::complex<double>;
using Matrix = Eigen::Matrix<Complex, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, most_small, most_small>;
using Vector = Eigen::Matrix<Complex, Eigen::Dynamic, 1, Eigen::ColMajor, most_small, 1>;
}  // namespace

bool least_squares(int m, int n, const Complex* a, const Complex* b, Complex* x) {
  const Matrix matrix = Eigen::Map<const Eigen::MatrixXcd>(a, m, n);
  const Vector right = Eigen::Map<const Eigen::VectorXcd>(b, m);
  const Vector found = matrix.colPivHouseholderQr().solve(right);
  for (int i = 0; i < n; ++i) x[i] = found[i];
  return found.allFinite();
}

// Eigenvalues of the companion matrix.
bool polynomial_roots(int n, const Complex* c, Complex* roots) {
  Matrix companion = Matrix::Zero(n, n);
  for (int i = 0; i + 1 < n; ++i) companion(i + 1, i) = 1;
  for (int i = 0; i < n; ++i) companion(i, n - 1) = -c[i];
  if (!companion.allFinite()) return false;
  const Eigen::ComplexEigenSolver<Matrix> solver(companion, false);
  for (int i = 0; i < n; ++i) roots[i] = solver.eigenvalues()[i];
  return solver.info() == Eigen::Success;
}

}  // namespace suite::app
