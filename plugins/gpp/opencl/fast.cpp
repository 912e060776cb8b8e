// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma for real w >= 0: the host's side of best.cl. Bands of each external band are ordered (occupied,
// then empty by falling largest x), rows G and columns G' packed in that order, panel by panel where they
// would be large; then one launch for each three energies, whose partial sums are added in a fixed order.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "sources.hpp"
#include "sums.hpp"

namespace suite::gpp {
namespace {

constexpr int64_t panel_bytes = int64_t(256) << 20;  // packed rows at a time
constexpr cl_int pack_step = 64;                     // bands that a work-item packs

// The spacing of the two or three energies from iw on where it is one for all n', but for rounding; else 0. A
// spacing far beyond gamma is declined: it would cost digits in the differences that best.cl takes
// (add_powers).
double even_spacing(const Call& call, const Bands& bands, int64_t e, int64_t iw) {
  // As given, not kept off zero: 1e-12 is nothing beside |D| >= gamma, where this serves.
  const auto wx = [&](int64_t i, int64_t n1) { return bands.wx[static_cast<size_t>((e * call.ntband + n1) * call.nw + i)]; };
  const int64_t last = std::min<int64_t>(iw + 2, call.nw - 1), steps = last - iw;
  if (steps == 0) return 0;
  // Of the band with the smallest numbers, whose rounding is least.
  const auto size = [&](int64_t n1) { return std::max(std::abs(wx(iw, n1)), std::abs(wx(last, n1))); };
  int64_t n0 = 0;
  for (int64_t n1 = 1; n1 < call.ntband; ++n1)
    if (size(n1) < size(n0)) n0 = n1;
  const double spacing = (wx(last, n0) - wx(iw, n0)) / static_cast<double>(steps);
  if (!(std::abs(spacing) <= 8 * call.gamma)) return 0;
  for (int64_t n1 = 0; n1 < call.ntband; ++n1)
    for (int64_t i = iw; i < last; ++i) {
      const double rounding = 1e-15 * (std::abs(wx(i, n1)) + std::abs(spacing));
      if (!(std::abs(wx(i + 1, n1) - wx(i, n1) - spacing) <= rounding)) return 0;
    }
  return spacing;
}

// The w above which the occupied bands of one external band need no test: w - x is beyond both limits of
// branch A for the highest x, and where x < 0, w^2/(w^2 - x^2), the size of SX over that of I, is below
// sexcut.
double far_from_poles(const Call& call, const Bands& bands, int64_t e) {
  const double cut = call.sexcut > 1 ? std::sqrt(call.sexcut / (call.sexcut - 1)) : INFINITY;
  double above = 0;
  for (int64_t n1 = 0; n1 < call.ntband; ++n1)
    for (int64_t iw = 0; iw < call.nw && bands.occ[static_cast<size_t>(n1)] > 0; ++iw) {
      const double x = bands.x(iw, n1, e);
      above = std::max({above, x + call.gamma, x / 0.998, x < 0 ? -x * cut : 0.0});
    }
  return above * (1 + 1e-11);
}

// n' of all external bands in the order of the tiles, as best.cl reads them.
struct Order {
  std::vector<double> tables;
  size_t x_at = 0, spacing_at = 0, far_at = 0;  // where x, the spacings and the limits of w begin
  cl_int occupied = 0;
};

Order order_bands(const Call& call, const Bands& bands) {
  Order o;
  const auto nb = static_cast<size_t>(call.ntband), nex = static_cast<size_t>(call.nex), all = nb * nex;
  o.x_at = 3 * all;
  o.spacing_at = o.x_at + all * static_cast<size_t>(call.nw);
  o.tables.resize(o.spacing_at);
  for (size_t n1 = 0; n1 < nb; ++n1) o.occupied += bands.occ[n1] > 0;
  std::vector<size_t> order(nb);
  std::vector<double> highest(nb);
  for (cl_int e = 0; e < call.nex; ++e) {
    for (cl_int n1 = 0; n1 < call.ntband; ++n1) {
      double& high = highest[static_cast<size_t>(n1)];
      high = bands.x(0, n1, e);
      for (cl_int iw = 1; iw < call.nw; ++iw) high = std::max(high, bands.x(iw, n1, e));
    }
    std::iota(order.begin(), order.end(), size_t(0));
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      const bool fa = bands.occ[a] > 0, fb = bands.occ[b] > 0;
      return fa != fb ? fa : !fa && highest[a] > highest[b];
    });
    double* to = o.tables.data() + static_cast<size_t>(e) * nb;
    for (size_t k = 0; k < nb; ++k) {
      to[k] = static_cast<double>(order[k]);
      to[all + k] = highest[order[k]];
      to[2 * all + k] = bands.occ[order[k]];
    }
  }
  double* x = o.tables.data() + o.x_at;
  std::vector<double> spacing;
  for (cl_int iw = 0; iw < call.nw; iw += 3)
    for (cl_int e = 0; e < call.nex; ++e) {
      spacing.push_back(even_spacing(call, bands, e, iw));
      for (size_t k = 0; k < nb; ++k)
        for (cl_int i = iw; i < std::min(iw + 3, call.nw); ++i)
          *x++ = bands.x(i, static_cast<int64_t>(o.tables[static_cast<size_t>(e) * nb + k]), e);
    }
  o.tables.insert(o.tables.end(), spacing.begin(), spacing.end());
  o.far_at = o.tables.size();
  for (cl_int e = 0; e < call.nex; ++e) o.tables.push_back(far_from_poles(call, bands, e));
  return o;
}

}  // namespace

// How a call is cut up.
struct FastSums::Shape {
  Shape(const Engine& engine, const Call& call, const Bands& bands)
      : order(order_bands(call, bands)), vector(engine.vector()), local(engine.local(128)), columns(engine.choices.columns) {
    groups = ceil_div(call.ncouls, int64_t(vector) * local);
    tiles = std::max<int64_t>(1, ceil_div(engine.ncolumns, columns));
    group_numbers = int64_t(call.ntband) * call.parts() * vector * local;
    panel_groups = std::clamp<int64_t>(panel_bytes / (8 * group_numbers), 1, groups);
    column_numbers = tiles * call.ntband * columns * call.parts();
    batch = panel_groups < groups ? 1 : std::clamp<int64_t>(panel_bytes / (8 * (group_numbers * groups + column_numbers)), 1, call.nex);
    // Many tiles in a row use the same rows from cache; few keep all units busy.
    const int64_t wanted_groups = int64_t(32) * engine.device.units;
    tiles_per_block = std::clamp<int64_t>(tiles * panel_groups * batch / wanted_groups, 1, 32);
    blocks = ceil_div(tiles, tiles_per_block);
  }
  // Of the launch for the energies from iw on.
  std::string options(const Engine& engine, const Call& call, cl_int iw, cl_int e0, cl_int externals) const {
    const double* spacing = order.tables.data() + spacing_at(call, iw) + e0;
    const bool even = std::all_of(spacing, spacing + externals, [](double d) { return d != 0; });
    return define("VW", vector) + define("LOCAL", local) + define("REAL", call.is_real()) + define("NE", std::min(3, call.nw - iw)) +
           define("CT", columns) + define("STATIC", call.achstemp && iw == 0) + define("EVEN", even) +
           define("MIXED", engine.choices.mixed);
  }
  cl_long spacing_at(const Call& call, cl_int iw) const { return static_cast<cl_long>(order.spacing_at) + cl_long(iw / 3) * call.nex; }
  Order order;
  int vector, local, columns;
  int64_t groups, tiles, group_numbers, column_numbers, panel_groups, batch, tiles_per_block, blocks;
};

FastSums::FastSums(Engine& engine)
    : engine_(engine),
      tables_(engine.backend, engine.queue, "the ordered bands"),
      x_stream_(engine.backend, engine.queue, "the ordered wx_array"),
      rows_(engine.backend, engine.queue, "the packed aqsntemp"),
      columns_(engine.backend, engine.queue, "the packed aqsmtemp"),
      rows_stream_(engine.backend, engine.queue, "the packed aqsntemp in single precision"),
      columns_stream_(engine.backend, engine.queue, "the packed aqsmtemp in single precision") {}

void FastSums::run(const Call& call, const Bands& bands) {
  const Shape shape(engine_, call, bands);
  const Order& order = shape.order;
  tables_.upload(order.tables);
  if (engine_.choices.mixed) x_stream_.upload(std::vector<float>(order.tables.data() + order.x_at, order.tables.data() + order.spacing_at));
  const auto batch = static_cast<cl_int>(shape.batch), panel = static_cast<cl_int>(shape.panel_groups);
  for (cl_int e0 = 0; e0 < call.nex; e0 += batch)
    for (cl_int first = 0; first < shape.groups; first += panel) {
      const cl_int externals = std::min(batch, call.nex - e0);
      const auto groups = static_cast<cl_int>(std::min<int64_t>(panel, shape.groups - first));
      pack(call, shape, e0, externals, first, groups);
      sum(call, shape, e0, externals, first, groups);
    }
}

void FastSums::pack(const Call& call, const Shape& shape, cl_int e0, cl_int externals, cl_int first_group, cl_int groups) {
  // The program of the first sums has them too.
  const std::string options = shape.options(engine_, call, 0, e0, externals);
  const auto steps = static_cast<size_t>(ceil_div(call.ntband, pack_step)), e = static_cast<size_t>(externals);
  const auto tiles = static_cast<cl_int>(shape.tiles);
  const size_t row_numbers = static_cast<size_t>(shape.group_numbers) * static_cast<size_t>(groups) * e;
  const size_t column_numbers = static_cast<size_t>(shape.column_numbers) * e;
  const cl_mem rows = rows_.at_least(row_numbers * sizeof(double));
  const cl_mem columns = columns_.at_least(column_numbers * sizeof(double));
  const auto local = static_cast<size_t>(shape.local);
  const opencl::Range row_range{{static_cast<size_t>(groups) * local, steps, e}, {local, 1, 1}};
  const opencl::Range column_range{{static_cast<size_t>(tiles), steps, e}, {1, 1, 1}};
  const auto& pack_rows = engine_.kernel(best_cl, "pack_rows", options);
  const auto& pack_columns = engine_.kernel(best_cl, "pack_columns", options);
  const cl_mem row_of_column = engine_.row_of_column.at_least(0);
  if (engine_.choices.mixed) {
    const cl_mem rows_stream = rows_stream_.at_least(row_numbers * sizeof(float));
    const cl_mem columns_stream = columns_stream_.at_least(column_numbers * sizeof(float));
    opencl::launch(engine_.device, pack_rows, "pack_rows", row_range, memory_of(call.aqsntemp), tables_.at_least(0), rows, rows_stream,
                   call.ncouls, call.ntband, first_group, groups, e0, pack_step);
    if (first_group == 0)
      opencl::launch(engine_.device, pack_columns, "pack_columns", column_range, memory_of(call.aqsmtemp), tables_.at_least(0),
                     row_of_column, columns, columns_stream, call.ncouls, call.ntband, engine_.ncolumns, tiles, e0, pack_step);
  } else {
    opencl::launch(engine_.device, pack_rows, "pack_rows", row_range, memory_of(call.aqsntemp), tables_.at_least(0), rows, call.ncouls,
                   call.ntband, first_group, groups, e0, pack_step);
    if (first_group == 0)
      opencl::launch(engine_.device, pack_columns, "pack_columns", column_range, memory_of(call.aqsmtemp), tables_.at_least(0),
                     row_of_column, columns, call.ncouls, call.ntband, engine_.ncolumns, tiles, e0, pack_step);
  }
}

void FastSums::sum(const Call& call, const Shape& shape, cl_int e0, cl_int externals, cl_int first_group, cl_int groups) {
  const auto local = static_cast<size_t>(shape.local), e = static_cast<size_t>(externals);
  const auto blocks = static_cast<size_t>(shape.blocks);
  const auto tiles = static_cast<cl_int>(shape.tiles), tiles_per_block = static_cast<cl_int>(shape.tiles_per_block);
  const opencl::Range range{{static_cast<size_t>(groups) * local, blocks, e}, {local, 1, 1}};
  const auto count = static_cast<cl_int>(blocks) * groups;
  for (cl_int iw = 0; iw < call.nw; iw += 3) {
    const cl_int energies = std::min(3, call.nw - iw);
    const auto bands = cl_long(call.nex) * call.ntband, x0 = bands * iw, spacing0 = shape.spacing_at(call, iw),
               far0 = static_cast<cl_long>(shape.order.far_at);
    const cl_mem partial =
        engine_.partial.at_least(static_cast<size_t>(count) * e * static_cast<size_t>(4 * energies + 2) * sizeof(double));
    const auto& kernel = engine_.kernel(best_cl, "sigma_best", shape.options(engine_, call, iw, e0, externals));
    const auto with = [&](const auto&... streams) {
      opencl::launch(engine_.device, kernel, "sigma_best", range, rows_.at_least(0), columns_.at_least(0), streams..., poles_of(call).w,
                     poles_of(call).I, engine_.igp_of_column.at_least(0), engine_.v_of_column.at_least(0), tables_.at_least(0), partial,
                     bands, x0, spacing0, far0, call.ncouls, call.ntband, engine_.ncolumns, tiles, tiles_per_block, first_group, e0,
                     shape.order.occupied, double{call.gamma}, double{call.sexcut});
    };
    if (engine_.choices.mixed) with(rows_stream_.at_least(0), columns_stream_.at_least(0), x_stream_.at_least(0));
    else with();
    gather(engine_, call, count, energies, iw, e0, externals, call.achstemp && iw == 0, first_group > 0);
  }
}

}  // namespace suite::gpp
