// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma for real w >= 0: the blocking around tile.hpp. One parallel region; the partition depends on the
// sizes alone and every task has its own sums, added in the order of the tasks, so that any number of threads
// gives the same bits.
//
// M is packed, by panels of at most panel_bytes, into the order in which the tile streams it: a chunk of n'
// of `lanes` rows (32 KiB at 256 bands: stays in L1 over a task's columns) and of `columns` columns. w and I
// are read in place.
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sums.hpp"
#include "tile.hpp"

namespace suite::gpp {
namespace {

constexpr int64_t tasks_wanted = 32;

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

// n' of one external band in the order of the tile: occupied, then empty by falling largest x.
struct Order {
  std::vector<int64_t> band;    // [ntband]
  std::vector<double> highest;  // largest x over the energies
  std::vector<double> x;        // per group of energies: [n'][energies of the group]
  std::vector<double> f;
  std::vector<double> spacing;  // per group of energies; 0: not three even ones
  int64_t occupied = 0;
};

// The spacing of the energies iw, iw+1, iw+2 where it is one for all n', but for rounding. A spacing far
// beyond gamma is declined: it would cost digits where D^2 - spacing^2 cancels.
double even_spacing(const Call& call, int64_t e, int64_t iw) {
  if (iw + 3 > call.nw) return 0;
  const double spacing = 0.5 * (call.x(iw + 2, 0, e) - call.x(iw, 0, e));
  if (!(std::abs(spacing) <= 16 * call.gamma)) return 0;
  for (int64_t n1 = 0; n1 < call.ntband; ++n1) {
    const double x = call.x(iw + 1, n1, e), rounding = 1e-15 * (std::abs(x) + std::abs(spacing));
    if (!(std::abs(call.x(iw, n1, e) - (x - spacing)) <= rounding &&
          std::abs(call.x(iw + 2, n1, e) - (x + spacing)) <= rounding))
      return 0;
  }
  return spacing;
}

Order order_bands(const Call& call, int64_t e) {
  Order o;
  const int64_t nb = call.ntband;
  o.band.resize(nb);
  std::iota(o.band.begin(), o.band.end(), int64_t{0});
  std::vector<double> highest(nb);
  for (int64_t n1 = 0; n1 < nb; ++n1) {
    highest[n1] = call.x(0, n1, e);
    for (int64_t iw = 1; iw < call.nw; ++iw) highest[n1] = std::max(highest[n1], call.x(iw, n1, e));
  }
  std::stable_sort(o.band.begin(), o.band.end(), [&](int64_t a, int64_t b) {
    const bool fa = call.occ[a] > 0, fb = call.occ[b] > 0;
    return fa != fb ? fa : !fa && highest[a] > highest[b];
  });
  o.highest.resize(nb);
  o.f.resize(nb);
  for (int64_t k = 0; k < nb; ++k) {
    o.highest[k] = highest[o.band[k]];
    o.f[k] = call.occ[o.band[k]];
    o.occupied += o.f[k] > 0;
  }
  for (int64_t iw = 0; iw < call.nw; iw += 3) o.spacing.push_back(even_spacing(call, e, iw));
  o.x.resize(nb * call.nw);
  double* to = o.x.data();
  for (int64_t iw = 0; iw < call.nw; iw += 3)
    for (int64_t k = 0; k < nb; ++k)
      for (int64_t i = iw; i < std::min(iw + 3, call.nw); ++i) *to++ = call.x(i, o.band[k], e);
  return o;
}

struct Plan {
  const Call& call;
  std::vector<Column> owned;
  std::vector<Order> order;
  int64_t vectors, tiles;              // row vectors and column tiles in all
  int64_t panel_vectors, panel_tiles;  // of one panel
  int64_t task_vectors, task_tiles;    // of one task
  int64_t chunks;
  int parts;
  bool by_band;  // acht_n1 only

  int64_t chunk_begin(int64_t chunk) const { return call.ntband * chunk / chunks; }
  int64_t row_tasks() const { return ceil_div(panel_vectors, task_vectors); }
  int64_t tasks() const { return row_tasks() * ceil_div(panel_tiles, task_tiles); }
  int64_t sums() const {
    return call.nex * (by_band ? call.ntband * call.nw * 2 : 4 * call.nw + 2 * ceil_div(call.nw, 3));
  }
};

Plan make_plan(const Call& call, int64_t panel_bytes, int64_t chunk_bands, bool by_band) {
  Plan plan{call, owned_columns(call), {},     ceil_div(call.ncouls, lanes), 0, 0, 0, 0, 0,
            0,    call.parts(),        by_band};
  for (int64_t e = 0; e < call.nex; ++e) plan.order.push_back(order_bands(call, e));
  plan.tiles = ceil_div(static_cast<int64_t>(plan.owned.size()), columns);
  plan.chunks = ceil_div(call.ntband, chunk_bands);
  const int64_t row_bytes = call.ntband * call.nex * plan.parts * 8;
  plan.panel_vectors = std::clamp<int64_t>(panel_bytes / (row_bytes * lanes), 1, plan.vectors);
  plan.panel_tiles =
      std::clamp<int64_t>(panel_bytes / (row_bytes * columns), 1, std::max<int64_t>(plan.tiles, 1));
  plan.task_vectors = ceil_div(plan.panel_vectors, ceil_div(plan.panel_vectors, 8));
  const int64_t across = ceil_div(tasks_wanted, plan.row_tasks());
  plan.task_tiles = std::clamp<int64_t>(plan.panel_tiles / across, 1, 64 / columns);
  return plan;
}

// Rows [vector][external][n'] of aqsn, `lanes` at a time; chunk by chunk inside an external band.
void pack_rows(const Plan& plan, int64_t vector, double* to) {
  const Call& call = plan.call;
  const int64_t ig = vector * lanes, rest = std::min<int64_t>(lanes, call.ncouls - ig);
  for (int64_t e = 0; e < call.nex; ++e)
    for (int64_t k = 0; k < call.ntband; ++k, to += plan.parts * lanes) {
      const double* from =
          call.aqsn + ((e * call.ntband + plan.order[e].band[k]) * call.ncouls + ig) * plan.parts;
      double padded[2 * lanes] = {};
      if (rest < lanes) {
        std::copy_n(from, rest * plan.parts, padded);
        from = padded;
      }
      if (plan.parts == 1) {
        store(to, load(from));
      } else {
        Vector re, im;
        split(from, re, im);
        store(to, re);
        store(to + lanes, im);
      }
    }
}

void pack_columns(const Plan& plan, int64_t tile, double* to) {
  const Call& call = plan.call;
  const int parts = plan.parts;
  for (int64_t e = 0; e < call.nex; ++e)
    for (int64_t k = 0; k < call.ntband; ++k)
      for (int64_t c = tile * columns; c < (tile + 1) * columns; ++c, to += parts) {
        const bool there = c < static_cast<int64_t>(plan.owned.size());
        const double* from =
            there ? call.aqsm +
                        ((e * call.ntband + plan.order[e].band[k]) * call.ncouls + plan.owned[c].g) * parts
                  : nullptr;
        for (int p = 0; p < parts; ++p) to[p] = there ? from[p] : 0;
      }
}

// w and I of a tile lie in columns far apart, out of reach of the processor's own prefetching. Asked for one
// tile ahead. Inlined by force: g++ drops calls of a function that only prefetches, as one without effect.
[[gnu::always_inline]] inline void prefetch_poles(const Plan& plan, int64_t vector, int64_t tile) {
  const Call& call = plan.call;
  for (int64_t c = tile * columns; c < std::min<int64_t>((tile + 1) * columns, std::ssize(plan.owned)); ++c) {
    const int64_t at = plan.owned[c].igp * call.ncouls + vector * lanes;
    for (int64_t byte = 0; byte < 16 * lanes; byte += 64) {
      __builtin_prefetch(reinterpret_cast<const char*>(call.wtilde + 2 * at) + byte);
      if (byte < 8 * plan.parts * lanes)
        __builtin_prefetch(reinterpret_cast<const char*>(call.I + plan.parts * at) + byte);
    }
  }
}

Poles read_poles(const Plan& plan, int64_t vector, int64_t tile) {
  const Call& call = plan.call;
  const int64_t ig = vector * lanes, rest = std::min<int64_t>(lanes, call.ncouls - ig);
  Poles poles;
  Vector low = fill(no_pole);
  for (int c = 0; c < columns; ++c) {
    const int64_t column = tile * columns + c;
    const bool there = column < static_cast<int64_t>(plan.owned.size());
    const double v = there ? plan.owned[column].v : 0;
    double w_padded[2 * lanes] = {}, i_padded[2 * lanes] = {};
    const double *w = w_padded, *i = i_padded;
    if (there) {
      w = call.wtilde + (plan.owned[column].igp * call.ncouls + ig) * 2;
      i = call.I + (plan.owned[column].igp * call.ncouls + ig) * plan.parts;
      if (rest < lanes) {
        std::copy_n(w, rest * 2, w_padded);
        std::copy_n(i, rest * plan.parts, i_padded);
        w = w_padded;
        i = i_padded;
      }
    }
    Vector energy, imaginary, re, im{};
    split(w, energy, imaginary);
    if (plan.parts == 1)
      re = load(i);
    else
      split(i, re, im);
    poles.i_re[c] = re * v;
    poles.i_im[c] = im * v;
    poles.iw_re[c] = poles.i_re[c] * energy;
    poles.iw_im[c] = poles.i_im[c] * energy;
    energy = energy == Vector{} ? fill(no_pole) : energy;
    poles.w[c] = energy;
    const Vector limit = energy * energy * (1 / limit_one), broadening = fill(call.gamma * call.gamma);
    poles.limit[c] = limit > broadening ? limit : broadening;
    low = energy < low ? energy : low;
  }
  poles.lowest_w = lowest(low);
  return poles;
}

template <bool Real>
void tile_of(int energies, bool with_static, bool even, const Poles& p, const Bands& b, double sexcut,
             Vector* s) {
  switch (energies * 4 + with_static * 2 + even) {
    case 4:
      return tile<1, Real, false, false>(p, b, sexcut, s);
    case 6:
      return tile<1, Real, true, false>(p, b, sexcut, s);
    case 8:
      return tile<2, Real, false, false>(p, b, sexcut, s);
    case 10:
      return tile<2, Real, true, false>(p, b, sexcut, s);
    case 12:
      return tile<3, Real, false, false>(p, b, sexcut, s);
    case 13:
      return tile<3, Real, false, true>(p, b, sexcut, s);
    case 14:
      return tile<3, Real, true, false>(p, b, sexcut, s);
    default:
      return tile<3, Real, true, true>(p, b, sexcut, s);
  }
}

void bands_of(int energies, bool real, const Poles& p, const Bands& b, int64_t stride, Vector* s) {
  switch (energies * 2 + real) {
    case 2:
      return tile_bands<1, false>(p, b, stride, s);
    case 3:
      return tile_bands<1, true>(p, b, stride, s);
    case 4:
      return tile_bands<2, false>(p, b, stride, s);
    case 5:
      return tile_bands<2, true>(p, b, stride, s);
    case 6:
      return tile_bands<3, false>(p, b, stride, s);
    default:
      return tile_bands<3, true>(p, b, stride, s);
  }
}

struct Panel {
  int64_t vector, vectors, tile, tiles;  // first and number
  const double *rows, *columns;          // packed
};

void run_task(const Plan& plan, const Panel& panel, int64_t task, Vector* sums, double* slot) {
  const Call& call = plan.call;
  std::fill_n(sums, plan.sums(), Vector{});
  const int64_t v0 = task % plan.row_tasks() * plan.task_vectors,
                t0 = task / plan.row_tasks() * plan.task_tiles;
  const int64_t v1 = std::min(v0 + plan.task_vectors, panel.vectors),
                t1 = std::min(t0 + plan.task_tiles, panel.tiles);
  const int64_t row_size = call.ntband * call.nex * plan.parts * lanes;
  const int64_t column_size = call.ntband * call.nex * plan.parts * columns;
  for (int64_t chunk = 0; chunk < plan.chunks; ++chunk) {
    const int64_t k0 = plan.chunk_begin(chunk), k1 = plan.chunk_begin(chunk + 1);
    for (int64_t v = v0; v < v1; ++v)
      for (int64_t t = t0; t < t1; ++t) {
        const Poles poles = read_poles(plan, panel.vector + v, panel.tile + t);
        prefetch_poles(plan, panel.vector + (t + 1 < t1 ? v : v + 1), panel.tile + (t + 1 < t1 ? t + 1 : t0));
        // Below this x no w of the tile is within reach of the test for branch A: w - x > gamma and w - x >
        // w/500.
        const double reach = std::min(poles.lowest_w - call.gamma, 0.998 * poles.lowest_w);
        const double safe = reach - 1e-12 * std::abs(reach);
        Vector* to = sums;
        for (int64_t e = 0; e < call.nex; ++e) {
          const Order& order = plan.order[e];
          const auto first = order.highest.begin() + std::clamp(order.occupied, k0, k1);
          const auto masked =
              std::partition_point(first, order.highest.begin() + k1, [&](double x) { return !(x < safe); });
          Bands bands;
          bands.a = panel.rows + v * row_size + (e * call.ntband + k0) * plan.parts * lanes;
          bands.m = panel.columns + t * column_size + (e * call.ntband + k0) * plan.parts * columns;
          bands.f = order.f.data() + k0;
          bands.occupied = static_cast<int>(first - order.highest.begin() - k0);
          bands.masked = static_cast<int>(masked - order.highest.begin() - k0);
          bands.count = static_cast<int>(k1 - k0);
          for (int64_t iw = 0; iw < call.nw; iw += 3) {
            const int energies = static_cast<int>(std::min<int64_t>(3, call.nw - iw));
            bands.x = order.x.data() + call.ntband * iw + k0 * energies;
            bands.spacing = order.spacing[iw / 3];
            if (plan.by_band) {
              bands_of(energies, call.real, poles, bands, 2 * call.nw,
                       sums + ((e * call.ntband + k0) * call.nw + iw) * 2);
              continue;
            }
            const bool even = bands.spacing != 0;
            const bool with_static = call.ach_static && iw == 0;
            if (call.real)
              tile_of<true>(energies, with_static, even, poles, bands, call.sexcut, to);
            else
              tile_of<false>(energies, with_static, even, poles, bands, call.sexcut, to);
            to += sums_of(energies);
          }
        }
      }
  }
  for (int64_t i = 0; i < plan.sums(); ++i) slot[i] += sum(sums[i]);
}

}  // namespace

void FastSums::run(const Call& call, int threads, bool by_band) {
  const Plan plan = make_plan(call, panel_bytes_, chunk_bands_, by_band);
  const int64_t row_size = call.ntband * call.nex * plan.parts * lanes;
  const int64_t column_size = call.ntband * call.nex * plan.parts * columns;
  double* const rows = rows_.at_least(plan.panel_vectors * row_size);
  double* const packed_columns = columns_.at_least(plan.panel_tiles * column_size);
  auto* const sums = reinterpret_cast<Vector*>(sums_.at_least(threads * plan.sums() * lanes));
  double* const slots = slots_.at_least(plan.tasks() * plan.sums());
  std::fill_n(slots, plan.tasks() * plan.sums(), 0.0);

#pragma omp parallel num_threads(threads)
  {
    Vector* const own = sums + omp_get_thread_num() * plan.sums();
    for (int64_t tile = 0; tile < plan.tiles; tile += plan.panel_tiles) {
      const int64_t tiles = std::min(plan.panel_tiles, plan.tiles - tile);
#pragma omp for schedule(static)
      for (int64_t t = 0; t < tiles; ++t) pack_columns(plan, tile + t, packed_columns + t * column_size);
      for (int64_t vector = 0; vector < plan.vectors; vector += plan.panel_vectors) {
        const int64_t vectors = std::min(plan.panel_vectors, plan.vectors - vector);
#pragma omp for schedule(static)
        for (int64_t v = 0; v < vectors; ++v) pack_rows(plan, vector + v, rows + v * row_size);
        const Panel panel{vector, vectors, tile, tiles, rows, packed_columns};
#pragma omp for schedule(dynamic)
        for (int64_t task = 0; task < plan.tasks(); ++task)
          run_task(plan, panel, task, own, slots + task * plan.sums());
      }
    }
  }

  std::vector<double> total(plan.sums());
  for (int64_t task = 0; task < plan.tasks(); ++task)
    for (int64_t i = 0; i < plan.sums(); ++i) total[i] += slots[task * plan.sums() + i];
  const double* from = total.data();
  if (by_band) {
    for (int64_t e = 0; e < call.nex; ++e)
      for (int64_t k = 0; k < call.ntband; ++k)
        for (int64_t iw = 0; iw < call.nw; ++iw, from += 2)
          call.ach_n1[(e * call.ntband + plan.order[e].band[k]) * call.nw + iw] = {0.5 * from[0],
                                                                                   0.5 * from[1]};
    return;
  }
  for (int64_t e = 0; e < call.nex; ++e)
    for (int64_t iw = 0; iw < call.nw; iw += 3) {
      const int energies = static_cast<int>(std::min<int64_t>(3, call.nw - iw));
      for (int i = 0; i < energies; ++i, from += 4) {
        call.ach[e * call.nw + iw + i] = {0.5 * from[0], 0.5 * from[1]};
        call.asx[e * call.nw + iw + i] = {-from[2], -from[3]};
      }
      if (call.ach_static && iw == 0) call.ach_static[e] = {-0.5 * from[0], -0.5 * from[1]};
      from += 2;
    }
}

}  // namespace suite::gpp
