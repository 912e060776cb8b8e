// SPDX-License-Identifier: BSD-3-Clause
// The kinetic propagator of one block of orbitals in cells of 2 x 2 x 2 points.
//
// The parts of different directions commute, so that [half x, half y, half z] [full x, full y, full z] [half
// x, half y, half z] is the step of lfd.hpp: three passes over cells that do not touch each other, in place,
// without ghost points or a work array. The halves join the even cells, from (0,0,0), the full parts the odd
// ones, from (1,1,1), around the border. Each pair takes the form  a += i t b, b += i t a (splitting.hpp),
// four multiply-adds; the constants collect in the phase u.
//
// With Bloch vectors or a vector potential the block holds chi_i = e^{i(A+k).h i} psi_i, for which only the
// bonds across the border carry a phase, e^{i(A+k)_d h_d N_d}: one for each orbital.
//
// Vectors stream through memory once per step: a slab of even cells, then the odd cells behind it, then the
// last even ones behind those (the wavefront along x keeps four planes of one block in the L2 cache).
#pragma once

#include <utility>

#include "blocks.hpp"

namespace suite::lfd {

// t e^{i Theta} of the bonds across the border, for the orbitals of one block.
template <class T> struct Border {
  Vector<T> c[3], s[3];
};

template <class T> struct Tangents {
  T half[3], full[3];
};

// Sums of one slab over the density: 1, x, y, z times rho f, the coordinates counted in points.
struct Moments {
  double n = 0, x = 0, y = 0, z = 0;
};

template <class T> class Cells {
public:
  using V = Vector<T>;

  // far: the block is expected in memory or a far cache, and asked for two rows ahead. A step that follows
  // another one of the same block is faster without.
  Cells(const Blocks<T>& blocks, const Tangents<T>& tangents, bool far)
      : nx_(blocks.grid().n[0]),
        ny_(blocks.grid().n[1]),
        nz_(blocks.grid().n[2]),
        row_(blocks.row()),
        plane_(blocks.plane()),
        t_(tangents),
        far_(far) {}

  // One whole step of a block; moments[i/2] of every slab.
  void step(V* psi, const T* u, const Border<T>* border, V f, double* rho, Moments* moments) const {
    for (int64_t i = 0; i < nx_; i += 2) slabs(psi, u, border, f, rho, i, i >= 2 ? i - 1 : none, i >= 4 ? i - 2 : none, moments);
    slabs(psi, u, border, f, rho, none, nx_ - 1, nx_ > 2 ? nx_ - 2 : none, moments);
    slabs(psi, u, border, f, rho, none, none, 0, moments);
  }

  // The same in three passes over slabs, i = 0, 2, .. in begin_slab() and end_slab(), 1, 3, .. in
  // middle_slab(), for a team that shares one block: all slabs of a pass before the next.
  void begin_slab(V* psi, const T* u, int64_t i) const {
    for (int64_t j = 0; j < ny_; j += 2) begin(psi, u, i, j);
  }
  void middle_slab(V* psi, const Border<T>* border, int64_t i) const {
    for (int64_t j = 1; j < ny_; j += 2) middle(psi, border, i, j);
  }
  Moments end_slab(V* psi, V f, double* rho, int64_t i) const {
    Sums sums;
    for (int64_t j = 2; j < ny_; j += 2) end(psi, f, rho, i, j, sums);
    end(psi, f, rho, i, 0, sums);  // last, as in step(): the same bits
    return moments_of(sums, i);
  }

private:
  static constexpr int64_t none = -1;

  struct Sums {
    Eight n{}, y{}, z{};
  };

  // Rows of cells in the three slabs that are under way, in the order in which they meet the same rows.
  void slabs(V* psi, const T* u, const Border<T>* border, V f, double* rho, int64_t first, int64_t second, int64_t third,
             Moments* moments) const {
    Sums sums;
    const auto begins = [&](int64_t j) {
      if (first != none) begin(psi, u, first, j);
    };
    const auto goes_on = [&](int64_t j) {
      if (second != none) middle(psi, border, second, j);
    };
    const auto ends = [&](int64_t j) {
      if (third != none) end(psi, f, rho, third, j, sums);
    };
    begins(0);
    for (int64_t j = 2; j < ny_; j += 2) {
      begins(j);
      goes_on(j - 1);
      if (j >= 4) ends(j - 2);
    }
    goes_on(ny_ - 1);
    if (ny_ > 2) ends(ny_ - 2);
    ends(0);
    if (third != none) moments[third / 2] = moments_of(sums, third);
  }

  // Even cells from (i,j), each point first multiplied by u[cell][point][re,im].
  void begin(V* psi, const T* u, int64_t i, int64_t j) const {
    const T* phase = u + (i * ny_ + 2 * j) * nz_ * 2;
    V* p = psi + i * plane_ + j * row_;
    // The next two rows of the slab, or the first of the next slab.
    const int64_t ahead = !far_ ? 0 : j + 2 < ny_ ? 2 * row_ : i + 2 < nx_ ? 2 * plane_ - j * row_ : 0;
    for (int64_t k = 0; k < nz_; k += 2, phase += 16, p += 4) {
      if (ahead) prefetch(p + ahead);
      Cell cell;
      cell.load(p, plane_, row_, 2);
      cell.turn(phase);
      cell.join(t_.half);
      cell.store(p, plane_, row_, 2);
    }
  }

  [[gnu::always_inline]] void prefetch(const V* p) const {
    for (int q = 0; q < 4; ++q) {
      const char* const from = reinterpret_cast<const char*>(p + (q >> 1) * plane_ + (q & 1) * row_);
      for (size_t byte = 0; byte < 4 * sizeof(V); byte += 64) __builtin_prefetch(from + byte, 1);
    }
  }

  // Odd cells from (i,j), or across the border.
  void middle(V* psi, const Border<T>* border, int64_t i, int64_t j) const {
    const int64_t dx = i + 1 < nx_ ? plane_ : -i * plane_, dy = j + 1 < ny_ ? row_ : -j * row_;
    V* p = psi + i * plane_ + j * row_ + 2;
    for (int64_t k = 1; k + 1 < nz_; k += 2, p += 4) odd(p, dx, dy, 2, border);
    odd(p, dx, dy, -2 * (nz_ - 1), border);
  }

  // Compiled once each, so that step() and the passes over slabs give the same bits.

  // Even cells again, with the moments of sum_n f_n |psi_n|^2 and, where rho is given, the sums themselves,
  // rho[cell][point].
  [[gnu::noinline]] void end(V* psi, V f, double* rho, int64_t i, int64_t j, Sums& sums) const {
    V* p = psi + i * plane_ + j * row_;
    if (rho) rho += (i * ny_ + 2 * j) * nz_;
    Eight line{};
    for (int64_t k = 0; k < nz_; k += 2, p += 4) {
      Cell cell;
      cell.load(p, plane_, row_, 2);
      cell.join(t_.half);
      cell.store(p, plane_, row_, 2);
      const Eight density = cell.density(f);
      line += density;
      sums.z += static_cast<double>(k) * density;
      if (rho) {
        store_eight(rho, density);
        rho += 8;
      }
    }
    sums.n += line;
    sums.y += static_cast<double>(j) * line;
  }

  [[gnu::noinline]] static Moments moments_of(const Sums& sums, int64_t i) {
    Moments m;
    for (int q = 0; q < 8; ++q) {
      const double di = q >> 2, dj = q >> 1 & 1, dk = q & 1;
      m.n += sums.n[q];
      m.x += (static_cast<double>(i) + di) * sums.n[q];
      m.y += sums.y[q] + dj * sums.n[q];
      m.z += sums.z[q] + dk * sums.n[q];
    }
    return m;
  }

  // Point q = 4 di + 2 dj + dk of a cell. The loops over points are unrolled by templates: left to the
  // optimiser, the cell stays in memory and a step takes three times as long.
  struct Cell {
    V re[8], im[8];

    template <class F> [[gnu::always_inline]] static void each_point(F&& f) {
      [&]<int... q>(std::integer_sequence<int, q...>) __attribute__((always_inline)) { (f(std::integral_constant<int, q>{}), ...); }
      (std::make_integer_sequence<int, 8>{});
    }
    static constexpr int64_t place(int q, int64_t dx, int64_t dy, int64_t dz) { return (q >> 2) * dx + (q >> 1 & 1) * dy + (q & 1) * dz; }
    [[gnu::always_inline]] void load(const V* p, int64_t dx, int64_t dy, int64_t dz) {
      each_point([&](auto q) __attribute__((always_inline)) {
        re[q] = p[place(q, dx, dy, dz)];
        im[q] = p[place(q, dx, dy, dz) + 1];
      });
    }
    [[gnu::always_inline]] void store(V* p, int64_t dx, int64_t dy, int64_t dz) const {
      each_point([&](auto q) __attribute__((always_inline)) {
        p[place(q, dx, dy, dz)] = re[q];
        p[place(q, dx, dy, dz) + 1] = im[q];
      });
    }
    [[gnu::always_inline]] void turn(const T* u) {
      each_point([&](auto q) __attribute__((always_inline)) {
        const V x = u[2 * q] * re[q] - u[2 * q + 1] * im[q];
        im[q] = u[2 * q] * im[q] + u[2 * q + 1] * re[q];
        re[q] = x;
      });
    }
    [[gnu::always_inline]] void pair(int a, int b, T t) {
      const V ar = re[a] - t * im[b], ai = im[a] + t * re[b];
      const V br = re[b] - t * im[a], bi = im[b] + t * re[a];
      re[a] = ar, im[a] = ai, re[b] = br, im[b] = bi;
    }
    // a is the last point of a direction and b the first, behind the border.
    [[gnu::always_inline]] void pair(int a, int b, V c, V s) {
      const V ar = re[a] - s * re[b] - c * im[b], ai = im[a] + c * re[b] - s * im[b];
      const V br = re[b] + s * re[a] - c * im[a], bi = im[b] + c * re[a] + s * im[a];
      re[a] = ar, im[a] = ai, re[b] = br, im[b] = bi;
    }
    template <int d, class... Factors> [[gnu::always_inline]] void pairs(Factors... t) {
      constexpr int apart = 4 >> d;
      each_point([&](auto q) __attribute__((always_inline)) {
        if constexpr (!(q() & apart)) pair(q, q | apart, t...);
      });
    }
    [[gnu::always_inline]] void join(const T* t) {
      pairs<2>(t[2]);
      pairs<1>(t[1]);
      pairs<0>(t[0]);
    }
    [[gnu::always_inline]] Eight density(V f) const {
      V r[8];
      each_point([&](auto q) __attribute__((always_inline)) { r[q] = f * (re[q] * re[q] + im[q] * im[q]); });
      return sums_of_eight(r);
    }
  };

  [[gnu::always_inline]] void odd(V* p, int64_t dx, int64_t dy, int64_t dz, const Border<T>* border) const {
    if (border && (dx < 0 || dy < 0 || dz < 0)) return odd_at_border(p, dx, dy, dz, *border);
    Cell cell;
    cell.load(p, dx, dy, dz);
    cell.join(t_.full);
    cell.store(p, dx, dy, dz);
  }

  [[gnu::noinline]] void odd_at_border(V* p, int64_t dx, int64_t dy, int64_t dz, const Border<T>& border) const {
    const int64_t apart[] = {dx, dy, dz};
    Cell cell;
    cell.load(p, dx, dy, dz);
    const auto direction = [&]<int d>(std::integral_constant<int, d>) {
      if (apart[d] < 0) cell.template pairs<d>(border.c[d], border.s[d]);
      else cell.template pairs<d>(t_.full[d]);
    };
    direction(std::integral_constant<int, 2>{});
    direction(std::integral_constant<int, 1>{});
    direction(std::integral_constant<int, 0>{});
    cell.store(p, dx, dy, dz);
  }

  int64_t nx_, ny_, nz_, row_, plane_;
  Tangents<T> t_;
  bool far_;
};

}  // namespace suite::lfd
