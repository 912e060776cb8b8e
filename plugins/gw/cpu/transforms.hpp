// SPDX-License-Identifier: BSD-3-Clause
// Transforms from a sphere of G vectors to the grid and back, of `lanes` bands at a time, by the lines that
// are not zero. On the grid x is fastest, then y; y and x lines of one z are transformed together, so that
// what is between them stays in the nearest cache.
#pragma once

#include <algorithm>

#include "line.hpp"

namespace suite::gw {

class Transforms {
public:
  // Keeps references to the known lines of its lengths.
  Transforms(Plan plan, KnownLines& known)
      : plan_(std::move(plan)), x_(known.of(plan_.n[0])), y_(known.of(plan_.n[1])), z_(known.of(plan_.n[2])) {
    for (const Columns* c : {&plan_.ket, &plan_.bra, &plan_.wanted}) {
      slab_ = std::max(slab_, c->nx() * plan_.n[1]);
      columns_ = std::max(columns_, c->columns() * plan_.n[2]);
    }
    const int64_t alone = 2 * cpu::padded(plan_.n[2]) * (plan_.bra.columns() + plan_.bra.nx() * plan_.n[1]);
    size_ = 2 * lanes * 3 * line() + std::max(2 * lanes * (slab_ + columns_), alone);
    whole_z_ = z_.all_to_all();
    ket_ = lines_of(plan_.ket, [](LinesOfLength& axis, Points points) { return axis.to_all(points); });
    bra_ = lines_of(plan_.bra, [](LinesOfLength& axis, Points points) { return axis.to_all(points); });
    wanted_ = lines_of(plan_.wanted, [](LinesOfLength& axis, Points points) { return axis.from_all(points); });
  }
  const Plan& plan() const { return plan_; }

  // Working memory of a thread, in doubles.
  int64_t work_size() const { return size_; }

  // Internal or external bands. load(index) of each entry; store(line, x, z), line = y + ny z.
  template <class Load, class Store> void ket_to_grid(double* work, Load&& load, Store&& store) const {
    to_grid(plan_.ket, ket_, work, load, store);
  }
  template <class Load, class Store> void bra_to_grid(double* work, Load&& load, Store&& store) const {
    to_grid(plan_.bra, bra_, work, load, store);
  }

  // load(line, x); store(index, z) gets each entry.
  template <class Load, class Store> void grid_to_wanted(double* work, Load&& load, Store&& store) const {
    const Columns& c = plan_.wanted;
    const Work w = work_of(work);
    const int64_t ny = plan_.n[1], nz = plan_.n[2], some_x = c.nx();
    for (int64_t z = 0; z < nz; ++z) {
      for (int64_t y = 0; y < ny; ++y)
        x_[wanted_.x](
            w.a, w.b, [&](int64_t x) { return load(y + ny * z, x); }, [&](int64_t i, Z v) { w.slab[i * ny + y] = v; });
      for (int64_t i = 0; i < some_x; ++i) {
        Z* const to = w.columns + c.first_column[i] * nz + z;
        y_[wanted_.y[i]](
            w.a, w.b, [&](int64_t y) { return read(w.slab + i * ny + y); }, [&](int64_t column, Z v) { to[column * nz] = v; });
      }
    }
    for (int64_t column = 0; column < c.columns(); ++column) {
      const int32_t* const index = c.index.data() + c.first_entry[column];
      const Z* const from = w.columns + column * nz;
      z_[wanted_.z[column]](
          w.a, w.b, [&](int64_t z) { return read(from + z); }, [&](int64_t e, Z v) { store(index[e], v); });
    }
  }

  // The external bands' transform of one band alone: lanes are columns first, then neighbouring z.
  // load(index, re, im); store(line, x, re, im).
  template <class Load, class Store> void band_to_grid(double* work, Load&& load, Store&& store) const {
    const Columns& c = plan_.bra;
    const Work w = work_of(work);
    const int64_t ny = plan_.n[1], nz = plan_.n[2], some_x = c.nx(), row = cpu::padded(nz);
    // re of all z, then im of all z, of each column and of each (y,x) of the slabs.
    double *const columns = work + 2 * lanes * 3 * line(), *const slabs = columns + 2 * row * c.columns();
    for (int64_t first = 0; first < c.columns(); first += lanes) {
      const int64_t some = std::min<int64_t>(lanes, c.columns() - first);
      std::fill_n(w.c, nz, Z{});
      for (int64_t l = 0; l < some; ++l)
        for (int32_t e = c.first_entry[first + l]; e < c.first_entry[first + l + 1]; ++e)
          load(c.index[e], reinterpret_cast<double*>(&w.c[c.z[e]].re)[l], reinterpret_cast<double*>(&w.c[c.z[e]].im)[l]);
      z_[whole_z_](
          w.a, w.b, [&](int64_t z) { return read(w.c + z); },
          [&](int64_t z, Z v) {
            for (int64_t l = 0; l < some; ++l) {
              double* const to = columns + 2 * row * (first + l) + z;
              to[0] = v.re[l];
              to[row] = v.im[l];
            }
          });
      for (int64_t l = 0; l < some; ++l) {
        double* const to = columns + 2 * row * (first + l);
        std::fill(to + nz, to + row, 0.0);
        std::fill(to + row + nz, to + 2 * row, 0.0);
      }
    }
    for (int64_t z = 0; z < nz; z += lanes)
      for (int64_t i = 0; i < some_x; ++i) {
        const double* const from = columns + 2 * row * c.first_column[i] + z;
        double* const to = slabs + 2 * row * i + z;
        y_[bra_.y[i]](
            w.a, w.b, [&](int64_t column) { return numbers(from + 2 * row * column, row); },
            [&](int64_t y, Z v) { put(v, to + 2 * row * some_x * y, row); });
      }
    for (int64_t y = 0; y < ny; ++y)
      for (int64_t z = 0; z < nz; z += lanes) {
        const double* const from = slabs + 2 * row * some_x * y + z;
        x_[bra_.x](
            w.a, w.b, [&](int64_t i) { return numbers(from + 2 * row * i, row); },
            [&](int64_t x, Z v) {
              for (int64_t l = 0; l < std::min<int64_t>(lanes, nz - z); ++l) store(y + ny * (z + l), x, v.re[l], v.im[l]);
            });
      }
  }

private:
  // Which lines of the axes serve a sphere: along x, along y at each x, along z in each column.
  struct SphereLines {
    int x = 0;
    std::vector<int> y, z;
  };
  template <class Find> SphereLines lines_of(const Columns& c, Find&& find) {
    SphereLines lines;
    const auto part = [](const std::vector<int32_t>& list, int32_t begin, int32_t end) {
      return Points(list).subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
    };
    lines.x = find(x_, c.x);
    for (int64_t i = 0; i < c.nx(); ++i) lines.y.push_back(find(y_, part(c.y, c.first_column[i], c.first_column[i + 1])));
    for (int64_t i = 0; i < c.columns(); ++i) lines.z.push_back(find(z_, part(c.z, c.first_entry[i], c.first_entry[i + 1])));
    return lines;
  }

  template <class Load, class Store>
  void to_grid(const Columns& c, const SphereLines& lines, double* work, Load&& load, Store&& store) const {
    const Work w = work_of(work);
    const int64_t ny = plan_.n[1], nz = plan_.n[2], some_x = c.nx();
    for (int64_t column = 0; column < c.columns(); ++column) {
      const int32_t* const index = c.index.data() + c.first_entry[column];
      Z* const to = w.columns + column * nz;
      z_[lines.z[column]](
          w.a, w.b, [&](int64_t e) { return load(index[e]); }, [&](int64_t z, Z v) { to[z] = v; });
    }
    for (int64_t z = 0; z < nz; ++z) {
      for (int64_t i = 0; i < some_x; ++i) {
        const Z* const from = w.columns + c.first_column[i] * nz + z;
        y_[lines.y[i]](
            w.a, w.b, [&](int64_t column) { return read(from + column * nz); }, [&](int64_t y, Z v) { w.slab[y * some_x + i] = v; });
      }
      for (int64_t y = 0; y < ny; ++y)
        x_[lines.x](
            w.a, w.b, [&](int64_t i) { return read(w.slab + y * some_x + i); }, [&](int64_t x, Z v) { store(y + ny * z, x, v); });
    }
  }

  static Z numbers(const double* re, int64_t to_im) { return {cpu::load(re), cpu::load(re + to_im)}; }
  static void put(Z v, double* re, int64_t to_im) {
    cpu::store(re, v.re);
    cpu::store(re + to_im, v.im);
  }

  struct Work {
    Z *a, *b, *c, *slab, *columns;
  };
  int64_t line() const { return Line::work_size(*std::max_element(plan_.n.begin(), plan_.n.end())); }
  Work work_of(double* work) const {
    Z* const z = reinterpret_cast<Z*>(work);
    return {z, z + line(), z + 2 * line(), z + 3 * line(), z + 3 * line() + slab_};
  }

  Plan plan_;
  LinesOfLength &x_, &y_, &z_;
  SphereLines ket_, bra_, wanted_;
  int whole_z_ = 0;
  int64_t slab_ = 0, columns_ = 0, size_ = 0;
};

}  // namespace suite::gw
