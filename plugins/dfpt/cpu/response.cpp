// SPDX-License-Identifier: BSD-3-Clause
// dfpt.response: four products of matrices a direction on the register tile, P1 only where m >= k.
#include <algorithm>
#include <array>

#include "tile.hpp"

namespace suite::dfpt {
namespace {

// A packed panel of 24 KB stays in the first cache, rows of 196 KB and a group's panels in the second.
constexpr int64_t most_steps = 3072 / tile_width, blocks_together = 24, panels_together = 4;

// out(row,column) = sum_k A(row,k) B(k,column): rows(first, to) packs tile_rows rows as [step][tile_rows],
// columns(first, step, count, to) tile_width columns as [step][tile_width], put(row, column, values) takes a
// row's tile_width columns. Rows above the panel's are left out where `triangle` is set. The first and last
// steps of a panel are left out where B is 0, as is H1 between functions that are far apart.
class Product {
public:
  Product(int64_t rows, int64_t columns, int64_t steps, bool triangle = false)
      : n_rows_(rows), n_columns_(columns), n_steps_(steps), triangle_(triangle) {}

  template <class Rows, class Columns, class Put>
  void run(int64_t threads, cpu::Scratch& scratch, cpu::Buffer<double>& memory, Rows&& rows, Columns&& columns, Put&& put) const {
    const int64_t blocks = (n_rows_ + tile_rows - 1) / tile_rows, panels = (n_columns_ + tile_width - 1) / tile_width,
                  size = n_steps_ * tile_rows, out_size = blocks * tile_rows * tile_width;
    const int team = cpu::useful_threads(threads, panels, real(n_rows_) * real(n_steps_) * tile_width / 20);
    double* const packed = memory.at_least(std::max<int64_t>(blocks * size, 1));
    cpu::each(team, blocks, [&](int64_t b, int) { rows(b * tile_rows, packed + b * size); });
    const int64_t together = std::clamp<int64_t>(panels / (4 * team), 1, panels_together);
    scratch.reserve(team, together * (tile_width * most_steps + out_size));
    cpu::each(team, (panels + together - 1) / together, [&](int64_t group, int thread) {
      const int64_t first = group * together, count = std::min(together, panels - first);
      double *const panel = scratch.of(thread), *const out = panel + together * tile_width * most_steps;
      std::fill_n(out, count * out_size, 0.0);
      for (int64_t step = 0; step < n_steps_; step += most_steps) {
        std::array<Steps, panels_together> steps;
        for (int64_t p = 0; p < count; ++p) {
          const int64_t some = std::min(most_steps, n_steps_ - step);
          columns((first + p) * tile_width, step, some, panel + p * tile_width * most_steps);
          steps[at(p)] = steps_of(panel + p * tile_width * most_steps, some);
        }
        for (int64_t block = 0; block < blocks; block += blocks_together)
          for (int64_t p = 0; p < count; ++p) {
            const auto [begin, end] = steps[at(p)];
            const int64_t last = std::min(block + blocks_together, blocks_of(first + p, blocks));
            for (int64_t b = block; b < last && begin < end; ++b)
              add_product_tile<tile_vectors>(StepsOfRows{packed + b * size + (step + begin) * tile_rows, tile_rows},
                                             panel + (p * most_steps + begin) * tile_width, tile_width, end - begin,
                                             out + p * out_size + b * tile_rows * tile_width, tile_width);
          }
      }
      for (int64_t p = 0; p < count; ++p)
        for (int64_t r = 0; r < std::min(blocks_of(first + p, blocks) * tile_rows, n_rows_); ++r)
          put(r, (first + p) * tile_width, out + p * out_size + r * tile_width);
    });
  }

private:
  struct Steps {
    int64_t begin = 0, end = 0;
  };
  static Steps steps_of(const double* panel, int64_t count) {
    const auto is_zero = [&](int64_t step) {
      return std::all_of(panel + step * tile_width, panel + (step + 1) * tile_width, [](double x) { return x == 0; });
    };
    Steps steps{0, count};
    while (steps.begin < steps.end && is_zero(steps.begin)) ++steps.begin;
    while (steps.begin < steps.end && is_zero(steps.end - 1)) --steps.end;
    return steps;
  }
  int64_t blocks_of(int64_t panel, int64_t blocks) const {
    return triangle_ ? std::min(blocks, (panel + 1) * tile_width / tile_rows + 1) : blocks;
  }

  int64_t n_rows_, n_columns_, n_steps_;
  bool triangle_;
};

class Cpu : public cpu::WithThreads<> {
public:
  using cpu::WithThreads<>::WithThreads;
  void prepare(const suite_array* a) { call_ = check_response(Response(a)); }
  void execute(const suite_array* a) {
    const Response c(a);
    check_gap(c.eigenvalues.data(), call_.n_occ, call_.n_states);
    const int64_t n = call_.n_basis, n_occ = call_.n_occ;
    for (int64_t d = 0; d < call_.n_dir; ++d) {
      const double* const HC1 = call_.matrices ? matrix_times_orbitals(c, &c.H1(0, 0, d)) : &c.HC1(0, 0, d);
      double* const C1 = c.C1 ? &c.C1(0, 0, d) : C1_.at_least(n * n_occ);
      first_order_orbitals(c, HC1, C1);
      if (c.density_matrix) density_matrix(c, C1, &c.density_matrix(0, 0, d));
    }
  }

private:
  // Rows of a matrix that is stored with the steps side by side: row i at from + stride*i.
  static auto rows_of(const double* from, int64_t stride, int64_t rows, int64_t steps) {
    return [=](int64_t first, double* to) {
      for (int64_t k = 0; k < steps; ++k)
        for (int64_t r = 0; r < tile_rows; ++r) to[k * tile_rows + r] = first + r < rows ? from[stride * (first + r) + k] : 0;
    };
  }
  static auto put_into(double* to, int64_t rows) {
    return [=](int64_t column, int64_t row, const double* values) {
      const int64_t count = std::min<int64_t>(tile_width, rows - row);
      std::copy_n(values, count, to + rows * column + row);
    };
  }

  // HC1(m,i) = sum_k H1(m,k) C(k,i), H1 being symmetric.
  const double* matrix_times_orbitals(const Response& c, const double* H1) {
    const int64_t n = call_.n_basis;
    double* const HC1 = HC1_.at_least(n * call_.n_occ);
    Product(call_.n_occ, n, n)
        .run(
            threads_, scratch_, packed_, rows_of(c.C.data(), n, call_.n_occ, n),
            [&](int64_t m, int64_t step, int64_t count, double* panel) {
              pack_columns<tile_width>(H1 + n * step + m, n, n - m, count, nullptr, panel);
            },
            put_into(HC1, n));
    return HC1;
  }

  // U(a,i) = sum_m C(m,a) HC1(m,i)/(e_i - e_a), then C1(m,i) = sum_a C(m,a) U(a,i).
  void first_order_orbitals(const Response& c, const double* HC1, double* C1) {
    const int64_t n = call_.n_basis, n_occ = call_.n_occ, empty = call_.n_states - n_occ;
    const double *const e = c.eigenvalues.data(), *const C_empty = c.C.data() + n * n_occ;
    double* const U = U_.at_least(std::max<int64_t>(empty * n_occ, 1));
    Product(n_occ, empty, n)
        .run(
            threads_, scratch_, packed_, rows_of(HC1, n, n_occ, n),
            [&](int64_t first, int64_t step, int64_t count, double* panel) {
              transposed(C_empty + n * first + step, n, count, empty - first, panel);
            },
            [&](int64_t i, int64_t first, const double* values) {
              for (int64_t s = first; s < std::min<int64_t>(first + tile_width, empty); ++s)
                U[empty * i + s] = values[s - first] / (e[i] - e[n_occ + s]);
            });
    Product(n_occ, n, empty)
        .run(
            threads_, scratch_, packed_, rows_of(U, empty, n_occ, empty),
            [&](int64_t m, int64_t step, int64_t count, double* panel) {
              pack_columns<tile_width>(C_empty + n * step + m, n, n - m, count, nullptr, panel);
            },
            put_into(C1, n));
  }
  // Whole vectors of rows of a panel are written; those behind `count` lie in its room or in what follows it.
  static void transposed(const double* from, int64_t stride, int64_t count, int64_t columns, double* panel) {
    const int64_t whole = count / lanes * lanes;
    pack_transposed(from, stride, whole, columns, whole, panel);
    for (int64_t r = whole; r < count; ++r)
      for (int64_t c = 0; c < tile_width; ++c) panel[r * tile_width + c] = c < columns ? from[c * stride + r] : 0;
  }

  // P1(m,k) = 2 sum_i (C1(m,i) C(k,i) + C(m,i) C1(k,i)), 2 n_occ steps.
  void density_matrix(const Response& c, const double* C1, double* P1) {
    const int64_t n = call_.n_basis, n_occ = call_.n_occ;
    const double* const C = c.C.data();
    Product(n, n, 2 * n_occ, true)
        .run(
            threads_, scratch_, packed_,
            [&](int64_t k, double* to) {
              pack_columns<tile_rows>(C + k, n, n - k, n_occ, nullptr, to);
              pack_columns<tile_rows>(C1 + k, n, n - k, n_occ, nullptr, to + n_occ * tile_rows);
            },
            [&](int64_t m, int64_t step, int64_t count, double* panel) {
              const int64_t first = std::clamp<int64_t>(n_occ - step, 0, count);
              pack_columns<tile_width>(C1 + n * step + m, n, n - m, first, nullptr, panel);
              pack_columns<tile_width>(C + n * std::max<int64_t>(step + first - n_occ, 0) + m, n, n - m, count - first, nullptr,
                                       panel + first * tile_width);
            },
            [&](int64_t k, int64_t m, const double* values) {
              for (int64_t i = std::max(m, k); i < std::min<int64_t>(m + tile_width, n); ++i)
                P1[n * k + i] = P1[n * i + k] = 2 * values[i - m];
            });
  }

  ResponseCall call_;
  cpu::Scratch scratch_{"dfpt.response"};
  cpu::Buffer<double> packed_{"dfpt.response"}, HC1_{"dfpt.response"}, C1_{"dfpt.response"}, U_{"dfpt.response"};
};

}  // namespace

extern const suite_kernel_table response_table;
constexpr suite_kernel_table response_table = kernel_table<Response, Cpu>("cpu", "cpu");

}  // namespace suite::dfpt
