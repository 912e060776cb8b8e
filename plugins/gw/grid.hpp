// SPDX-License-Identifier: BSD-3-Clause
// The smallest grid on which the products of internal and external bands have no alias at a wanted G.
//
// A product has the components p = G_ket - G_bra. On a grid of N1 N2 N3 points p is not told from p + T, T a
// multiple of N along each axis: no p may differ from a wanted w by such a T. Ranges along the axes say so
// where N exceeds every distance; but the axes of most primitive cells are not orthogonal, and lists are
// spheres, so that a T shorter than that is already too long. It is where some direction d has
// d.T > max d.p - min d.w; the best one is T in the metric of the sphere, for which the second moments of the
// list stand.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace suite::gw {

using Miller = std::array<int32_t, 3>;

struct GridDemand {
  const std::vector<Miller>&ket, &bra;
  std::vector<Miller> wanted;            // those components of products that are wanted
  std::array<int, 3> least, sufficient;  // points along each axis: for the lists by themselves; by the ranges
};

// next_lower(n) is the next possible length below n, 0: none; lengths is where to begin, sufficient or more.
std::array<int, 3> smallest_grid(const GridDemand& demand, std::array<int, 3> lengths, int (*next_lower)(int));

}  // namespace suite::gw
