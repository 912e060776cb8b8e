// SPDX-License-Identifier: BSD-3-Clause
// The fastest dfpt.h. chi of a batch is packed once as panels of functions; for every block of rows, and
// every direction, W v chi is packed and multiplied with the panels on the register tile, only where a row is
// not behind its column. Sums over a segment's batches go into a triangle of the segment's functions,
// triangles into the result in the order of segments. HC: psi of the batch's points first, then in the same
// way with W v psi as rows.
#include "h.hpp"
#include "tile.hpp"

namespace suite::dfpt {
namespace {

class HOfSegment {
public:
  HOfSegment(const HCall& call, const Hamiltonian& arrays, double* memory) : call_(call), arrays_(arrays) {
    const int64_t points = rounded(call.batches.most_points, tile_rows), sides = sides_of(arrays);
    panels_ = memory;
    rows_ = panels_ + sides * points * width(call);
    strip_ = rows_ + sides * points * tile_rows;
    weight_ = strip_ + tile_rows * std::max(width(call), rounded(call.n_occ, tile_width));
    psi_ = weight_ + sides * points;
    coefficients_ = psi_ + points * rounded(call.n_occ, tile_width);
    packed_ = coefficients_ + tile_width * width(call);
  }
  static int64_t workspace(const HCall& call, const Hamiltonian& arrays) {
    const int64_t points = rounded(call.batches.most_points, tile_rows), sides = sides_of(arrays),
                  orbitals = rounded(call.n_occ, tile_width), n = width(call);
    return sides * points * (n + tile_rows + 1) + tile_rows * std::max(n, orbitals) + points * orbitals + 2 * tile_width * n;
  }
  // Sums of a segment: the rows of H_d from the diagonal on (all of a row has its place), then HC_d.
  static int64_t sums(const HCall& call, const Segment& segment) {
    return call.n_dir * segment.functions * ((call.matrices ? segment.functions : 0) + (call.products ? call.n_occ : 0));
  }

  void operator()(const Segment& segment, double* sums) {
    for (int64_t b = segment.first_batch; b < segment.last_batch; ++b) {
      const Batch& batch = call_.batches.batch[at(b)];
      const Runs& runs = segment.batch[at(b - segment.first_batch)];
      if (batch.points == 0 || batch.functions == 0) continue;
      pack_functions(batch);
      if (call_.matrices) add_matrices(segment, runs, batch, sums);
      if (call_.products) {
        make_orbitals(segment, runs, batch);
        add_products(segment, runs, batch, sums + (call_.matrices ? call_.n_dir * segment.functions * segment.functions : 0));
      }
    }
  }

private:
  static int64_t width(const HCall& call) { return rounded(call.batches.most_functions, tile_width); }
  static int64_t sides_of(const Hamiltonian& arrays) { return arrays.wave_right ? 2 : 1; }

  // chi as [panel][point][tile_width]; with a second set chi' first, then chi, as further points.
  void pack_functions(const Batch& batch) {
    const int64_t n = batch.functions, sides = sides_of(arrays_);
    n_panels_ = (n + tile_width - 1) / tile_width;
    steps_ = sides * batch.points;
    if (arrays_.wave_right) pack_points(arrays_.wave_right.data() + batch.wave, batch, 0);
    pack_points(arrays_.wave.data() + batch.wave, batch, (sides - 1) * batch.points);
  }
  // Point after point, as they lie in memory.
  void pack_points(const double* from, const Batch& batch, int64_t first_step) const {
    const int64_t n = batch.functions, whole = n / tile_width, size = steps_ * tile_width;
    for (int64_t p = 0; p < batch.points; ++p, from += n) {
      double* to = panels_ + (first_step + p) * tile_width;
      for (int64_t i = 0; i < whole; ++i, to += size)
        for (int v = 0; v < tile_width; v += lanes) store(to + v, load(from + i * tile_width + v));
      if (whole < n_panels_)
        for (int v = 0; v < tile_width; v += lanes) store(to + v, load_first(from + whole * tile_width + v, n - whole * tile_width - v));
    }
  }
  // Rows first, .. of the panels' points times their weights, as [point][tile_rows]; 0 behind the panels.
  void pack_rows(int64_t first, int64_t first_step, int64_t points, double* to) const {
    for (int64_t column = first; column < first + tile_rows; column += lanes, to += lanes) {
      const double* const from = panels_ + (column / tile_width * steps_ + first_step) * tile_width + column % tile_width;
      const bool behind = column >= n_panels_ * tile_width;
      for (int64_t p = 0; p < points; ++p) store(to + p * tile_rows, behind ? Vector{} : load(from + p * tile_width) * weight_[p]);
    }
  }
  void read_weights(const Batch& batch, int64_t d, double factor) {
    for (int64_t p = 0; p < batch.points; ++p) weight_[p] = factor * weight_of(arrays_, batch.first_point + p, d);
  }

  void add_matrices(const Segment& segment, const Runs& runs, const Batch& batch, double* sums) {
    const int64_t n = batch.functions, m = segment.functions, strip = n_panels_ * tile_width;
    for (int64_t d = 0; d < call_.n_dir; ++d) {
      read_weights(batch, d, arrays_.wave_right ? 0.5 : 1.0);
      for (int64_t first = 0; first < n; first += tile_rows) {
        // With a second set chi times chi', then chi' times chi.
        pack_rows(first, steps_ - batch.points, batch.points, rows_);
        if (arrays_.wave_right) pack_rows(first, 0, batch.points, rows_ + batch.points * tile_rows);
        multiply_rows(first, n);
        const int64_t last = std::min<int64_t>(first + tile_rows, n);
        each_run(runs, first, last, [&](int64_t row, int64_t place, int64_t count) {
          for (int64_t r = 0; r < count; ++r) {
            double* const to = sums + m * (m * d + place + r);
            each_run(runs, row + r, n, [&](int64_t column, int64_t where, int64_t some) {
              add(strip_ + (row + r - first) * strip + column, some, to + where);
            });
          }
        });
      }
    }
  }
  // The strip of rows first, .. from the column `first` on; in front of it, and behind the functions, nothing is written.
  void multiply_rows(int64_t first, int64_t functions) {
    const StepsOfRows rows{rows_, tile_rows};
    const int64_t strip = n_panels_ * tile_width;
    for (int64_t p = first / tile_width; p < n_panels_; ++p) {
      const int64_t begin = std::max<int64_t>(first - p * tile_width, 0) / lanes * lanes,
                    vectors = (std::min<int64_t>(functions - p * tile_width, tile_width) - begin + lanes - 1) / lanes;
      const double* const panel = panels_ + p * steps_ * tile_width + begin;
      double* const to = strip_ + p * tile_width + begin;
      switch (vectors) {
        case 3: product_tile<3>(rows, panel, tile_width, steps_, to, strip); break;
        case 2: product_tile<2>(rows, panel, tile_width, steps_, to, strip); break;
        default: product_tile<1>(rows, panel, tile_width, steps_, to, strip);
      }
    }
  }

  // psi_i as [point][orbital], 0 beyond n_occ.
  void make_orbitals(const Segment& segment, const Runs& runs, const Batch& batch) {
    const int64_t n = batch.functions, orbitals = rounded(call_.n_occ, tile_width), workspace = width(call_);
    for (int64_t first = 0; first < call_.n_occ; first += tile_width) {
      const int64_t count = std::min<int64_t>(tile_width, call_.n_occ - first);
      for (int64_t i = 0; i < count; ++i) read_orbital(segment, runs, first + i, coefficients_ + i * workspace);
      pack_transposed(coefficients_, workspace, n, count, rounded(n, lanes), packed_);
      for (int64_t p = 0; p < batch.points; p += tile_rows) {
        const double* chi = arrays_.wave.data() + batch.wave + n * p;
        if (p + tile_rows > batch.points) {
          std::copy_n(chi, n * (batch.points - p), strip_);
          std::fill(strip_ + n * (batch.points - p), strip_ + n * tile_rows, 0.0);
          chi = strip_;
        }
        product_tile<tile_vectors>(RowsOfSteps{chi, n}, packed_, tile_width, n, psi_ + p * orbitals + first, orbitals);
      }
    }
  }
  void read_orbital(const Segment& segment, const Runs& runs, int64_t orbital, double* to) const {
    const double* const column = arrays_.C.data() + call_.n_basis * orbital;
    for (const Run& run : runs)
      each_run(segment.runs, run.outside, run.outside + run.count, [&](int64_t inside, int64_t outside, int64_t count) {
        copy(column + outside, count, to + run.inside + (inside - run.outside));
      });
  }

  void add_products(const Segment& segment, const Runs& runs, const Batch& batch, double* sums) {
    const int64_t n = batch.functions, m = segment.functions, strip = n_panels_ * tile_width;
    const int64_t orbitals = rounded(call_.n_occ, tile_width);
    for (int64_t d = 0; d < call_.n_dir; ++d) {
      read_weights(batch, d, 1.0);
      for (int64_t first = 0; first < call_.n_occ; first += tile_rows) {
        pack_columns<tile_rows>(psi_ + first, orbitals, orbitals - first, batch.points, weight_, rows_);
        multiply_rows(0, n);
        for (int64_t i = first; i < std::min<int64_t>(first + tile_rows, call_.n_occ); ++i)
          each_run(runs, 0, n, [&](int64_t column, int64_t where, int64_t some) {
            add(strip_ + (i - first) * strip + column, some, sums + m * (call_.n_occ * d + i) + where);
          });
      }
    }
  }

  const HCall& call_;
  const Hamiltonian& arrays_;
  double *panels_, *rows_, *strip_, *weight_, *psi_, *coefficients_, *packed_;
  int64_t n_panels_ = 0, steps_ = 0;
};

// Both triangles of H_d, and HC_d.
void add_to_result(const HCall& call, const Hamiltonian& arrays, const Segment& segment, const double* sums) {
  const int64_t n = call.n_basis, m = segment.functions;
  if (call.matrices) {
    for (int64_t d = 0; d < call.n_dir; ++d)
      each_function(segment.runs, [&](int64_t row, int64_t i) {
        const double* const from = sums + m * (m * d + row);
        double* const H = &arrays.H(0, 0, d);
        H[n * i + i] += from[row];
        each_run(segment.runs, row + 1, m, [&](int64_t column, int64_t j, int64_t count) {
          add(from + column, count, H + n * i + j);
          for (int64_t k = 0; k < count; ++k) H[n * (j + k) + i] += from[column + k];
        });
      });
    sums += call.n_dir * m * m;
  }
  if (call.products)
    for (int64_t i = 0; i < call.n_occ * call.n_dir; ++i)
      each_run(segment.runs, 0, m,
               [&](int64_t row, int64_t function, int64_t count) { add(sums + m * i + row, count, arrays.HC.data() + n * i + function); });
}

}  // namespace

void h_best(const HCall& call, const std::vector<Segment>& segments, const Hamiltonian& arrays, int64_t threads, cpu::Scratch& scratch) {
  double work = 0;
  for (const Batch& b : call.batches.batch)
    work += real(b.points * b.functions) * real((call.matrices ? b.functions : 0) + 4 * call.n_occ) * real(call.n_dir);
  const int64_t count = std::ssize(segments);
  const int team = cpu::useful_threads(threads, count, work / 40 / real(std::max<int64_t>(count, 1)));
  scratch.reserve(team, HOfSegment::workspace(call, arrays));
  OrderedSums sums(segments.size());
  cpu::each(team, count, [&](int64_t s, int thread) {
    const Segment& segment = segments[at(s)];
    auto mine = sums.memory(HOfSegment::sums(call, segment));
    HOfSegment(call, arrays, scratch.of(thread))(segment, mine->data());
    sums.finish(s, std::move(mine),
                [&](int64_t which, const Numbers& done) { add_to_result(call, arrays, segments[at(which)], done.data()); });
  });
}

}  // namespace suite::dfpt
