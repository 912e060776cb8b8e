// SPDX-License-Identifier: BSD-3-Clause
// Transforms from a sphere of G vectors to the grid and back, of `lanes` bands at a time, by the lines that
// are not zero. On the grid x is fastest, then y; y and x lines of one z are transformed together, so that
// what is between them stays in the nearest cache.
#pragma once

#include <algorithm>

#include "lines.hpp"

namespace suite::gw {

class Transforms {
public:
  explicit Transforms(Plan plan) : plan_(std::move(plan)), x_(plan_.n[0]), y_(plan_.n[1]), z_(plan_.n[2]) {
    for (const Columns* c : {&plan_.ket, &plan_.bra, &plan_.wanted}) {
      slab_ = std::max(slab_, c->nx() * plan_.n[1]);
      columns_ = std::max(columns_, c->columns() * plan_.n[2]);
    }
    const int64_t alone = 2 * cpu::padded(plan_.n[2]) * (plan_.bra.columns() + plan_.bra.nx() * plan_.n[1]);
    size_ = 2 * lanes * 2 * line() + std::max(2 * lanes * (slab_ + columns_), alone);
  }
  const Plan& plan() const { return plan_; }

  // Working memory of a thread, in doubles.
  int64_t work_size() const { return size_; }

  // load(index, Z&) of each entry; store(line, const Z*) of each line along x, line = y + ny z.
  template <class Load, class Store>
  void to_grid(const Columns& c, double* work, Load&& load, Store&& store) const {
    const Work w = work_of(work);
    const int64_t nx = plan_.n[0], ny = plan_.n[1], nz = plan_.n[2], some_x = c.nx();
    for (int64_t column = 0; column < c.columns(); ++column) {
      std::fill_n(w.a, nz, Z{});
      for (int32_t e = c.first_entry[column]; e < c.first_entry[column + 1]; ++e)
        load(c.index[e], w.a[c.z[e]]);
      std::copy_n(z_(w.a, w.a, w.b), nz, w.columns + column * nz);
    }
    for (int64_t z = 0; z < nz; ++z) {
      for (int64_t i = 0; i < some_x; ++i) {
        std::fill_n(w.a, ny, Z{});
        for (int32_t column = c.first_column[i]; column < c.first_column[i + 1]; ++column)
          w.a[c.y[column]] = w.columns[column * nz + z];
        const Z* const line = y_(w.a, w.a, w.b);
        for (int64_t y = 0; y < ny; ++y) w.slab[y * some_x + i] = line[y];
      }
      for (int64_t y = 0; y < ny; ++y) {
        std::fill_n(w.a, nx, Z{});
        for (int64_t i = 0; i < some_x; ++i) w.a[c.x[i]] = w.slab[y * some_x + i];
        store(y + ny * z, x_(w.a, w.a, w.b));
      }
    }
  }

  // load(line, Z*) fills a line along x; store(index, Z) gets each entry.
  template <class Load, class Store>
  void from_grid(const Columns& c, double* work, Load&& load, Store&& store) const {
    const Work w = work_of(work);
    const int64_t ny = plan_.n[1], nz = plan_.n[2], some_x = c.nx();
    for (int64_t z = 0; z < nz; ++z) {
      for (int64_t y = 0; y < ny; ++y) {
        load(y + ny * z, w.a);
        const Z* const line = x_(w.a, w.a, w.b);
        for (int64_t i = 0; i < some_x; ++i) w.slab[i * ny + y] = line[c.x[i]];
      }
      for (int64_t i = 0; i < some_x; ++i) {
        const Z* const line = y_(w.slab + i * ny, w.a, w.b);
        for (int32_t column = c.first_column[i]; column < c.first_column[i + 1]; ++column)
          w.columns[column * nz + z] = line[c.y[column]];
      }
    }
    for (int64_t column = 0; column < c.columns(); ++column) {
      const Z* const line = z_(w.columns + column * nz, w.a, w.b);
      for (int32_t e = c.first_entry[column]; e < c.first_entry[column + 1]; ++e)
        store(c.index[e], line[c.z[e]]);
    }
  }

  // The external bands' transform of one band alone: lanes are columns first, then neighbouring z.
  // load(index, re, im); store(line, x, re, im).
  template <class Load, class Store>
  void band_to_grid(double* work, Load&& load, Store&& store) const {
    const Columns& c = plan_.bra;
    const Work w = work_of(work);
    const int64_t nx = plan_.n[0], ny = plan_.n[1], nz = plan_.n[2], some_x = c.nx(), row = cpu::padded(nz);
    // re of all z, then im of all z, of each column and of each (y,x) of the slabs.
    double *const columns = work + 2 * lanes * 2 * line(), *const slabs = columns + 2 * row * c.columns();
    for (int64_t first = 0; first < c.columns(); first += lanes) {
      const int64_t some = std::min<int64_t>(lanes, c.columns() - first);
      std::fill_n(w.a, nz, Z{});
      for (int64_t l = 0; l < some; ++l)
        for (int32_t e = c.first_entry[first + l]; e < c.first_entry[first + l + 1]; ++e)
          load(c.index[e], reinterpret_cast<double*>(&w.a[c.z[e]].re)[l],
               reinterpret_cast<double*>(&w.a[c.z[e]].im)[l]);
      const Z* const line = z_(w.a, w.a, w.b);
      for (int64_t l = 0; l < some; ++l) {
        double* const to = columns + 2 * row * (first + l);
        for (int64_t z = 0; z < nz; ++z) {
          to[z] = line[z].re[l];
          to[row + z] = line[z].im[l];
        }
        std::fill(to + nz, to + row, 0.0);
        std::fill(to + row + nz, to + 2 * row, 0.0);
      }
    }
    for (int64_t z = 0; z < nz; z += lanes)
      for (int64_t i = 0; i < some_x; ++i) {
        std::fill_n(w.a, ny, Z{});
        for (int32_t column = c.first_column[i]; column < c.first_column[i + 1]; ++column) {
          const double* const from = columns + 2 * row * column + z;
          w.a[c.y[column]] = {cpu::load(from), cpu::load(from + row)};
        }
        const Z* const line = y_(w.a, w.a, w.b);
        for (int64_t y = 0; y < ny; ++y) {
          double* const to = slabs + 2 * row * (y * some_x + i) + z;
          cpu::store(to, line[y].re);
          cpu::store(to + row, line[y].im);
        }
      }
    for (int64_t y = 0; y < ny; ++y)
      for (int64_t z = 0; z < nz; z += lanes) {
        std::fill_n(w.a, nx, Z{});
        for (int64_t i = 0; i < some_x; ++i) {
          const double* const from = slabs + 2 * row * (y * some_x + i) + z;
          w.a[c.x[i]] = {cpu::load(from), cpu::load(from + row)};
        }
        const Z* const line = x_(w.a, w.a, w.b);
        for (int64_t l = 0; l < std::min<int64_t>(lanes, nz - z); ++l)
          for (int64_t x = 0; x < nx; ++x) store(y + ny * (z + l), x, line[x].re[l], line[x].im[l]);
      }
  }

private:
  struct Work {
    Z *a, *b, *slab, *columns;
  };
  int64_t line() const { return *std::max_element(plan_.n.begin(), plan_.n.end()); }
  Work work_of(double* work) const {
    Z* const z = reinterpret_cast<Z*>(work);
    return {z, z + line(), z + 2 * line(), z + 2 * line() + slab_};
  }

  Plan plan_;
  Lines x_, y_, z_;
  int64_t slab_ = 0, columns_ = 0, size_ = 0;
};

}  // namespace suite::gw
