// SPDX-License-Identifier: BSD-3-Clause
// Atoms whose far fields the threads of a block sum together.
#pragma once

#include "sum_up.hpp"

namespace suite::dfpt {

inline constexpr int atoms_at_a_time = 16;

// Some atoms with their moments, in shared memory.
template <int l_max, int Dirs> struct AtomTile {
  static constexpr int width = Dirs * components(l_max), stride = width + width % 2;  // loads in pairs
  alignas(16) double moments[atoms_at_a_time][stride];
  double coords[atoms_at_a_time][3];
  NearAtom atom[atoms_at_a_time];

  // number(i): of the atoms. Of the moments of `first` and the directions behind it.
  template <class Number> __device__ __forceinline__ void load(const Fields& f, int count, int first, const Number& number) {
    for (int i = thread(); i < count; i += block_threads) {
      atom[i] = f.atoms[number(i)];
      for (int c = 0; c < 3; ++c) coords[i][c] = f.atom_coords[3 * number(i) + c];
    }
    for (int e = thread(); e < count * width; e += block_threads) {
      const int i = e / width, d = e % width / components(l_max), lm = e % components(l_max);
      moments[i][e % width] = lm < f.n_lm ? f.moments_of(f.atoms[number(i)].table, first + d)[lm] : 0.0;
    }
  }
};

}  // namespace suite::dfpt
