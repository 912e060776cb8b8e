// SPDX-License-Identifier: BSD-3-Clause
// The rows of a sphere (nonlocal.hpp) in a block of lfd.propagate. A row may be wanted behind a phase u that
// the block has not taken yet; then what is added takes it back. Where the density of the block is already
// made, its change is followed.
#pragma once

#include "cell_order.hpp"
#include "cells.hpp"
#include "spheres.hpp"

namespace suite::lfd {

// A + k of the orbitals of a block.
template <class T> struct WaveVectors {
  double w[3][lanes<T>] = {};

  // e^{i w.r}
  void phase(const double* r, Vector<T>& c, Vector<T>& s) const {
    double angle[lanes<T>];
    for (int l = 0; l < lanes<T>; ++l) angle[l] = w[0][l] * r[0] + w[1][l] * r[1] + w[2][l] * r[2];
    cos_sin(0.0, Vector<T>{}, angle, c, s);
  }
};

// Where the points of an atom lie in a block, and in the order of u and rho.
struct PlacedSphere {
  std::vector<int64_t> row, place;

  template <class T> PlacedSphere(const Sphere& sphere, const Blocks<T>& blocks) {
    const Grid& g = blocks.grid();
    const CellOrder order(g);
    for (const int32_t p : sphere.point) {
      const int64_t i = p / (g.n[1] * g.n[2]), j = p / g.n[2] % g.n[1], k = p % g.n[2];
      row.push_back(blocks.at(i, j, k));
      place.push_back(order.place(i, j, k));
    }
  }
};

// What becomes of the density sum_n f_n |psi_n|^2 where rows change, eight rows at a time.
template <class T> class DensityChange {
public:
  DensityChange(const Grid& grid, Vector<T> f, double* rho, Moments& moments) : grid_(grid), f_(f), rho_(rho), moments_(moments) {}

  void add(int64_t point, int64_t place, Vector<T> change) {
    change_[count_] = f_ * change;
    point_[count_] = point;
    place_[count_] = place;
    if (++count_ == 8) flush();
  }
  void flush() {
    for (int q = count_; q < 8; ++q) change_[q] = Vector<T>{};
    const Eight sums = sums_of_eight(change_);
    for (int q = 0; q < count_; ++q) {
      if (rho_) rho_[place_[q]] += sums[q];
      const int64_t p = point_[q];
      moments_.n += sums[q];
      moments_.x += static_cast<double>(p / (grid_.n[1] * grid_.n[2])) * sums[q];
      moments_.y += static_cast<double>(p / grid_.n[2] % grid_.n[1]) * sums[q];
      moments_.z += static_cast<double>(p % grid_.n[2]) * sums[q];
    }
    count_ = 0;
  }

private:
  const Grid& grid_;
  Vector<T> f_;
  double* rho_;
  Moments& moments_;
  int count_ = 0;
  Vector<T> change_[8];
  int64_t point_[8], place_[8];
};

template <class T> struct BlockRows {
  using V = Vector<T>;
  V* block;
  const Sphere& sphere;
  const PlacedSphere& placed;
  const T* u = nullptr;       // [place][re,im]
  const V* images = nullptr;  // cos and sin of each image's phase
  DensityChange<T>* change = nullptr;

  BlockRows(V* b, const Sphere& s, const PlacedSphere& p) : block(b), sphere(s), placed(p) {}

  [[gnu::always_inline]] void load(int64_t p, V& re, V& im) const {
    const V* const row = block + placed.row[p];
    re = row[0];
    im = row[1];
    if (u) {
      const T c = u[2 * placed.place[p]], s = u[2 * placed.place[p] + 1];
      turn(re, im, fill(c), fill(s));
    }
    if (images && sphere.image[p] > 0) {
      const V* const phase = images + 2 * sphere.image[p];
      turn(re, im, phase[0], phase[1]);
    }
  }
  [[gnu::always_inline]] void add(int64_t p, V re, V im) const {
    if (images && sphere.image[p] > 0) {
      const V* const phase = images + 2 * sphere.image[p];
      turn(re, im, phase[0], -phase[1]);
    }
    if (u) {
      const T c = u[2 * placed.place[p]], s = -u[2 * placed.place[p] + 1];
      turn(re, im, fill(c), fill(s));
    }
    V* const row = block + placed.row[p];
    const V new_re = row[0] + re, new_im = row[1] + im;
    if (change) change->add(sphere.point[p], placed.place[p], (new_re * new_re - row[0] * row[0]) + (new_im * new_im - row[1] * row[1]));
    row[0] = new_re;
    row[1] = new_im;
  }

private:
  static void turn(V& re, V& im, V c, V s) {
    const V x = c * re - s * im;
    im = c * im + s * re;
    re = x;
  }
};

template <class T> void image_phases(const Sphere& sphere, const WaveVectors<T>& waves, Vector<T>* phases) {
  for (size_t i = 0; i < sphere.shift.size(); ++i) waves.phase(sphere.shift[i].x, phases[2 * i], phases[2 * i + 1]);
}

}  // namespace suite::lfd
