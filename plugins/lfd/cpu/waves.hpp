// SPDX-License-Identifier: BSD-3-Clause
// Fields in waves: the orthogonal real Fourier basis of each axis, waves ordered as cos 0..M/2, then sin
// 1..M/2-1 of M points. An axis of up to some hundred points is a small dense product with vectors along the
// other axes: half of it is saved by the symmetry of cos and sin about the middle, and what remains runs at
// the speed of multiply-adds: 32^3 points take no longer than a fast transform in single precision, a fifth
// longer in double (docs/performance/lfd.field_prop.md). With `padded`, the axis has twice the points, of
// which the second half are zero and not wanted.
#pragma once

#include <algorithm>
#include <vector>

#include "../call.hpp"
#include "buffer.hpp"
#include "lanes.hpp"

namespace suite::lfd {

// The matrices of one axis.
template <class T> struct Axis {
  int64_t points = 1, waves = 1;  // waves = points, or 2 points where padded
  int64_t cosines = 1, sines = 0;
  bool folded = false;
  // Rows of what is multiplied with the data, for each direction of the transform and each symmetry:
  // [wave][point] and [point][wave].
  std::vector<T> to_cos, to_sin, from_cos, from_sin;
  // The whole basis for the last axis, which is contiguous: [point][wave] and [wave][point].
  std::vector<T> to, from;

  void set(int64_t n, bool padded);
};

template <class T> class Waves {
public:
  // Does nothing where it is already set so.
  void set(const int64_t* n, bool padded);
  // For teams of at most so many threads.
  void make_room(int threads) {
    if (set_) workspace_.at_least(threads * workspace_size());
  }
  int64_t waves(int d) const { return axis_[d].waves; }
  int64_t size() const { return waves(0) * waves(1) * waves(2); }
  void forward(const Team& team, const T* in, T* out);
  void backward(const Team& team, const T* in, T* out);

private:
  // Of a thread: twice an axis of four vectors for even and odd parts, and an axis and its waves of one
  // vector.
  int64_t workspace_size() const { return 10 * lanes<T> * (std::max(waves(0), waves(1)) + 2); }
  T* workspace(const Team& team) const { return workspace_.data() + team.rank() * workspace_size(); }

  Axis<T> axis_[3];
  bool padded_ = false, set_ = false;
  Buffer<T> first_, second_, workspace_;
};

// Index of the wave's eigenvalue, for place w of an axis of M waves in all.
inline int64_t wave_number(int64_t w, int64_t all) { return w <= all / 2 ? w : w - all / 2; }

extern template class Waves<float>;
extern template class Waves<double>;

}  // namespace suite::lfd
