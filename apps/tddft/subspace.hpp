// SPDX-License-Identifier: BSD-3-Clause
// Dense linear algebra between a few long functions on a grid, one after another in memory. Sums go over
// fixed slabs of points in a fixed order, so that the number of threads does not change a bit.
#pragma once

#include <complex>
#include <cstddef>

#include <Eigen/Core>

namespace suite::tddft {

template <class T> using Dense = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

// <a_i|b_j> without the volume of a point: the matrix (na, nb).
template <class T> Dense<T> overlaps(const T* a, int na, const T* b, int nb, size_t points);

// a_j <- sum_i a_i c_ij in place; c is (na, nb) with nb <= na, the functions beyond nb keep what they had.
template <class T> void rotate(T* a, int na, const Dense<T>& c, size_t points);

// Makes the functions orthonormal, with `point_volume` as weight, without changing the space they span, by
// Cholesky's decomposition of the overlaps, repeated until it is accurate; what is linearly dependent is
// replaced by noise. False if a function is zero or not finite.
template <class T> bool orthonormalise(T* a, int na, size_t points, double point_volume);

double sum_of_products(const double* a, const double* b, size_t points);

}  // namespace suite::tddft
