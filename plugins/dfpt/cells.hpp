// SPDX-License-Identifier: BSD-3-Clause
// Points in the order of a tree of cells: each is halved along its longest side until it has few points.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "extents.hpp"
#include "near_pairs.hpp"

namespace suite::dfpt {

// A ball around points or nuclei.
struct Ball {
  double centre[3] = {0, 0, 0}, radius = 0;
};
inline double distance(const double* a, const double* b) {
  return std::sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

// How the points of a ball lie to an atom.
inline Side side_of(const Ball& ball, const double* nucleus, double multipole_radius) {
  const double r = distance(ball.centre, nucleus);
  return side_of(r - ball.radius, r + ball.radius, multipole_radius);
}

struct Cell {
  Ball ball;
  int64_t begin = 0, end = 0;  // in the order of the tree
  int32_t child = -1;          // the first of two, or none
  int32_t parent = -1;
  bool is_leaf() const { return child < 0; }
  int64_t count() const { return end - begin; }
};

// Cells lie parents first, the root at 0. A cell is halved at a multiple of `unit` if it has more than
// `most`.
struct CellTree {
  std::vector<Cell> cells;
  std::vector<int32_t> order;  // number of each point in the order of the tree

  // each(n, f) calls f(0), .., f(n - 1) in any order, on threads if it likes.
  using Each = std::function<void(int64_t, const std::function<void(int64_t)>&)>;
  void build(const double* coords, int64_t count, int64_t most, int64_t unit, const Each& each = one_after_another);
  std::vector<int32_t> leaves() const;
  // The largest cells with at most `most` points, in order.
  std::vector<int32_t> largest(int64_t most) const;

private:
  static void one_after_another(int64_t n, const std::function<void(int64_t)>& f);
  int64_t halve(const double* coords, Cell& cell, int64_t most, int64_t unit);
};

}  // namespace suite::dfpt
