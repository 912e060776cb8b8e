// SPDX-License-Identifier: BSD-3-Clause
// Eigenvalues and eigenvectors of dense Hermitian matrices, for double and std::complex<double>.
#pragma once

#include <complex>

#include <Eigen/Core>

namespace suite::app {

template <class T> using Dense = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

template <class T> struct Eigenpairs {
  bool found = false;      // not so where the matrix is not finite
  Eigen::VectorXd values;  // rising
  Dense<T> vectors;        // one a column, orthonormal
};

// Of a(n,n), whose lower triangle is read.
template <class T> Eigenpairs<T> eigenpairs_of(const Dense<T>& a);

extern template Eigenpairs<double> eigenpairs_of(const Dense<double>&);
extern template Eigenpairs<std::complex<double>> eigenpairs_of(const Dense<std::complex<double>>&);

}  // namespace suite::app
