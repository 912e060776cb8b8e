// SPDX-License-Identifier: BSD-3-Clause
// The fastest dfpt.sum_up: points in the order of a tree of cells, in the lanes; three directions at a time.
#pragma once

#include <memory>

#include "cells.hpp"
#include "sum_up.hpp"

namespace suite::dfpt {

// Points in the order of the tree; the last stands in for what is missing to whole vectors.
struct SortedPoints {
  CellTree tree;
  Numbers x, y, z;
  std::vector<int32_t> chunks;  // cells whose near fields are done at once

  void sort(const double* coords, int64_t count);
  int64_t room() const { return std::ssize(x); }
};

// How a cell's points lie to an atom. What is surely one or the other is so beyond rounding.
enum class Side { near_by, far_away, both };
inline Side side_of(const Ball& ball, const double* nucleus, double multipole_radius) {
  const double r = distance(ball.centre, nucleus), slack = 1e-9 * (1 + r);
  if (r - ball.radius > multipole_radius + slack) return Side::far_away;
  return r + ball.radius < multipole_radius - slack ? Side::near_by : Side::both;
}

// Points whose table is to be used. One copy of the code, so that a point is on one side everywhere.
Mask is_near(const double* x, const double* y, const double* z, const double* nucleus, double radius);

// near_field.cpp: the atoms' tables at all points of a chunk; potential is [direction][point of the chunk].
class NearField {
public:
  NearField(const SumUpCall& call, const SumUpArrays& arrays, const SortedPoints& points)
      : call_(call), arrays_(arrays), points_(points) {}
  static int64_t room(const SumUpCall& call, int64_t most_points);  // doubles
  void add(const Cell& chunk, const std::vector<int32_t>& leaves, double* memory, double* potential) const;

private:
  template <int l_max>
  void add_atom(const Cell& chunk, const std::vector<int32_t>& leaves, int64_t atom, double* memory,
                double* sums) const;
  const SumUpCall& call_;
  const SumUpArrays& arrays_;
  const SortedPoints& points_;
};

// far_field.cpp: the moments of one atom at the points of a leaf, where they are not near.
void add_far_field(const SumUpCall& call, const SumUpArrays& arrays, const SortedPoints& points,
                   const Cell& leaf, int64_t atom, Side side, double* potential, int64_t stride);

class FarTree;

class SumUpBest {
public:
  SumUpBest();
  ~SumUpBest();
  void prepare(const SumUpCall& call, const suite_array* a, Far far);
  void execute(const SumUpCall& call, const SumUpArrays& arrays, int64_t threads, cpu::Scratch& scratch);

private:
  void add_direct(const SumUpCall& call, const SumUpArrays& arrays, int64_t chunk, double* potential) const;

  std::unique_ptr<FarTree> tree_;  // if far fields are expanded
  SortedPoints points_;
  std::vector<std::vector<int32_t>> leaves_;  // of each chunk
};

}  // namespace suite::dfpt
