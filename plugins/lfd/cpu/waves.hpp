// SPDX-License-Identifier: BSD-3-Clause
// Fields in waves: the orthogonal real Fourier basis of each axis. An axis of up to some hundred points is a small dense
// product with vectors along the other axes: half of it is saved by the symmetry of cos and sin about the middle, and what
// remains runs at the speed of multiply-adds: 32^3 points take no longer than a fast transform in single precision, a fifth
// longer in double (docs/performance/lfd.field_prop.md). With `padded`, the axis has twice the points, of which the
// second half are zero and not wanted; cos(pi m i/N) of points i and N - i are the same for even m and opposite for odd m,
// those of sin the other way round.
#pragma once

#include <algorithm>
#include <vector>

#include "../call.hpp"
#include "buffer.hpp"
#include "lanes.hpp"

namespace suite::lfd {

// The matrices of one axis: its first waves are even about the middle of the points, the others odd.
template <class T> struct Axis {
  int64_t points = 1, waves = 1;  // waves = points, or 2 points where padded
  int64_t evens = 1, odds = 0;
  int64_t half = 0, first_odd = 1;  // the points 0..half, and first_odd..half-1, stand for those behind them
  std::vector<int32_t> number;      // of each wave's eigenvalue
  // [wave][point] and [point][wave].
  std::vector<T> to_even, to_odd, from_even, from_odd;

  void set(int64_t n, bool padded);
  int64_t odd_points() const { return std::max<int64_t>(0, half - first_odd); }
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
  // Index of the eigenvalue of the wave at a place of an axis.
  int64_t number(int d, int64_t place) const { return axis_[d].number[static_cast<size_t>(place)]; }
  int64_t size() const { return waves(0) * waves(1) * waves(2); }
  void forward(const Team& team, const T* in, T* out);
  void backward(const Team& team, const T* in, T* out);
  // The axes y and z alone: fields of points in x and of waves in the others, [i][wave of y][wave of z] with so many
  // numbers from one i to the next.
  void forward_planes(const Team& team, const T* in, T* out, int64_t plane);
  void backward_planes(const Team& team, const T* in, T* out, int64_t plane);

private:
  // Of a thread: twice an axis of four vectors for even and odd parts, and an axis and its waves of one
  // vector; or the parts of lines along z.
  int64_t workspace_size() const {
    return std::max(10 * lanes<T> * (std::max(waves(0), waves(1)) + 2), 2 * lines_together * (axis_[2].half + 1));
  }
  T* workspace(const Team& team) const { return workspace_.data() + team.rank() * workspace_size(); }

  static constexpr int64_t lines_together = vector_bytes == 64 ? 8 : 6;

  Axis<T> axis_[3];
  bool padded_ = false, set_ = false;
  Buffer<T> first_, second_, workspace_;
};

extern template class Waves<float>;
extern template class Waves<double>;

}  // namespace suite::lfd
