// SPDX-License-Identifier: BSD-3-Clause
// Unfolding of a grid of k or q points from its irreducible points, and the little group of a k.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "lattice.hpp"

namespace suite::gw {

// A full grid of points, each the image of an irreducible one: point = +- operation(irreducible) + shift.
class FullGrid {
public:
  struct Point {
    Vector3 at{};         // components in [0,1)
    int irreducible = 0;  // index into the list given
    int operation = 0;
    bool reversed = false;  // time reversal: the minus sign, and complex conjugation
    Miller shift{};
  };
  // Fails, naming `what`, when the points do not fill the grid. Time reversal is used only where rotations do
  // not reach. The order is that in which rotations of the irreducible points first reach a point. Of several
  // operations the last is kept, as in BerkeleyGW: it matters at q = 0, because the matrix there is that of a
  // small q0, which the operation turns (1e-4 eV of SX-X and CH for q0 = 0.001). shift: of the grid, in its steps.
  FullGrid(const std::vector<Vector3>& irreducible, const std::vector<Operation>& operations, const Miller& grid, const std::string& what,
           const Vector3& shift = {});

  const std::vector<Point>& points() const { return points_; }
  const Point& operator[](int i) const { return points_[i]; }
  int size() const { return static_cast<int>(points_.size()); }
  // The point equal to k up to a reciprocal lattice vector, and that vector: k = point + shift. Index -1: not
  // on the grid.
  struct Found {
    int index = -1;
    Miller shift{};
  };
  Found find(const Vector3& k) const;

private:
  int64_t cell(const Vector3& k) const;  // place on the grid, -1 when beside it
  Miller grid_;
  Vector3 shift_;
  std::vector<Point> points_;
  std::vector<int> index_;  // of the point at a place on the grid, -1: none yet
};

// The distinct images, under operations and time reversal, of k points that need not fill a grid. Every one counts alike in a sum over the zone: a
// shifted grid that has not the symmetry of the lattice becomes a finer one, as in BerkeleyGW.
class AllImages {
public:
  AllImages(const std::vector<Vector3>& stored, const std::vector<Operation>& operations);
  // Those that need no time reversal first; a stored point is the image of itself.
  const FullGrid::Point& operator[](int i) const { return points_[static_cast<size_t>(i)]; }
  int size() const { return static_cast<int>(points_.size()); }
  // As FullGrid::find.
  FullGrid::Found find(const Vector3& k) const;

private:
  void add(const FullGrid::Point& point);
  std::vector<FullGrid::Point> points_;
  std::unordered_multimap<int64_t, int> in_cell_;  // points that may be equivalent to one in a cell of a fine grid
};

// The image of a G vector of the irreducible point in the list of the full point.
inline Miller rotated(const FullGrid::Point& point, const Operation& operation, const Miller& g) {
  const Miller r = operation(g);
  return (point.reversed ? -r : r) - point.shift;
}

// One q of a sum over the full grid that stands for `weight` equivalent ones.
struct Star {
  int q = 0;  // index into the full grid
  int weight = 1;
};
// The q that no operation of the little group of k joins: the first of each star in the grid's order. With
// symmetry off: every q.
std::vector<Star> irreducible_stars(const FullGrid& q, const Vector3& k, const std::vector<Operation>& operations, bool symmetry);

// The points of a grid around 0 that no operation or time reversal joins, each the first of its star in ascending order.
struct WedgePoint {
  Vector3 at{};
  int weight = 1;  // points of the star
};
// Fails, naming `what`, where an operation takes a point off the grid.
std::vector<WedgePoint> wedge_of(const Miller& grid, const std::vector<Operation>& operations, const std::string& what);

}  // namespace suite::gw
