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
  }
  const Plan& plan() const { return plan_; }

  // Working memory of a thread, in doubles.
  int64_t work_size() const { return 2 * lanes * (2 * line() + slab_ + columns_); }

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
  int64_t slab_ = 0, columns_ = 0;
};

}  // namespace suite::gw
