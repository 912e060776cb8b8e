// SPDX-License-Identifier: BSD-3-Clause
#include "eigenpairs.hpp"

#include <Eigen/Eigenvalues>

namespace suite::app {

template <class T> Eigenpairs<T> eigenpairs_of(const Dense<T>& a) {
  const Eigen::SelfAdjointEigenSolver<Dense<T>> solver(a);
  return {solver.info() == Eigen::Success, solver.eigenvalues(), solver.eigenvectors()};
}

template Eigenpairs<double> eigenpairs_of(const Dense<double>&);
template Eigenpairs<std::complex<double>> eigenpairs_of(const Dense<std::complex<double>>&);

}  // namespace suite::app
