// SPDX-License-Identifier: BSD-3-Clause
// Lattices of crystals, and their k points.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace suite::all_electron {

using Place = std::array<double, 3>;
using Cell = std::array<int, 3>;  // multiples of the lattice vectors

class Lattice {
public:
  // vectors: a_1, a_2, a_3 in bohr, of either handedness. Throws Failure if they lie in a plane.
  explicit Lattice(const std::array<Place, 3>& vectors);
  // A chain, periodic along one vector only, and a slab, periodic along two. The other vectors have length 1 and stand across.
  static Lattice chain(const Place& vector);
  static Lattice slab(const Place& first, const Place& second);
  // The crystal of copies of a slab, each this far above the one below.
  Lattice stacked(double period) const;

  int dimensions() const { return dimensions_; }
  bool has_plane_waves() const { return dimensions_ > 1; }  // the potential of a chain is summed cell by cell

  const std::array<Place, 3>& vectors() const { return a_; }
  const std::array<Place, 3>& reciprocal() const { return b_; }  // b_i, with their factor 2 pi, bohr^-1
  double volume() const { return volume_; }                      // bohr^3; of a slab its area, of a chain its period
  Place place(const Cell& cell) const;
  // All cells R with points r + R, r in a sphere of `radius` around `centre`, that come within `reach` of the origin.
  std::vector<Cell> cells_within(const Place& centre, double reach) const;
  // The largest number of steps along b_i to a G no longer than `length`.
  Cell steps_to(double length) const;

private:
  std::array<Place, 3> a_, b_;
  double volume_;
  int dimensions_ = 3;
};

struct KPoint {
  std::array<double, 3> fraction{};  // of the b_i
  double weight = 0;                 // all weights add up to 1
};

// The points (i + shift)/n along each b_i, one of each pair k, -k with the weight of both. shift: 0 or 1/2, so that -k is one of them.
std::vector<KPoint> k_grid(const std::array<int, 3>& n, const std::array<bool, 3>& shifted);

}  // namespace suite::all_electron
