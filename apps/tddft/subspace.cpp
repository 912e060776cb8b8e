// SPDX-License-Identifier: BSD-3-Clause
#include "subspace.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <Eigen/Cholesky>

#include "base/dense/eigenpairs.hpp"

namespace suite::tddft {

namespace {

constexpr size_t slabs = 32;    // each summed by one thread
constexpr size_t block = 1024;  // points whose values stay in cache: 16 kB of one complex function

template <class T> auto view(const T* a, size_t first, size_t count, int functions, size_t points) {
  return Eigen::Map<const Dense<T>, 0, Eigen::OuterStride<>>(a + first, static_cast<Eigen::Index>(count), functions,
                                                             Eigen::OuterStride<>(points));
}

template <class F> void for_blocks(size_t first, size_t end, F&& f) {
  for (size_t at = first; at < end; at += block) f(at, std::min(block, end - at));
}

}  // namespace

template <class T> Dense<T> overlaps(const T* a, int na, const T* b, int nb, size_t points) {
  std::vector<Dense<T>> partial(slabs, Dense<T>::Zero(na, nb));
#pragma omp parallel for schedule(static)
  for (size_t slab = 0; slab < slabs; ++slab)
    for_blocks(points * slab / slabs, points * (slab + 1) / slabs, [&](size_t at, size_t count) {
      partial[slab].noalias() += view(a, at, count, na, points).adjoint() * view(b, at, count, nb, points);
    });
  Dense<T> sum = Dense<T>::Zero(na, nb);
  for (const auto& p : partial) sum += p;
  return sum;
}

template <class T> void rotate(T* a, int na, const Dense<T>& c, size_t points) {
  const int nb = static_cast<int>(c.cols());
#pragma omp parallel for schedule(static)
  for (size_t slab = 0; slab < slabs; ++slab) {
    Dense<T> rotated;
    for_blocks(points * slab / slabs, points * (slab + 1) / slabs, [&](size_t at, size_t count) {
      rotated.noalias() = view(a, at, count, na, points) * c;
      for (int j = 0; j < nb; ++j) std::copy_n(rotated.data() + count * j, count, a + points * j + at);
    });
  }
}

// Used when the Cholesky decomposition fails: an orthonormal basis of the actual span, and noise for the rest.
template <class T> void replace_dependent(T* a, int na, const Dense<T>& s, size_t points, std::mt19937_64& random) {
  const app::Eigenpairs<T> solved = app::eigenpairs_of(s);
  Dense<T> c = solved.vectors;
  for (int n = 0; n < na; ++n) {
    const double size = solved.values[n];
    c.col(n) *= size > 1e-10 ? 1 / std::sqrt(size) : 0;
  }
  rotate(a, na, c, points);
  for (int n = 0; n < na; ++n)
    if (!(solved.values[n] > 1e-10))
      for (size_t i = 0; i < points; ++i) a[points * n + i] = static_cast<double>(random() >> 11) * 0x1p-52 - 1;
}

template <class T> bool orthonormalise(T* a, int na, size_t points, double point_volume) {
  std::mt19937_64 random(1);
  // One round is accurate to (condition number)^2 epsilon; a round after a good first one is exact.
  for (int round = 0; round < 8; ++round) {
    Dense<T> s = overlaps(a, na, a, na, points) * T(point_volume);
    if ((s - Dense<T>::Identity(na, na)).norm() < 1e-13 * na) return true;
    const Eigen::VectorXd norms = s.diagonal().real().cwiseSqrt();
    if (!(norms.minCoeff() > 0) || !norms.allFinite()) return false;
    const Eigen::VectorXd inverse = norms.cwiseInverse();
    rotate(a, na, Dense<T>(inverse.asDiagonal()), points);
    s = inverse.asDiagonal() * s * inverse.asDiagonal();
    const Eigen::LLT<Dense<T>> cholesky(s);
    if (cholesky.info() != Eigen::Success) {
      replace_dependent(a, na, s, points, random);
      continue;
    }
    // a <- a L^-H
    Dense<T> c = Dense<T>::Identity(na, na);
    cholesky.matrixU().solveInPlace(c);
    rotate(a, na, c, points);
  }
  return false;
}

double sum_of_products(const double* a, const double* b, size_t points) { return overlaps(a, 1, b, 1, points)(0, 0); }

using Complex = std::complex<double>;
template Dense<double> overlaps(const double*, int, const double*, int, size_t);
template Dense<Complex> overlaps(const Complex*, int, const Complex*, int, size_t);
template void rotate(double*, int, const Dense<double>&, size_t);
template void rotate(Complex*, int, const Dense<Complex>&, size_t);
template bool orthonormalise(double*, int, size_t, double);
template bool orthonormalise(Complex*, int, size_t, double);

}  // namespace suite::tddft
