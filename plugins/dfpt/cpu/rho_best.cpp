// SPDX-License-Identifier: BSD-3-Clause
// The fastest dfpt.rho. Density matrices: chi of a batch is packed once as panels of points, then for each
// direction and each block of rows A = P chi is made in registers and multiplied with chi at once; P being
// symmetric, the lower triangle with what is off the diagonal taken twice is enough. Orbitals: psi and psi1
// in the same way, the rows being orbitals.
#include "rho.hpp"
#include "tile.hpp"

namespace suite::dfpt {
namespace {

// Rows of a batch's triangle in blocks of tile_rows, block i with tile_rows (i+1) columns.
int64_t block_columns(int64_t i) { return tile_rows * (i + 1); }
int64_t block_place(int64_t i) { return tile_rows * tile_rows * (i * (i + 1) / 2); }

class RhoOfSegment {
public:
  RhoOfSegment(const RhoCall& call, const Rho& arrays, double* memory) : call_(call), arrays_(arrays) {
    panels_ = memory;
    matrix_ = panels_ + panel_workspace(call);
    sums_ = matrix_ + matrix_workspace(call);
    part_ = sums_ + rounded(call.batches.most_points, tile_width);
  }
  static int64_t workspace(const RhoCall& call, int64_t most_of_segment) {
    return panel_workspace(call) + matrix_workspace(call) + rounded(call.batches.most_points, tile_width) + 2 * lanes +
           (call.form == RhoForm::density_matrix ? call.n_dir * most_of_segment * most_of_segment : 0);
  }

  void operator()(const Segment& segment) {
    if (call_.form == RhoForm::density_matrix) read_part(segment);
    for (int64_t b = segment.first_batch; b < segment.last_batch; ++b) {
      const Batch& batch = call_.batches.batch[at(b)];
      const Runs& runs = segment.batch[at(b - segment.first_batch)];
      if (batch.points == 0) continue;
      n_ = rounded(batch.functions, tile_rows);
      n_panels_ = (batch.points + tile_width - 1) / tile_width;
      for (int64_t p = 0; p < n_panels_; ++p)
        pack_transposed(arrays_.wave.data() + batch.wave + p * tile_width * batch.functions, batch.functions, batch.functions,
                        batch.points - p * tile_width, n_, panel(p));
      if (call_.form == RhoForm::density_matrix) by_matrix(segment, runs, batch);
      else by_orbitals(segment, runs, batch);
    }
  }

private:
  static int64_t functions(const RhoCall& call) { return rounded(call.batches.most_functions, tile_rows); }
  static int64_t panel_workspace(const RhoCall& call) { return functions(call) * rounded(call.batches.most_points, tile_width); }
  // The triangle of one direction; or the coefficients of tile_rows orbitals and their values.
  static int64_t matrix_workspace(const RhoCall& call) {
    return call.form == RhoForm::density_matrix ? block_place(functions(call) / tile_rows)
                                                : tile_rows * (functions(call) + rounded(call.batches.most_points, tile_width));
  }
  double* panel(int64_t p) const { return panels_ + p * n_ * tile_width; }

  // The segment's part of each P, as rows n of columns m <= n, doubled off the diagonal.
  void read_part(const Segment& segment) {
    const int64_t n = call_.n_basis, m = segment.functions;
    for (int64_t d = 0; d < call_.n_dir; ++d)
      each_function(segment.runs, [&](int64_t inside, int64_t outside) {
        const double* const column = arrays_.density_matrix.data() + n * (n * d + outside);
        double* const row = part_ + m * (m * d + inside);
        each_run(segment.runs, 0, inside, [&](int64_t to, int64_t from, int64_t count) {
          for (int64_t i = 0; i < count; ++i) row[to + i] = 2 * column[from + i];
        });
        row[inside] = column[outside];
      });
  }

  void by_matrix(const Segment& segment, const Runs& runs, const Batch& batch) {
    const int64_t m = segment.functions, blocks = n_ / tile_rows;
    for (int64_t d = 0; d < call_.n_dir; ++d) {
      for (const Run& last : runs)
        for (int32_t f = 0; f < last.count; ++f) {
          const int64_t inside = last.inside + f, block = inside / tile_rows, end = block_columns(block);
          double* const row = matrix_ + block_place(block) + inside % tile_rows * end;
          const double* const from = part_ + m * (m * d + last.outside + f);
          for (const Run* run = runs.data(); run <= &last; ++run) copy_more(from + run->outside, run->count, row + run->inside);
          std::fill(row + inside + 1, row + end, 0.0);
        }
      for (int64_t r = batch.functions; r < n_; ++r) {
        const int64_t end = block_columns(blocks - 1);
        std::fill_n(matrix_ + block_place(blocks - 1) + r % tile_rows * end, end, 0.0);
      }
      std::fill_n(sums_, n_panels_ * tile_width, 0.0);
      for (int64_t i = 0; i < blocks; ++i)
        for (int64_t p = 0; p < n_panels_; ++p)
          dot_tile<tile_vectors>(RowsOfSteps{matrix_ + block_place(i), block_columns(i)}, panel(p), tile_width, block_columns(i),
                                 panel(p) + i * tile_rows * tile_width, sums_ + p * tile_width);
      std::copy_n(sums_, batch.points, &arrays_.rho(batch.first_point, d));
    }
  }

  // Coefficients of orbitals first, .., from C(n_basis,n_occ).
  void read_orbitals(const Segment& segment, const Runs& runs, const double* C, int64_t first) {
    for (int64_t r = 0; r < tile_rows; ++r) {
      double* const row = matrix_ + r * n_;
      std::fill_n(row, n_, 0.0);
      if (first + r >= call_.n_occ) continue;
      const double* const column = C + call_.n_basis * (first + r);
      for (const Run& run : runs)
        each_run(segment.runs, run.outside, run.outside + run.count, [&](int64_t inside, int64_t outside, int64_t count) {
          copy(column + outside, count, row + run.inside + (inside - run.outside));
        });
    }
  }

  void by_orbitals(const Segment& segment, const Runs& runs, const Batch& batch) {
    const int64_t n_points = call_.batches.n_points, matrix = call_.n_basis * call_.n_occ;
    const bool first_order = call_.form == RhoForm::first_order_orbitals;
    double* const psi = matrix_ + tile_rows * n_;
    double* const rho = &arrays_.rho(batch.first_point, 0);
    for (int64_t d = 0; d < call_.n_dir; ++d) std::fill_n(rho + n_points * d, batch.points, 0.0);
    const RowsOfSteps rows{matrix_, n_};
    for (int64_t first = 0; first < call_.n_occ; first += tile_rows) {
      read_orbitals(segment, runs, arrays_.C.data(), first);
      for (int64_t p = 0; p < n_panels_; ++p)
        product_tile<tile_vectors>(rows, panel(p), tile_width, n_, psi + p * tile_rows * tile_width, tile_width);
      for (int64_t d = 0; d < call_.n_dir; ++d) {
        std::fill_n(sums_, n_panels_ * tile_width, 0.0);
        if (first_order) read_orbitals(segment, runs, arrays_.C1.data() + matrix * d, first);
        for (int64_t p = 0; p < n_panels_; ++p) {
          const double* const values = psi + p * tile_rows * tile_width;
          if (first_order) dot_tile<tile_vectors>(rows, panel(p), tile_width, n_, values, sums_ + p * tile_width);
          else add_squares(values, sums_ + p * tile_width);
        }
        const double factor = first_order ? 4 : 2;
        for (int64_t i = 0; i < batch.points; ++i) rho[n_points * d + i] += factor * sums_[i];
      }
    }
  }
  static void add_squares(const double* values, double* sums) {
    for (int64_t r = 0; r < tile_rows; ++r)
      for (int64_t i = 0; i < tile_width; ++i) sums[i] += values[r * tile_width + i] * values[r * tile_width + i];
  }

  const RhoCall& call_;
  const Rho& arrays_;
  double *panels_, *matrix_, *sums_, *part_;
  int64_t n_ = 0, n_panels_ = 0;
};

}  // namespace

void rho_best(const RhoCall& call, const std::vector<Segment>& segments, const Rho& arrays, int64_t threads, cpu::Scratch& scratch) {
  int64_t most = 0;
  double work = 0;
  for (const Segment& s : segments) most = std::max(most, s.functions);
  for (const Batch& b : call.batches.batch)
    work += real(b.points * b.functions) * real(call.form == RhoForm::density_matrix ? b.functions : 4 * call.n_occ) * real(call.n_dir);
  const int64_t count = std::ssize(segments);
  const int team = cpu::useful_threads(threads, count, work / 40 / real(std::max<int64_t>(count, 1)));
  scratch.reserve(team, RhoOfSegment::workspace(call, most));
  cpu::each(team, count, [&](int64_t s, int thread) { RhoOfSegment(call, arrays, scratch.of(thread))(segments[at(s)]); });
}

}  // namespace suite::dfpt
