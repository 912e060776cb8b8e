// SPDX-License-Identifier: BSD-3-Clause
// The Hartree field of a density without images: the truncated Coulomb interaction on a grid twice as large (../spectrum.hpp). Along y and
// z it is a factor of each wave of the doubled axes (waves.hpp). Along x it stays an interaction between the points of the grid,
//   v_i = sum_j G_{i-j} rho_j,   G_d = 1/2N sum_m g_m cos(pi m d/N),   m = 0..2N-1,
// with G of each pair of waves: N multiply-adds for a number, where the waves of x and the way back take twice as many.
#pragma once

#include <vector>

#include "waves.hpp"

namespace suite::lfd {

template <class T> class IsolatedField {
public:
  // Does nothing where it is set so already.
  void set(const Grid& grid);
  // For teams of at most so many threads.
  void make_room(int threads) {
    if (!set_) return;
    waves_.make_room(threads);
    workspace_.at_least(threads * workspace_size());
  }
  void solve(const Team& team, T* v, const T* rho);

private:
  using V = Vector<T>;

  static constexpr int64_t together = 4;  // chunks that are fetched at once: whole lines of the cache
  // Of a thread: points of two rows of waves in some chunks, the field of one of them, and G from 1 - N to N - 1.
  int64_t workspace_size() const { return (2 * together + 4) * grid_.n[0]; }
  int64_t chunks() const { return (waves_.waves(2) + lanes<T> - 1) / lanes<T>; }
  int64_t plane() const { return waves_.waves(1) * waves_.waves(2) + 128 / static_cast<int64_t>(sizeof(T)); }  // no power of two
  void set_interaction();
  void interact(int64_t number, int64_t first, V* workspace);
  template <int rows> void interact(const V* G, const V* in, V* out) const;

  Grid grid_;
  bool set_ = false;
  Waves<T> waves_;
  std::vector<std::vector<int64_t>> rows_;  // waves of y, one or two of each number
  Buffer<V> interaction_, workspace_;       // interaction: [number of y][chunk of waves of z][d]
  Buffer<T> planes_;                        // [i][wave of y][wave of z]
};

extern template class IsolatedField<float>;
extern template class IsolatedField<double>;

}  // namespace suite::lfd
