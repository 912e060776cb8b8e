// SPDX-License-Identifier: BSD-3-Clause
// Eigenvalues and eigenvectors of dense Hermitian matrices, for double and std::complex<double>.
#pragma once

#include <complex>

#include <Eigen/Core>

namespace suite::app {

template <class T> using Dense = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

template <class T> struct Eigenpairs {
  bool found = false;      // false if the matrix is not finite
  Eigen::VectorXd values;  // in ascending order
  Dense<T> vectors;        // one per column, orthonormal
};

// Eigenpairs of a(n,n); only the lower triangle is read.
template <class T> Eigenpairs<T> eigenpairs_of(const Dense<T>& a);

extern template Eigenpairs<double> eigenpairs_of(const Dense<double>&);
extern template Eigenpairs<std::complex<double>> eigenpairs_of(const Dense<std::complex<double>>&);

}  // namespace suite::app
