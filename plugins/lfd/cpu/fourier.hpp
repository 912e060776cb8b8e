// SPDX-License-Identifier: BSD-3-Clause
// kinetic = fourier (../fourier.hpp) for a block of orbitals. A step takes two passes over it: planes of y and z, which
// stay in a near cache, then lines along x. The first one begins with the phase u, the second one ends with the density.
// The block holds psi itself, whose lines are periodic: A and k are in the energies of the waves.
#pragma once

#include "block_rows.hpp"
#include "line_transform.hpp"

namespace suite::lfd {

template <class T> class FourierLines {
public:
  using V = Vector<T>;

  void set(const Blocks<T>& blocks);
  // Vectors of a block's tables, and of working memory.
  int64_t table_size() const { return 2 * (lines_[0].points() + lines_[1].points() + lines_[2].points()); }
  int64_t room() const { return std::max({lines_[0].room() + lines_[0].points() + 8, lines_[1].room(), lines_[2].room()}); }

  // exp(-i dt T)/N of each wave of the three directions.
  void set_tables(const WaveVectors<T>& waves, double dt, V* tables) const;

  struct Block {
    V* psi;
    const V* tables;
    V* room;
  };
  // The lines along z and y of plane i, times u.
  void plane(const Block& block, const T* u, int64_t i) const;
  // The lines along x through (j, all k). The moments are those of j; rho, where it is given, is sum_n f_n |psi_n|^2 in the
  // order of cells.
  Moments columns(const Block& block, V f, double* rho, int64_t j) const;

  // total[d] += sum f |psi_q|^2 (q + A + k) of the lines along y and z in the plane i, and of some along x, psi times u.
  void add_velocities(const Block& block, const T* u, const WaveVectors<T>& waves, V f, int64_t i, double* total) const;

private:
  const V* phase(const Block& block, int d) const { return block.tables + 2 * before(d); }
  int64_t before(int d) const { return (d > 0 ? lines_[0].points() : 0) + (d > 1 ? lines_[1].points() : 0); }
  [[gnu::always_inline]] static void turn(V& re, V& im, V c, V s) {
    const V x = c * re - s * im;
    im = c * im + s * re;
    re = x;
  }

  // Lines along x are asked for before their turn: their points lie in as many pages.
  static constexpr int64_t ahead = 4;
  [[gnu::always_inline]] static void prefetch(const V* row) {
    for (size_t byte = 0; byte < 2 * sizeof(V); byte += 64) __builtin_prefetch(reinterpret_cast<const char*>(row) + byte, 1);
  }

  Grid g_;
  int64_t apart_[3] = {0, 0, 0};
  LineTransform<T> lines_[3];
  std::vector<int64_t> place_[3];  // of a point in the order of cells: the sum of those of its three coordinates
  std::vector<T> slope_[3];        // of each wave, as LineWave has it
};

template <class T> void FourierLines<T>::set(const Blocks<T>& blocks) {
  g_ = blocks.grid();
  apart_[0] = blocks.plane(), apart_[1] = blocks.row(), apart_[2] = 2;
  for (int d = 0; d < 3; ++d)
    if (lines_[d].points() != g_.n[d]) lines_[d] = LineTransform<T>(g_.n[d]);
  const CellOrder order(g_);
  for (int d = 0; d < 3; ++d) {
    place_[d].clear();
    slope_[d].clear();
    for (int64_t i = 0; i < g_.n[d]; ++i) {
      place_[d].push_back(order.place(d == 0 ? i : 0, d == 1 ? i : 0, d == 2 ? i : 0));
      slope_[d].push_back(static_cast<T>(line_wave(lines_[d].wave()[i], g_.n[d], g_.h[d]).slope));
    }
  }
}

template <class T> void FourierLines<T>::set_tables(const WaveVectors<T>& waves, double dt, V* tables) const {
  double angle[lanes<T>];
  for (int d = 0; d < 3; ++d) {
    const T scale = static_cast<T>(1.0 / static_cast<double>(g_.n[d]));
    for (int64_t place = 0; place < g_.n[d]; ++place, tables += 2) {
      const LineWave wave = line_wave(lines_[d].wave()[place], g_.n[d], g_.h[d]);
      for (int l = 0; l < lanes<T>; ++l) angle[l] = -dt * wave.energy(waves.w[d][l]);
      cos_sin(0.0, V{}, angle, tables[0], tables[1]);
      tables[0] *= scale, tables[1] *= scale;
    }
  }
}

template <class T> void FourierLines<T>::plane(const Block& block, const T* u, int64_t i) const {
  const CellOrder order(g_);
  const int64_t ny = g_.n[1], nz = g_.n[2], apart = apart_[1];
  V* const here = block.psi + i * apart_[0];
  for (int64_t j = 0; j < ny; ++j) {
    V* const line = here + j * apart;
    const T* const of_line = u + 2 * order.place(i, j, 0);
    lines_[2].multiply_waves(
        phase(block, 2), block.room,
        [=](int64_t k, V & re, V & im) __attribute__((always_inline)) {
          re = line[2 * k], im = line[2 * k + 1];
          const T* const phase = of_line + 2 * order.along_z(k);
          turn(re, im, fill(phase[0]), fill(phase[1]));
        },
        [=](int64_t k, V re, V im) __attribute__((always_inline)) { line[2 * k] = re, line[2 * k + 1] = im; });
  }
  for (int64_t k = 0; k < nz && ny > 1; ++k) {
    V* const line = here + 2 * k;
    lines_[1].multiply_waves(
        phase(block, 1),
        block.room, [=](int64_t j, V & re, V & im) __attribute__((always_inline)) { re = line[j * apart], im = line[j * apart + 1]; },
        [=](int64_t j, V re, V im) __attribute__((always_inline)) { line[j * apart] = re, line[j * apart + 1] = im; });
  }
}

template <class T> Moments FourierLines<T>::columns(const Block& block, V f, double* rho, int64_t j) const {
  const int64_t nx = g_.n[0], apart = apart_[0];
  V* const density = block.room + lines_[0].room();
  for (int64_t i = nx; i < nx + 8; ++i) density[i] = V{};
  double n[lanes<T>] = {}, x[lanes<T>] = {}, z[lanes<T>] = {};
  for (int64_t k = 0; k < g_.n[2]; ++k) {
    V* const line = block.psi + j * apart_[1] + 2 * k;
    lines_[0].multiply_waves(
        phase(block, 0), block.room,
        [=](int64_t i, V & re, V & im) __attribute__((always_inline)) {
          const V* const row = line + i * apart;
          prefetch(row + 2 * ahead);
          re = row[0], im = row[1];
        },
        [=](int64_t i, V re, V im) __attribute__((always_inline)) {
          V* const row = line + i * apart;
          row[0] = re, row[1] = im;
          density[i] = f * (re * re + im * im);
        });
    V sum{}, first{};
    for (int64_t i = 0; i < nx; ++i) sum += density[i], first += static_cast<T>(i) * density[i];
    for (int l = 0; l < lanes<T>; ++l) {
      n[l] += static_cast<double>(sum[l]);
      x[l] += static_cast<double>(first[l]);
      z[l] += static_cast<double>(k) * static_cast<double>(sum[l]);
    }
    for (int64_t i = 0; rho && i < nx; i += 8) {
      const Eight sums = sums_of_eight(density + i);
      double* const here = rho + place_[1][j] + place_[2][k];
      for (int64_t q = 0; q < 8 && i + q < nx; ++q) here[place_[0][i + q]] = sums[q];
    }
  }
  Moments moments;
  for (int l = 0; l < lanes<T>; ++l) moments.n += n[l], moments.x += x[l], moments.z += z[l];
  moments.y = static_cast<double>(j) * moments.n;
  return moments;
}

template <class T>
void FourierLines<T>::add_velocities(const Block& block, const T* u, const WaveVectors<T>& waves, V f, int64_t i, double* total) const {
  const auto line = [&]<int d>(std::integral_constant<int, d>, int64_t x, int64_t y, int64_t z, V& all) {
    const V* const psi = block.psi + x * apart_[0] + y * apart_[1] + z * apart_[2];
    const T* const phases = u + 2 * (place_[0][x] + place_[1][y] + place_[2][z]);
    const int64_t apart = apart_[d], *const place = place_[d].data();
    const T* const slope = slope_[d].data();
    V kappa, sum{};
    for (int l = 0; l < lanes<T>; ++l) kappa[l] = static_cast<T>(waves.w[d][l]);
    lines_[d].waves(
        block.room,
        [=](int64_t p, V & re, V & im) __attribute__((always_inline)) {
          const V* const row = psi + p * apart;
          if constexpr (d == 0) prefetch(row + 2 * ahead);
          re = row[0], im = row[1];
          const T* const phase = phases + 2 * place[p];
          turn(re, im, fill(phase[0]), fill(phase[1]));
        },
        [&](int64_t wave, V re, V im) __attribute__((always_inline)) { sum += (kappa + slope[wave]) * (re * re + im * im); });
    all += sum;
  };
  const std::integral_constant<int, 0> along_x{};
  const std::integral_constant<int, 1> along_y{};
  const std::integral_constant<int, 2> along_z{};
  V all[3] = {};
  for (int64_t j = 0; j < g_.n[1] && g_.n[2] > 1; ++j) line(along_z, i, j, 0, all[2]);
  for (int64_t k = 0; k < g_.n[2] && g_.n[1] > 1; ++k) line(along_y, i, 0, k, all[1]);
  for (int64_t j = i * g_.n[1] / g_.n[0]; j < (i + 1) * g_.n[1] / g_.n[0] && g_.n[0] > 1; ++j)
    for (int64_t k = 0; k < g_.n[2]; ++k) line(along_x, 0, j, k, all[0]);
  for (int d = 0; d < 3; ++d)
    for (int l = 0; l < lanes<T>; ++l) total[d] += static_cast<double>(f[l] * all[d][l]) / static_cast<double>(g_.n[d]);
}

}  // namespace suite::lfd
