// SPDX-License-Identifier: BSD-3-Clause
// Fields in the order in which the wavefront of cells.hpp meets them: cell after cell of 2 x 2 x 2 points,
// point q = 4 di + 2 dj + dk in a cell. In a direction with one point, cells are one point wide and leave
// gaps.
#pragma once

#include <algorithm>

#include "../call.hpp"
#include "blocks.hpp"
#include "phases.hpp"

namespace suite::lfd {

struct CellOrder {
  int64_t width[3], cells[3];
  int shift[3];  // width = 1 << shift

  explicit CellOrder(const Grid& grid) {
    for (int d = 0; d < 3; ++d) {
      shift[d] = grid.n[d] > 1;
      width[d] = int64_t{1} << shift[d];
      cells[d] = grid.n[d] / width[d];
    }
  }
  int64_t size() const { return 8 * cells[0] * cells[1] * cells[2]; }
  // What place() grows by from (i,j,0) to (i,j,k).
  int64_t along_z(int64_t k) const { return 8 * (k >> shift[2]) + (k & shift[2]); }
  // Of the points (i,j,k); k+1 follows an even k.
  int64_t place(int64_t i, int64_t j, int64_t k) const {
    const int64_t cell = ((i >> shift[0]) * cells[1] + (j >> shift[1])) * cells[2] + (k >> shift[2]);
    return 8 * cell + 4 * (i & shift[0]) + 2 * (j & shift[1]) + (k & shift[2]);
  }
};

// The phase size e^{i (factor v + slope.r + constant)}, r = (i - N/2) h.
struct Phase {
  double factor = 0, slope[3] = {0, 0, 0}, constant = 0, size = 1;
  bool operator==(const Phase&) const = default;
};

// f(k, count, phases) for the phases of the line (i,j), interleaved, some points at a time.
template <class T, class F> inline void phases_of_line(const Grid& grid, const T* v, const Phase& phase, int64_t i, int64_t j, F&& f) {
  constexpr int64_t some = 4 * lanes<T>;
  const int64_t nz = grid.n[2];
  const auto along = [&](int d, int64_t at) { return phase.slope[d] * static_cast<double>(at - grid.n[d] / 2) * grid.h[d]; };
  const double start = phase.constant + along(0, i) + along(1, j);
  const T* const line = v + (i * grid.n[1] + j) * nz;
  const T size = static_cast<T>(phase.size);
  for (int64_t first = 0; first < nz; first += some) {
    double offsets[some];
    T values[some] = {}, phases[2 * some];
    const int64_t count = std::min(some, nz - first);
    for (int64_t k = 0; k < some; ++k) offsets[k] = start + along(2, first + k);
    std::copy_n(line + first, count, values);
    for (int64_t k = 0; k < some; k += lanes<T>) {
      Vector<T> c, s;
      cos_sin(phase.factor, load(values + k), offsets + k, c, s);
      interleave(phases + 2 * k, size * c, size * s);
    }
    f(first, count, phases);
  }
}

// u(Nz,Ny,Nx), by one thread.
template <class T> void set_phases_in_grid_order(const Grid& grid, const T* v, const Phase& phase, T* u) {
  for (int64_t i = 0; i < grid.n[0]; ++i)
    for (int64_t j = 0; j < grid.n[1]; ++j)
      phases_of_line(grid, v, phase, i, j, [&](int64_t k, int64_t count, const T* phases) {
        std::copy_n(phases, 2 * count, u + 2 * ((i * grid.n[1] + j) * grid.n[2] + k));
      });
}

// u[cell][point][re,im]; by all threads of a team.
template <class T> void set_phases(const Grid& grid, const T* v, const Phase& phase, T* u) {
  const CellOrder order(grid);
#pragma omp for schedule(static)
  for (int64_t i = 0; i < grid.n[0]; ++i)
    for (int64_t j = 0; j < grid.n[1]; ++j)
      phases_of_line(grid, v, phase, i, j, [&](int64_t first, int64_t count, const T* phases) {
        // The next cell along z is 16 numbers on.
        T* to = u + 2 * order.place(i, j, first);
        for (int64_t k = 0; k < count; k += order.width[2], phases += 2 * order.width[2], to += 16)
          std::memcpy(to, phases, sizeof(T) * static_cast<size_t>(2 * order.width[2]));
      });
}

}  // namespace suite::lfd
