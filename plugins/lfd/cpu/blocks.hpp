// SPDX-License-Identifier: BSD-3-Clause
// The wavefunctions inside lfd.propagate: blocks of as many orbitals as a vector has lanes, each a grid of
// points with one vector of real and one of imaginary parts. Rows and planes are padded: with 32 points a
// side their distance would be a power of two, and the points of a cell would compete for the same lines of
// the cache (10 to 18 times slower, docs/performance/lfd.propagate.md).
#pragma once

#include <algorithm>
#include <complex>

#include "../call.hpp"
#include "buffer.hpp"
#include "lanes.hpp"

namespace suite::lfd {

template <class T> class Blocks {
public:
  using V = Vector<T>;

  void resize(const Grid& grid) {
    grid_ = grid;
    count_ = (grid.norb + lanes<T> - 1) / lanes<T>;
    row_ = 2 * grid.n[2] + 3;
    plane_ = row_ * grid.n[1] + 5;
    size_ = plane_ * grid.n[0] + 7;
    data_ = storage_.at_least(size_ * count_);
  }

  const Grid& grid() const { return grid_; }
  int64_t count() const { return count_; }
  int64_t row() const { return row_; }      // vectors from (i,j,k) to (i,j+1,k)
  int64_t plane() const { return plane_; }  // vectors from (i,j,k) to (i+1,j,k)
  V* block(int64_t b) const { return data_ + b * size_; }
  int64_t at(int64_t i, int64_t j, int64_t k) const { return i * plane_ + j * row_ + 2 * k; }

private:
  Grid grid_;
  int64_t count_ = 0, row_ = 0, plane_ = 0, size_ = 0;
  Buffer<V> storage_;
  V* data_ = nullptr;
};

// Real and imaginary parts of as many interleaved complex numbers as a vector has lanes, and back.
template <class T> inline void split(const T* from, Vector<T>& re, Vector<T>& im) {
  const Vector<T> a = load(from), b = load(from + lanes<T>);
  if constexpr (lanes<T> == 16) {
    re = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    im = __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
  } else if constexpr (lanes<T> == 8) {
    re = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
    im = __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
  } else if constexpr (lanes<T> == 4) {
    re = __builtin_shufflevector(a, b, 0, 2, 4, 6);
    im = __builtin_shufflevector(a, b, 1, 3, 5, 7);
  } else {
    re = __builtin_shufflevector(a, b, 0, 2);
    im = __builtin_shufflevector(a, b, 1, 3);
  }
}
template <class T> inline void interleave(T* to, Vector<T> re, Vector<T> im) {
  Vector<T> a, b;
  if constexpr (lanes<T> == 16) {
    a = __builtin_shufflevector(re, im, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    b = __builtin_shufflevector(re, im, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  } else if constexpr (lanes<T> == 8) {
    a = __builtin_shufflevector(re, im, 0, 8, 1, 9, 2, 10, 3, 11);
    b = __builtin_shufflevector(re, im, 4, 12, 5, 13, 6, 14, 7, 15);
  } else if constexpr (lanes<T> == 4) {
    a = __builtin_shufflevector(re, im, 0, 4, 1, 5);
    b = __builtin_shufflevector(re, im, 2, 6, 3, 7);
  } else {
    a = __builtin_shufflevector(re, im, 0, 2);
    b = __builtin_shufflevector(re, im, 1, 3);
  }
  store(to, a);
  store(to + lanes<T>, b);
}

}  // namespace suite::lfd
