// SPDX-License-Identifier: BSD-3-Clause
// The rows of a sphere (nonlocal.hpp) in a block of lfd.propagate. A row may be wanted behind a phase that
// the block does not have; then what is added takes it back. Where the density of the block is already
// made, changed rows replace theirs.
#pragma once

#include <type_traits>

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
  static constexpr int64_t ahead = 12;  // points that are asked for before their turn
  std::vector<int64_t> row, place;      // row: `ahead` more than there are points

  template <class T> PlacedSphere(const Sphere& sphere, const Blocks<T>& blocks) {
    const Grid& g = blocks.grid();
    const CellOrder order(g);
    for (const int32_t p : sphere.point) {
      const int64_t i = p / (g.n[1] * g.n[2]), j = p / g.n[2] % g.n[1], k = p % g.n[2];
      row.push_back(blocks.at(i, j, k));
      place.push_back(order.place(i, j, k));
    }
    if (!row.empty()) row.resize(row.size() + ahead, row.back());
  }
};

// sum_n f_n |psi_n|^2 of rows, eight of them at a time. A row that is given again replaces what it was.
template <class T> class DensityOfRows {
public:
  DensityOfRows(Vector<T> f, double* rho) : f_(f), rho_(rho) {}

  [[gnu::always_inline]] void set(int64_t place, Vector<T> re, Vector<T> im) {
    value_[count_] = f_ * (re * re + im * im);
    place_[count_] = place;
    if (++count_ == 8) flush();
  }
  void flush() {
    for (int q = count_; q < 8; ++q) value_[q] = Vector<T>{};
    const Eight sums = sums_of_eight(value_);
    for (int q = 0; q < count_; ++q) rho_[place_[q]] = sums[q];
    count_ = 0;
  }

private:
  Vector<T> f_;
  double* rho_;
  int count_ = 0;
  Vector<T> value_[8];
  int64_t place_[8];
};

// 1, x, y and z times a density in the order of cells, the coordinates counted in points.
inline Moments moments_of_density(const Grid& g, const double* rho) {
  const CellOrder order(g);
  Moments m;
  if (order.width[0] * order.width[1] * order.width[2] < 8) {  // cells have gaps
    for (int64_t i = 0; i < g.n[0]; ++i)
      for (int64_t j = 0; j < g.n[1]; ++j)
        for (int64_t k = 0; k < g.n[2]; ++k) {
          const double density = rho[order.place(i, j, k)];
          m.n += density;
          m.x += static_cast<double>(i) * density;
          m.y += static_cast<double>(j) * density;
          m.z += static_cast<double>(k) * density;
        }
    return m;
  }
  for (int64_t i = 0; i < g.n[0]; i += 2)
    for (int64_t j = 0; j < g.n[1]; j += 2) {
      Eight line{}, z{};
      for (int64_t k = 0; k < g.n[2]; k += 2, rho += 8) {
        const Eight cell = load_eight(rho);
        line += cell;
        z += static_cast<double>(k) * cell;
      }
      for (int q = 0; q < 8; ++q) {
        m.n += line[q];
        m.x += static_cast<double>(i + (q >> 2)) * line[q];
        m.y += static_cast<double>(j + (q >> 1 & 1)) * line[q];
        m.z += z[q] + static_cast<double>(q & 1) * line[q];
      }
    }
  return m;
}

// What rows are multiplied with: nothing, a factor at each point for all orbitals of the block, or one for each of them.
enum class Turn { none, alike, each };

template <class T, Turn turned> struct BlockRows {
  using V = Vector<T>;
  using Factor = std::conditional_t<turned == Turn::each, V, T>;
  V* block;
  const PlacedSphere& placed;
  const Factor* factors = nullptr;  // [point][re,im]
  DensityOfRows<T>* density = nullptr;

  [[gnu::always_inline]] void load(int64_t p, V& re, V& im) const {
    __builtin_prefetch(block + placed.row[p + PlacedSphere::ahead], 1);
    const V* const row = block + placed.row[p];
    re = row[0];
    im = row[1];
    if constexpr (turned != Turn::none) turn(re, im, factors[2 * p], factors[2 * p + 1]);
  }
  [[gnu::always_inline]] void add(int64_t p, V re, V im) const {
    if constexpr (turned != Turn::none) turn(re, im, factors[2 * p], -factors[2 * p + 1]);
    V* const row = block + placed.row[p];
    re += row[0];
    im += row[1];
    row[0] = re;
    row[1] = im;
    if (density) density->set(placed.place[p], re, im);
  }

private:
  [[gnu::always_inline]] static void turn(V& re, V& im, Factor c, Factor s) {
    const V x = c * re - s * im;
    im = c * im + s * re;
    re = x;
  }
};

}  // namespace suite::lfd
