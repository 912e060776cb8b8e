// SPDX-License-Identifier: BSD-3-Clause
// Dense linear algebra of a few long functions on a grid, stored one after another. Sums run over fixed slabs of points in a fixed order,
// so that the result is bitwise independent of the number of threads.
#pragma once

#include <complex>
#include <cstddef>

#include <Eigen/Core>

namespace suite::tddft {

template <class T> using Dense = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

// <a_i|b_j> without the volume per point: the matrix (na, nb).
template <class T> Dense<T> overlaps(const T* a, int na, const T* b, int nb, size_t points);

// a_j <- sum_i a_i c_ij in place; c is (na, nb) with nb <= na; functions from nb on are unchanged.
template <class T> void rotate(T* a, int na, const Dense<T>& c, size_t points);

// Orthonormalises the functions, with weight `point_volume`, without changing their span, by Cholesky decomposition of the overlaps,
// repeated until accurate; linearly dependent parts are replaced by noise. Returns false if a function is zero or not finite.
template <class T> bool orthonormalise(T* a, int na, size_t points, double point_volume);

double sum_of_products(const double* a, const double* b, size_t points);

}  // namespace suite::tddft
