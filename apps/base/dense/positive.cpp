// SPDX-License-Identifier: BSD-3-Clause
// A = L L^H, then L^-1, then A^-1 = L^-H L^-1, each tile by tile in place. The steps that take n^3 operations are products of tiles, which Eigen has; each
// tile is a sum in a fixed order, whoever computes it.
#include "positive.hpp"

#include <algorithm>
#include <complex>
#include <utility>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/LU>

namespace suite::app {

namespace {

constexpr int64_t tile_rows = 96;

template <class T> class Tiles {
public:
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  Tiles(T* a, int64_t n) : all_(a, n, n), n_(n) {}
  int64_t count() const { return (n_ + tile_rows - 1) / tile_rows; }
  auto operator()(int64_t i, int64_t j) { return all_.block(i * tile_rows, j * tile_rows, rows(i), rows(j)); }
  void fill_upper() {
    for (int64_t j = 1; j < n_; ++j)
      for (int64_t i = 0; i < j; ++i) all_(i, j) = Eigen::numext::conj(all_(j, i));
  }

private:
  int64_t rows(int64_t i) const { return std::min(tile_rows, n_ - i * tile_rows); }
  Eigen::Map<Matrix> all_;
  int64_t n_;
};

template <class T> bool factorise(Tiles<T>& tiles) {
  const int64_t count = tiles.count();
  for (int64_t k = 0; k < count; ++k) {
    const Eigen::LLT<typename Tiles<T>::Matrix> factor(tiles(k, k));
    // A NaN on the diagonal passes for positive.
    if (factor.info() != Eigen::Success || !factor.matrixLLT().diagonal().real().allFinite()) return false;
    tiles(k, k) = factor.matrixL();
#pragma omp parallel for schedule(dynamic)
    for (int64_t i = k + 1; i < count; ++i) {
      auto below = tiles(i, k);
      tiles(k, k).template triangularView<Eigen::Lower>().adjoint().template solveInPlace<Eigen::OnTheRight>(below);
    }
    const int64_t left = count - k - 1;
#pragma omp parallel for schedule(dynamic)
    for (int64_t pair = 0; pair < left * left; ++pair) {
      const int64_t i = k + 1 + pair % left, j = k + 1 + pair / left;
      if (i >= j) tiles(i, j).noalias() -= tiles(i, k) * tiles(j, k).adjoint();
    }
  }
  return true;
}

// Column by column of tiles: rows of the inverse from those above them.
template <class T> void invert_triangle(Tiles<T>& tiles) {
  using Matrix = typename Tiles<T>::Matrix;
  const int64_t count = tiles.count();
#pragma omp parallel for schedule(dynamic)
  for (int64_t k = 0; k < count; ++k) {
    Matrix inverse = Matrix::Identity(tiles(k, k).rows(), tiles(k, k).rows());
    tiles(k, k).template triangularView<Eigen::Lower>().solveInPlace(inverse);
    tiles(k, k) = inverse;
  }
  // Diagonal tiles are inverted already: L_ij^-1 = -L_ii^-1 sum over j <= m < i of L_im L_mj^-1. The rows of L below i are still wanted, those of row i
  // not after this.
  for (int64_t i = 1; i < count; ++i) {
    std::vector<Matrix> row(static_cast<size_t>(i));
#pragma omp parallel for schedule(dynamic)
    for (int64_t j = 0; j < i; ++j) {
      Matrix sum = tiles(i, j) * tiles(j, j);
      for (int64_t m = j + 1; m < i; ++m) sum.noalias() += tiles(i, m) * tiles(m, j);
      row[static_cast<size_t>(j)].noalias() = -(tiles(i, i) * sum);
    }
    for (int64_t j = 0; j < i; ++j) tiles(i, j) = row[static_cast<size_t>(j)];
  }
}

// A^-1_ij = sum over m >= i of L_mi^-1^H L_mj^-1 for i >= j: rows below i are still wanted, and within row i the tile (i,i).
template <class T> void multiply_by_adjoint(Tiles<T>& tiles) {
  using Matrix = typename Tiles<T>::Matrix;
  const int64_t count = tiles.count();
  for (int64_t i = 0; i < count; ++i) {
    std::vector<Matrix> row(static_cast<size_t>(i + 1));
#pragma omp parallel for schedule(dynamic)
    for (int64_t j = 0; j <= i; ++j) {
      Matrix sum = tiles(i, i).adjoint() * tiles(i, j);
      for (int64_t m = i + 1; m < count; ++m) sum.noalias() += tiles(m, i).adjoint() * tiles(m, j);
      row[static_cast<size_t>(j)] = std::move(sum);
    }
    for (int64_t j = 0; j <= i; ++j) tiles(i, j) = row[static_cast<size_t>(j)];
  }
}

}  // namespace

template <class T> bool invert_positive(T* a, int64_t n) {
  Tiles<T> tiles(a, n);
  if (!factorise(tiles)) return false;
  invert_triangle(tiles);
  multiply_by_adjoint(tiles);
  tiles.fill_upper();
  return true;
}

template bool invert_positive(double*, int64_t);
template bool invert_positive(std::complex<double>*, int64_t);

bool invert_general(std::complex<double>* a, int64_t n) {
  using Matrix = Eigen::Matrix<std::complex<double>, Eigen::Dynamic, Eigen::Dynamic>;
  Eigen::Map<Matrix> matrix(a, n, n);
  const Eigen::PartialPivLU<Matrix> factors(matrix);
  if (!(factors.rcond() > 1e-15)) return false;
  matrix = factors.inverse();
  return matrix.allFinite();
}

}  // namespace suite::app
