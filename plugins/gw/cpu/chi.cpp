// SPDX-License-Identifier: BSD-3-Clause
// gw.chi on the CPU: a product of matrices over the pairs, A(G,p) B(p,G') with A = M and B = factor conj(M). Slabs of pairs are packed into
// panels, B scaled on the way, so that no scaled M is ever in memory; tiles of both stay in registers for a slab (tile.hpp). A library's
// zgemm would need the scaled M, a zherk cannot take factors of both signs, and the plugin would depend on one.
// Goto and van de Geijn, ACM Trans. Math. Softw. 34, 12 (2008).
#include <algorithm>

#include <suite/cpu/buffer.hpp>
#include <suite/cpu/threads.hpp>

#include "../pairs.hpp"
#include "tile.hpp"

namespace suite::gw {
namespace {

constexpr int64_t slab = 320;  // pairs: longer ones read and write chi less often, until a panel of columns leaves the first cache
constexpr int64_t block_rows = 32;  // whose panels stay in the second cache
constexpr int64_t block_columns = 128;  // of a piece of work
constexpr int64_t panels_packed = 16;  // side by side
constexpr double nanoseconds_per_flop = 0.03;

int64_t panels(int64_t n, int64_t of) { return (n + of - 1) / of; }

// One product of a call, and where its sums go.
template <int Parts> struct Product {
  using T = Tile<Parts>;
  const ChiProduct* factors;
  const ChiSums* sums;
  double* chi;
  int64_t ncouls, ngpown;
  bool all;  // columns are all G in their order
  bool half;  // rows above the diagonal come from those below it

  bool is_needed(int64_t row_panel, int64_t column_panel) const { return !half || (row_panel + 1) * T::rows > column_panel * T::columns; }

  double* place(int64_t ig, int64_t igp) const { return chi + (igp * ncouls + ig) * Parts; }

  void prefetch(int64_t row, int64_t column) const {
    for (int c = 0; c < T::columns && column + c < ngpown; ++c) __builtin_prefetch(place(row, column + c), 1);
    for (int i = 0; half && i < T::rows && row + i < ncouls; ++i) __builtin_prefetch(place(column, row + i), 1);
  }

  // tile: [column][row][part]; zeros where a column is padding.
  void add(const double* tile, int64_t row, int64_t column) const {
    const int64_t rows = std::min<int64_t>(T::rows, ncouls - row), columns = std::min<int64_t>(T::columns, ngpown - column);
    const bool whole = rows == T::rows && columns == T::columns;
    // Bounds that the compiler knows make vectors of the loops; few tiles are cut or lie on the diagonal.
    if (!half) {
      if (whole) add_below(tile, row, column, T::rows, T::columns);
      else add_below(tile, row, column, rows, columns);
    } else if (row >= column + columns) {
      if (whole) add_below(tile, row, column, T::rows, T::columns), add_above(tile, row, column, T::rows, T::columns);
      else add_below(tile, row, column, rows, columns), add_above(tile, row, column, rows, columns);
    } else {
      add_diagonal(tile, row, column, rows, columns);
    }
  }

private:
  static double sum(const double* tile, int64_t i, int64_t c, int part) { return tile[(c * T::rows + i) * Parts + part]; }

  void add_below(const double* tile, int64_t row, int64_t column, int64_t rows, int64_t columns) const {
    for (int64_t c = 0; c < columns; ++c) {
      double* const to = place(row, column + c);
      for (int64_t i = 0; i < rows; ++i)
        for (int part = 0; part < Parts; ++part) to[i * Parts + part] += sum(tile, i, c, part);
    }
  }
  void add_above(const double* tile, int64_t row, int64_t column, int64_t rows, int64_t columns) const {
    for (int64_t i = 0; i < rows; ++i) {
      double* const to = place(column, row + i);
      for (int64_t c = 0; c < columns; ++c) {
        to[c * Parts] += sum(tile, i, c, 0);
        if constexpr (Parts == 2) to[c * Parts + 1] -= sum(tile, i, c, 1);
      }
    }
  }
  void add_diagonal(const double* tile, int64_t row, int64_t column, int64_t rows, int64_t columns) const {
    for (int64_t c = 0; c < columns; ++c)
      for (int64_t i = std::max<int64_t>(column + c - row, 0); i < rows; ++i) {
        double *const to = place(row + i, column + c), *const mirrored = place(column + c, row + i);
        const bool real = row + i == column + c;  // to the last bit
        to[0] += sum(tile, i, c, 0);
        if (!real) mirrored[0] += sum(tile, i, c, 0);
        if constexpr (Parts == 2) {
          to[1] += real ? 0 : sum(tile, i, c, 1);
          mirrored[1] -= real ? 0 : sum(tile, i, c, 1);
        }
      }
  }
};

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {cpu::threads_parameter};
  Cpu(const suite_backend*, suite_queue*, const int64_t* p) : threads_(p[0]) {}

  void execute(const suite_array* arguments) {
    const Chi c(arguments);
    const ChiSums sums = make_chi_sums(c);
    if (c.is_real()) run<1>(c, sums);
    else run<2>(c, sums);
  }

private:
  template <int Parts> void run(const Chi& c, const ChiSums& sums) {
    using T = Tile<Parts>;
    const int64_t ncouls = c.ncouls(), ngpown = c.ngpown(), row_panels = panels(ncouls, T::rows),
                  column_panels = panels(ngpown, T::columns);
    const auto* const aqs = static_cast<const double*>(c.aqs.array().data);
    double* const rows = rows_.at_least(row_panels * T::rows * Parts * slab);
    double* const columns = columns_.at_least(column_panels * T::columns * Parts * slab);
    constexpr int64_t panels_down = std::max<int64_t>(1, block_rows / T::rows), panels_across = block_columns / T::columns;
    const int64_t blocks_down = panels(row_panels, panels_down), blocks = blocks_down * panels(column_panels, panels_across);
    const double flops = (Parts == 2 ? 8.0 : 2.0) * static_cast<double>(ncouls * ngpown) * static_cast<double>(sums.count());
    const int team = cpu::useful_threads(threads_, blocks, nanoseconds_per_flop * flops / static_cast<double>(blocks));

    // Every number is summed by one thread at a time in one order, however many threads there are.
#pragma omp parallel num_threads(team)
    for (int64_t first = 0; first < sums.count(); first += slab) {
      const int64_t some = std::min(slab, sums.count() - first);
      const int32_t* const pairs = sums.pairs.data() + first;
#pragma omp for schedule(static) nowait
      for (int64_t panel = 0; panel < row_panels; panel += panels_packed)
        pack_rows<Parts>(aqs, ncouls, pairs, some, panel, std::min(panel + panels_packed, row_panels), rows);
      for (const ChiProduct& factors : sums.products) {
        const Product<Parts> product{&factors, &sums, matrix(c, factors), ncouls, ngpown, sums.square, sums.square && factors.hermitian};
#pragma omp for schedule(static)
        for (int64_t panel = 0; panel < column_panels; panel += panels_packed)
          pack_columns<Parts>(aqs, product, first, some, panel, std::min(panel + panels_packed, column_panels), columns);
#pragma omp for schedule(dynamic, 1)
        for (int64_t block = 0; block < blocks; ++block) {
          const int64_t row = block % blocks_down * panels_down, column = block / blocks_down * panels_across;
          multiply(product, some, rows, columns, row, std::min(row + panels_down, row_panels), column,
                   std::min(column + panels_across, column_panels));
        }
      }
    }
  }

  static double* matrix(const Chi& c, const ChiProduct& product) {
    const suite_array& to = product.imaginary ? c.chi_imaginary.array() : c.chi.array();
    return static_cast<double*>(to.data) + product.frequency * c.ncouls() * c.ngpown() * c.parts();
  }

  // M of some panels of rows: [panel][pair][part][rows], zeros behind the last row. Pair by pair, so that M is read as it lies.
  template <int Parts>
  static void pack_rows(const double* aqs, int64_t ncouls, const int32_t* pairs, int64_t some, int64_t begin, int64_t end, double* rows) {
    constexpr int64_t height = Tile<Parts>::rows;
    for (int64_t k = 0; k < some; ++k) {
      const double* const from = aqs + pairs[k] * ncouls * Parts;
      for (int64_t panel = begin; panel < end; ++panel) {
        double* const to = rows + (panel * slab + k) * Parts * height;
        const int64_t first = panel * height, there = std::min(height, ncouls - first);
        const auto copy = [&](int64_t count) {
          for (int64_t i = 0; i < count; ++i)
            for (int part = 0; part < Parts; ++part) to[part * height + i] = from[(first + i) * Parts + part];
        };
        // With a count that the compiler knows the loop is two loads and some shuffles.
        if (there == height) {
          copy(height);
        } else {
          std::fill_n(to, Parts * height, 0.0);
          copy(there);
        }
      }
    }
  }

  // factor conj(M) of some panels of columns: [panel][pair][column][part], zeros for padding and behind the last.
  template <int Parts>
  static void pack_columns(const double* aqs, const Product<Parts>& product, int64_t first, int64_t some, int64_t begin, int64_t end,
                           double* columns) {
    constexpr int64_t width = Tile<Parts>::columns;
    const bool real_factor = product.factors->hermitian;
    const double* factor = product.factors->factor.data() + first * (real_factor ? 1 : 2);
    const int32_t* const g = product.sums->columns.data();
    for (int64_t k = 0; k < some; ++k, factor += real_factor ? 1 : 2) {
      const double* const from = aqs + product.sums->pairs[static_cast<size_t>(first + k)] * product.ncouls * Parts;
      const double f_re = factor[0], f_im = real_factor ? 0 : factor[1];
      for (int64_t panel = begin; panel < end; ++panel) {
        double* const to = columns + (panel * slab + k) * Parts * width;
        const int64_t column = panel * width, there = std::min(width, product.ngpown - column);
        const auto scale = [&](const double* m) {
          for (int64_t c = 0; c < width; ++c) {
            if constexpr (Parts == 1) {
              to[c] = f_re * m[c];
            } else {
              to[2 * c] = f_re * m[2 * c] + f_im * m[2 * c + 1];
              to[2 * c + 1] = f_im * m[2 * c] - f_re * m[2 * c + 1];
            }
          }
        };
        // All columns are mostly all G, which lie side by side.
        if (product.all && there == width) {
          scale(from + column * Parts);
        } else {
          double m[width * Parts] = {};
          for (int64_t c = 0; c < there; ++c)
            for (int part = 0; part < Parts && g[column + c] >= 0; ++part) m[c * Parts + part] = from[g[column + c] * Parts + part];
          scale(m);
        }
      }
    }
  }

  template <int Parts>
  static void multiply(const Product<Parts>& product, int64_t some, const double* rows, const double* columns, int64_t row_begin,
                       int64_t row_end, int64_t column_begin, int64_t column_end) {
    using T = Tile<Parts>;
    alignas(64) double tile[Parts * T::rows * T::columns];
    for (int64_t column = column_begin; column < column_end; ++column)
      for (int64_t row = row_begin; row < row_end; ++row) {
        if (!product.is_needed(row, column)) continue;
        product.prefetch(row * T::rows, column * T::columns);
        T::multiply(rows + row * slab * Parts * T::rows, columns + column * slab * Parts * T::columns, some, tile);
        product.add(tile, row * T::rows, column * T::columns);
      }
  }

  int64_t threads_;
  cpu::Buffer<double> rows_{"gw.chi"}, columns_{"gw.chi"};
};

}  // namespace

extern const suite_kernel_table chi_table;
constinit const suite_kernel_table chi_table = kernel_table<Chi, Cpu>("cpu", "cpu");

}  // namespace suite::gw
