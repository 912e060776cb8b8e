// SPDX-License-Identifier: BSD-3-Clause
#include "f_constraints.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace suite::vmc {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double smallest_pivot = 1e-10;  // of rows whose largest element is of order 1

// The equations, one in each row.
class Equations {
public:
  Equations(const FShape& shape, const std::vector<FConstraints::Powers>& unknowns) : shape_(shape), unknowns_(unknowns) {}

  // No cusp of two electrons: the part linear in r_ij vanishes for all distances to the ion.
  void add_electrons() {
    for (int k = 0; k <= 2 * shape_.nen && shape_.nee >= 1; ++k) {
      start();
      for (int l = 0; l <= shape_.nen; ++l) add(l, k - l, 1, 1);
    }
  }
  // No cusp at the ion, where r_j = r_ij.
  void add_ion(int C, double L) {
    for (int k = 0; k <= shape_.nen + shape_.nee; ++k) {
      start();
      for (int m = 0; m <= shape_.nen; ++m) {
        add(0, m, k - m, C);
        add(1, m, k - m, -L);
      }
    }
  }
  void add_zero(int l, int m, int n) {
    start();
    add(l, m, n, 1);
  }
  // In units in which rows have elements of order 1.
  MatrixXd matrix() const {
    MatrixXd all(static_cast<Index>(rows_.size()), static_cast<Index>(unknowns_.size()));
    for (size_t i = 0; i < rows_.size(); ++i)
      for (size_t k = 0; k < unknowns_.size(); ++k) all(static_cast<Index>(i), static_cast<Index>(k)) = rows_[i][k];
    for (Index i = 0; i < all.rows(); ++i)
      if (const double largest = all.row(i).cwiseAbs().maxCoeff(); largest > 0) all.row(i) /= largest;
    return all;
  }

private:
  void start() { rows_.emplace_back(unknowns_.size(), 0.0); }
  void add(int l, int m, int n, double factor) {
    if (m < 0 || m > shape_.nen || n < 0 || n > shape_.nee || l > shape_.nen) return;
    const auto at = std::find_if(unknowns_.begin(), unknowns_.end(),
                                 [&](const auto& p) { return p.l == std::max(l, m) && p.m == std::min(l, m) && p.n == n; });
    rows_.back()[static_cast<size_t>(at - unknowns_.begin())] += factor;
  }
  FShape shape_;
  const std::vector<FConstraints::Powers>& unknowns_;
  std::vector<std::vector<double>> rows_;
};

// To the reduced echelon form, columns in order; returns the columns of the pivots, that of row i at i.
std::vector<Index> eliminate(MatrixXd& a) {
  std::vector<Index> pivots;
  for (Index column = 0; column < a.cols() && std::ssize(pivots) < a.rows(); ++column) {
    const Index row = std::ssize(pivots);
    Index largest = 0;
    if (!(a.col(column).tail(a.rows() - row).cwiseAbs().maxCoeff(&largest) > smallest_pivot)) {
      a.col(column).tail(a.rows() - row).setZero();
      continue;
    }
    a.row(row).swap(a.row(row + largest));
    a.row(row) /= a(row, column);
    for (Index other = 0; other < a.rows(); ++other)
      if (other != row) a.row(other) -= a(other, column) * a.row(row).eval();
    pivots.push_back(column);
  }
  return pivots;
}

}  // namespace

FConstraints::FConstraints(const FShape& shape, int truncation, double L) {
  std::vector<Powers> unknowns;
  for (int n = 0; n <= shape.nee; ++n)
    for (int m = 0; m <= shape.nen; ++m)
      for (int l = m; l <= shape.nen; ++l) unknowns.push_back({l, m, n});
  Equations equations(shape, unknowns);
  equations.add_electrons();
  equations.add_ion(truncation, L);
  for (int n = 0; n <= shape.nee && shape.without_u; ++n) equations.add_zero(0, 0, n);
  for (int l = 0; l <= shape.nen && shape.without_chi; ++l) equations.add_zero(l, 0, 0);
  MatrixXd a = equations.matrix();
  const std::vector<Index> pivots = eliminate(a);
  std::vector<Index> columns;  // of the free ones
  for (Index k = 0; k < a.cols(); ++k)
    if (!std::binary_search(pivots.begin(), pivots.end(), k)) columns.push_back(k), free_.push_back(unknowns[static_cast<size_t>(k)]);
  for (size_t row = 0; row < pivots.size(); ++row) {
    Dependent& d = dependent_.emplace_back(Dependent{unknowns[static_cast<size_t>(pivots[row])], {}});
    for (const Index k : columns) d.of_free.push_back(-a(static_cast<Index>(row), k));
  }
}

void FConstraints::complete(double* gamma, int nf_en) const {
  const auto at = [&](int l, int m, int n) -> double& { return gamma[l + nf_en * (m + nf_en * n)]; };
  for (const Dependent& d : dependent_) {
    double sum = 0;
    for (size_t k = 0; k < free_.size(); ++k) sum += d.of_free[k] * at(free_[k].l, free_[k].m, free_[k].n);
    at(d.at.l, d.at.m, d.at.n) = at(d.at.m, d.at.l, d.at.n) = sum;
  }
  for (const Powers& p : free_) at(p.m, p.l, p.n) = at(p.l, p.m, p.n);
}

}  // namespace suite::vmc
