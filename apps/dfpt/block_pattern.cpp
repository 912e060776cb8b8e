// SPDX-License-Identifier: BSD-3-Clause
#include "block_pattern.hpp"

#include <algorithm>

namespace suite::all_electron {
namespace {

// Large enough for products of matrices at full speed; a strand's functions reach 250 others.
constexpr Eigen::Index block_functions = 96;

}  // namespace

BlockPattern::BlockPattern(const Grid& grid, Eigen::Index n_basis) : n_(n_basis) {
  const auto blocks = static_cast<size_t>((n_basis + block_functions - 1) / block_functions);
  std::vector<char> shared(blocks * blocks, 0);
  std::vector<size_t> here;
  for (size_t b = 0; b < grid.n_batches(); ++b) {
    here.clear();
    for (int32_t e = grid.batch_basis[b] - 1; e < grid.batch_basis[b + 1] - 1; ++e) {
      const auto block = static_cast<size_t>((grid.i_basis[static_cast<size_t>(e)] - 1) / block_functions);
      if (here.empty() || here.back() != block) here.push_back(block);
    }
    for (const size_t one : here)
      for (const size_t other : here) shared[one * blocks + other] = 1;
  }
  for (size_t column = 0; column < blocks; ++column) {
    std::vector<Rows>& rows = rows_.emplace_back();
    for (size_t row = 0; row < blocks; ++row) {
      if (!shared[column * blocks + row]) continue;
      if (rows.empty() || rows.back().first + rows.back().count != begin(row)) rows.push_back({begin(row), 0});
      rows.back().count += size(row);
    }
  }
}

Eigen::Index BlockPattern::begin(size_t block) const { return std::min(static_cast<Eigen::Index>(block) * block_functions, n_); }

double BlockPattern::share() const {
  Eigen::Index elements = 0;
  for (size_t block = 0; block < rows_.size(); ++block)
    for (const Rows& rows : rows_[block]) elements += rows.count * size(block);
  return static_cast<double>(elements) / static_cast<double>(n_ * n_);
}

void BlockPattern::add_up_symmetric(const LinearAlgebra& library, const ConstPart& a, const ConstPart& b, Part sum) const {
  sum.setZero();
  for (size_t block = 0; block < rows_.size(); ++block) {
    const Eigen::Index column = begin(block), width = size(block);
    for (const Rows& rows : rows_[block]) {
      const Eigen::Index first = std::max(rows.first, column), count = rows.first + rows.count - first;
      if (count <= 0) continue;
      const auto part = sum.block(first, column, count, width);
      library.add_product_with_transposed(a.middleRows(first, count), b.middleRows(column, width), part);
      library.add_product_with_transposed(b.middleRows(first, count), a.middleRows(column, width), part);
    }
  }
#pragma omp parallel for schedule(dynamic)
  for (size_t block = 0; block < rows_.size(); ++block)
    for (Eigen::Index column = begin(block); column < begin(block + 1); ++column)
      for (const Rows& rows : rows_[block])
        for (Eigen::Index row = rows.first; row < std::min(rows.first + rows.count, column); ++row) sum(row, column) = sum(column, row);
}

Matrix BlockPattern::transformed(const LinearAlgebra& library, const Matrix& H, const Matrix& X) const {
  Matrix HX = Matrix::Zero(n_, n_), sum = Matrix::Zero(n_, n_);
  for (size_t block = 0; block < rows_.size(); ++block)
    for (const Rows& rows : rows_[block])
      library.add_transposed_product(H.block(rows.first, begin(block), rows.count, size(block)),
                                     X.block(rows.first, rows.first, rows.count, n_ - rows.first),
                                     HX.block(begin(block), rows.first, size(block), n_ - rows.first));
  for (size_t block = 0; block < rows_.size(); ++block) {
    const Eigen::Index end = begin(block + 1);
    library.add_transposed_product(X.block(0, begin(block), end, size(block)), HX.topLeftCorner(end, end),
                                   sum.block(begin(block), 0, size(block), end));
  }
  return sum;
}

Matrix triangular_product(const LinearAlgebra& library, const Matrix& X, const Matrix& V) {
  const Eigen::Index n = X.rows();
  Matrix product = Matrix::Zero(n, V.cols());
  for (Eigen::Index first = 0; first < n; first += block_functions) {
    const Eigen::Index count = std::min(block_functions, n - first);
    library.add_product(X.block(first, first, count, n - first), V.bottomRows(n - first), product.middleRows(first, count));
  }
  return product;
}

}  // namespace suite::all_electron
