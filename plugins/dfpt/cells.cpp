// SPDX-License-Identifier: BSD-3-Clause
#include "cells.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace suite::dfpt {
namespace {

// The ball around the middle of the box; its longest side.
Ball ball_of(const double* coords, const int32_t* first, const int32_t* last, int& longest) {
  double least[3], most[3];
  std::fill_n(least, 3, std::numeric_limits<double>::max());
  std::fill_n(most, 3, -std::numeric_limits<double>::max());
  for (const int32_t* i = first; i < last; ++i)
    for (int d = 0; d < 3; ++d) {
      least[d] = std::min(least[d], coords[3 * int64_t{*i} + d]);
      most[d] = std::max(most[d], coords[3 * int64_t{*i} + d]);
    }
  Ball ball;
  longest = 0;
  for (int d = 0; d < 3; ++d) {
    ball.centre[d] = 0.5 * (least[d] + most[d]);
    if (most[d] - least[d] > most[longest] - least[longest]) longest = d;
  }
  for (const int32_t* i = first; i < last; ++i) ball.radius = std::max(ball.radius, distance(coords + 3 * int64_t{*i}, ball.centre));
  return ball;
}

}  // namespace

void CellTree::one_after_another(int64_t n, const std::function<void(int64_t)>& f) {
  for (int64_t i = 0; i < n; ++i) f(i);
}

// The first place of the second half, or -1; sets the ball.
int64_t CellTree::halve(const double* coords, Cell& cell, int64_t most, int64_t unit) {
  int side = 0;
  cell.ball = ball_of(coords, order.data() + cell.begin, order.data() + cell.end, side);
  const int64_t middle = cell.begin + std::max(rounded(cell.count() / 2, unit), unit);
  if (cell.count() <= most || middle >= cell.end) return -1;
  std::nth_element(order.begin() + cell.begin, order.begin() + middle, order.begin() + cell.end, [&](int32_t a, int32_t b) {
    const double x = coords[3 * int64_t{a} + side], y = coords[3 * int64_t{b} + side];
    return x != y ? x < y : a < b;
  });
  return middle;
}

// Level by level; the cells of a level have points of their own.
void CellTree::build(const double* coords, int64_t count, int64_t most, int64_t unit, const Each& each) {
  order.resize(at(count));
  std::iota(order.begin(), order.end(), 0);
  cells.assign(1, {});
  cells[0].end = count;
  std::vector<int64_t> middle;
  for (size_t first = 0; first < cells.size();) {
    const size_t last = cells.size();
    middle.assign(last - first, -1);
    each(std::ssize(middle), [&](int64_t i) { middle[at(i)] = halve(coords, cells[first + at(i)], most, unit); });
    for (size_t c = first; c < last; ++c) {
      if (middle[c - first] < 0) continue;
      Cell half;
      half.parent = static_cast<int32_t>(c);
      half.begin = cells[c].begin;
      half.end = middle[c - first];
      const int64_t end = cells[c].end;
      cells[c].child = static_cast<int32_t>(cells.size());
      cells.push_back(half);
      half.begin = half.end;
      half.end = end;
      cells.push_back(half);
    }
    first = last;
  }
}

std::vector<int32_t> CellTree::largest(int64_t most) const {
  std::vector<int32_t> found, open = {0};
  while (!open.empty()) {
    const int32_t c = open.back();
    open.pop_back();
    if (const Cell& cell = cells[at(c)]; cell.count() <= most || cell.is_leaf()) {
      found.push_back(c);
    } else {
      open.push_back(cell.child + 1);
      open.push_back(cell.child);
    }
  }
  return found;
}

std::vector<int32_t> CellTree::leaves() const { return largest(0); }

}  // namespace suite::dfpt
