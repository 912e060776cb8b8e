// SPDX-License-Identifier: BSD-3-Clause
// Which spheres have points in common, and what that means for the product of the exponentials of all atoms
// (nonlocal.hpp). Host memory; nothing here depends on psi, A, k or the time step.
#pragma once

#include <cstdint>
#include <vector>

#include "../nonlocal.hpp"

namespace suite::lfd {

// Points of psi that one thread takes together.
inline constexpr int points_together = 4;

// What atom i gets of an atom whose sphere touches its own: beta_i(p)^T beta_j(p) over the common points p, whose phase
// e^{i(A+k).apart} is the same; other points of the same two atoms, in another image, are a link of their own.
struct Link {
  int other;
  double apart[3];  // (r - R_i) - (r - R_j), or that of the vectors given
};

// An atom at neighbouring points: number of each in its sphere, or -1 where it does not reach.
struct Member {
  int atom, at[points_together];
};

struct SphereTables {
  // Atoms of one level touch none of their own; an atom's level is one more than the highest of the atoms before it that
  // it touches. So all orders of the atoms that go by levels, up or down, are the order of the atoms, up or down.
  std::vector<int> level_first, level_atoms;  // (levels+1), (natom)
  // Links of atom i: with atoms before it from link_first[2i], with those after it from link_first[2i+1].
  std::vector<int> link_first;  // (2 natom + 1)
  std::vector<Link> links;
  std::vector<double> products;  // (nproj,nproj,links), the other's projector fastest

  std::vector<int> covered;       // points of the grid in any sphere, from 0, ascending
  std::vector<int> member_first;  // (ceil(covered/points_together)+1)
  std::vector<Member> members;

  int levels() const { return static_cast<int>(level_first.size()) - 1; }
};

// vectors(3,nsphere,natom): of the projectors' phase e^{-i(A+k).vector}.
SphereTables sphere_tables(const Pseudopotential& V, const std::vector<double>& vectors);

}  // namespace suite::lfd
