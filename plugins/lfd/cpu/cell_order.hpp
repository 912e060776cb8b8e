// SPDX-License-Identifier: BSD-3-Clause
// Fields in the order in which the wavefront of cells.hpp meets them: cell after cell of 2 x 2 x 2 points,
// point q = 4 di + 2 dj + dk in a cell. In a direction with one point, cells are one point wide and leave
// gaps.
#pragma once

#include <vector>

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

// Makes the phases of the line (i,j), interleaved, in row[2 (Nz + lanes)]; offsets is for Nz + lanes numbers.
template <class T>
inline void phases_of_line(const Grid& grid, const T* v, const Phase& phase, int64_t i, int64_t j, double* offsets,
                           T* row) {
  const int64_t nz = grid.n[2];
  const auto along = [&](int d, int64_t at) {
    return phase.slope[d] * static_cast<double>(at - grid.n[d] / 2) * grid.h[d];
  };
  const double start = phase.constant + along(0, i) + along(1, j);
  for (int64_t k = 0; k < nz; ++k) offsets[k] = start + along(2, k);
  for (int64_t k = nz; k < nz + lanes<T>; ++k) offsets[k] = 0;
  const T* const from = v + (i * grid.n[1] + j) * nz;
  for (int64_t k = 0; k < nz; k += lanes<T>) {
    Vector<T> x{}, c, s;
    std::memcpy(&x, from + k, sizeof(T) * static_cast<size_t>(std::min<int64_t>(lanes<T>, nz - k)));
    cos_sin(phase.factor, x, offsets + k, c, s);
    const T size = static_cast<T>(phase.size);
    interleave(row + 2 * k, size * c, size * s);
  }
}

// u(Nz,Ny,Nx), by one thread.
template <class T> void set_phases_in_grid_order(const Grid& grid, const T* v, const Phase& phase, T* u) {
  const int64_t nz = grid.n[2];
  std::vector<double> offsets(static_cast<size_t>(nz + lanes<T>));
  std::vector<T> row(static_cast<size_t>(2 * (nz + lanes<T>)));
  for (int64_t line = 0; line < grid.n[0] * grid.n[1]; ++line) {
    phases_of_line(grid, v, phase, line / grid.n[1], line % grid.n[1], offsets.data(), row.data());
    std::copy_n(row.data(), 2 * nz, u + 2 * line * nz);
  }
}

// u[cell][point][re,im]; by all threads of a team.
template <class T> void set_phases(const Grid& grid, const T* v, const Phase& phase, T* u) {
  const CellOrder order(grid);
  std::vector<double> offsets(static_cast<size_t>(grid.n[2] + lanes<T>));
  std::vector<T> row(static_cast<size_t>(2 * (grid.n[2] + lanes<T>)));
#pragma omp for schedule(static)
  for (int64_t i = 0; i < grid.n[0]; ++i)
    for (int64_t j = 0; j < grid.n[1]; ++j) {
      phases_of_line(grid, v, phase, i, j, offsets.data(), row.data());
      for (int64_t k = 0; k < grid.n[2]; k += order.width[2])
        std::copy_n(row.data() + 2 * k, 2 * order.width[2], u + 2 * order.place(i, j, k));
    }
}

}  // namespace suite::lfd
