// SPDX-License-Identifier: BSD-3-Clause
// The rows of a sphere (spheres.hpp) in psi(Norb,Nz,Ny,Nx) itself: as many orbitals as a vector has lanes,
// with the whole phases e^{i(A+k).(r-R)}.
#pragma once

#include "block_rows.hpp"

namespace suite::lfd {

template <class T> class OrbitalRows {
public:
  using V = Vector<T>;

  // The block b of orbitals; with neither A nor k there are no phases.
  OrbitalRows(T* psi, int64_t norb, int64_t b, const Sphere& sphere, const double* A, const double* k)
      : psi_(psi + 2 * b * lanes<T>), row_(2 * norb), there_(std::min<int64_t>(lanes<T>, norb - b * lanes<T>)), sphere_(sphere) {
    if (!A && !k) return;
    WaveVectors<T> waves;
    for (int d = 0; d < 3; ++d)
      for (int l = 0; l < there_; ++l) waves.w[d][l] = (A ? A[d] : 0) + (k ? k[3 * (b * lanes<T> + l) + d] : 0);
    phases_.resize(2 * sphere.point.size());
    for (size_t p = 0; p < sphere.point.size(); ++p) waves.phase(sphere.displacement[p].x, phases_[2 * p], phases_[2 * p + 1]);
  }

  [[gnu::always_inline]] void load(int64_t p, V& re, V& im) const {
    read(p, re, im);
    if (!phases_.empty()) turn(re, im, phases_[2 * p], phases_[2 * p + 1]);
  }
  [[gnu::always_inline]] void add(int64_t p, V re, V im) const {
    if (!phases_.empty()) turn(re, im, phases_[2 * p], -phases_[2 * p + 1]);
    V old_re, old_im;
    read(p, old_re, old_im);
    T* const row = psi_ + sphere_.point[p] * row_;
    if (there_ == lanes<T>) return interleave(row, old_re + re, old_im + im);
    T padded[2 * lanes<T>];
    interleave(padded, old_re + re, old_im + im);
    std::copy_n(padded, 2 * there_, row);
  }

private:
  void read(int64_t p, V& re, V& im) const {
    const T* const row = psi_ + sphere_.point[p] * row_;
    if (there_ == lanes<T>) return split(row, re, im);
    T padded[2 * lanes<T>] = {};
    std::copy_n(row, 2 * there_, padded);
    split(padded, re, im);
  }
  static void turn(V& re, V& im, V c, V s) {
    const V x = c * re - s * im;
    im = c * im + s * re;
    re = x;
  }

  T* psi_;
  int64_t row_, there_;
  const Sphere& sphere_;
  std::vector<V> phases_;
};

}  // namespace suite::lfd
