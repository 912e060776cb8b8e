// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma with energies=interpolated: the host's side of moments.cl. Bands of all external bands are packed in vectors, in batches where
// they would be large; then, panel by panel of columns G', modes are sorted and summed over: moments, and what is near a bin. Lists of all
// columns that fit stay on the device for further calls.
#include <algorithm>

#include "../bands.hpp"
#include "sources.hpp"
#include "sums.hpp"

namespace suite::gpp {
namespace {

constexpr int64_t lists = finite_bins + 1, energies = 3;
// Of a mode, and of the starts of the lists of a block.
constexpr int64_t mode_bytes = 8 * (4 + moments) + 4, starts_bytes = 4 * (finite_bins + 3);

// A batch of vectors as moments.cl has them in its tables.
std::vector<double> tables_of(const PoleBins<finite_bins>& bins, const Band* band, int64_t vectors, int64_t width, int64_t ntband) {
  std::vector<double> t;
  for (int b = 0; b < finite_bins; ++b) t.insert(t.end(), {bins.lower(b), bins.upper(b), bins.centre(b), bins.radius(b)});
  t.insert(t.end(), {largest_w, largest_w, largest_w, largest_w});
  t.insert(t.end(), bins.edges, bins.edges + finite_bins);
  for (int64_t v = 0; v < vectors; ++v, band += width) {
    for (int64_t l = 0; l < width; ++l) t.push_back(band[l].e < 0 ? -1.0 : static_cast<double>(band[l].e * ntband + band[l].n1));
    for (int64_t l = 0; l < width; ++l) t.push_back(band[l].occupation > 0 ? 1.0 : 0.0);
  }
  return t;
}

}  // namespace

struct Moments::Plan {
  int64_t width, rows, blocks;           // bands of a vector, rows G of a block, blocks
  int64_t groups;                        // of energies
  int64_t panel;                         // columns at a time
  int64_t vectors = 0, occupied = 0;     // of the batch
  int64_t slots = 1, block_step = 1;     // blocks of columns and rows that have sums of their own; blocks of rows of a launch
  std::string options;
};

Moments::Moments(Engine& engine)
    : engine_(engine),
      tables_(engine.backend, engine.queue, "the ordered bands"),
      rows_(engine.backend, engine.queue, "the packed aqsntemp"),
      columns_(engine.backend, engine.queue, "the packed aqsmtemp"),
      modes_(engine.backend, engine.queue, "the lists of modes"),
      basis_(engine.backend, engine.queue, "the lists of modes"),
      row_of_mode_(engine.backend, engine.queue, "the lists of modes"),
      starts_(engine.backend, engine.queue, "the lists of modes"),
      factors_(engine.backend, engine.queue, "the series of the bins"),
      near_(engine.backend, engine.queue, "the bins near a pole"),
      partial_(engine.backend, engine.queue, "the moments"),
      near_partial_(engine.backend, engine.queue, "the exact sums") {}

void Moments::prepare(const Call& call, double lowest) {
  bins_ = find_bins(engine_, call, lowest);
  sorted_ = false;
}

void Moments::pack(const Call& call, const Plan& plan) {
  const auto bytes = static_cast<size_t>(8 * call.parts() * call.ncouls * plan.width * plan.vectors);
  const auto pack = [&](const suite_array& m, opencl::Scratch& to) {
    const opencl::Range range{
        {static_cast<size_t>(plan.vectors), static_cast<size_t>(plan.width), static_cast<size_t>(ceil_div(call.ncouls, pack_rows))},
        {1, 1, 1}};
    opencl::launch(engine_.device, engine_.kernel(moments_cl, "pack_bands", plan.options), "pack_bands", range, opencl::memory_of(m),
                   tables_.at_least(0), to.at_least(bytes), call.ncouls, cl_int(pack_rows), static_cast<cl_int>(4 * lists + finite_bins),
                   static_cast<cl_int>(2 * plan.width));
  };
  pack(call.aqsntemp.array(), rows_);
  if (call.aqsmtemp.array().data != call.aqsntemp.array().data) pack(call.aqsmtemp.array(), columns_);
}

void Moments::sort(const Call& call, const Plan& plan, int64_t first, int64_t columns) {
  if (sorted_) return;
  const auto places = static_cast<size_t>(plan.rows * plan.blocks * columns);
  opencl::launch(engine_.device, engine_.kernel(moments_cl, "sort_modes", plan.options), "sort_modes",
                 {{static_cast<size_t>(columns), static_cast<size_t>(plan.blocks), 1}, {1, 1, 1}}, poles_of(call).w, poles_of(call).I,
                 engine_.igp_of_column.at_least(0), engine_.v_of_column.at_least(0), tables_.at_least(0), modes_.at_least(32 * places),
                 basis_.at_least(8 * moments * places), row_of_mode_.at_least(4 * places),
                 starts_.at_least(static_cast<size_t>(starts_bytes * plan.blocks * columns)), call.ncouls, static_cast<cl_int>(plan.rows),
                 static_cast<cl_int>(first));
  sorted_ = columns == engine_.ncolumns;
}

// Moments and exact sums of some columns. Each block of columns has a slot of its own, and so have as many blocks of rows as there are
// slots for; the next ones add to those.
void Moments::sum(const Call& call, const Plan& plan, int64_t first, int64_t columns) {
  const auto local = static_cast<size_t>(engine_.local(32)), column_blocks = static_cast<size_t>(ceil_div(columns, block_columns));
  const bool diagonal = call.aqsmtemp.array().data == call.aqsntemp.array().data;
  const cl_mem packed_rows = rows_.at_least(0), packed_columns = diagonal ? packed_rows : columns_.at_least(0);
  for (int64_t block = 0; block < plan.blocks; block += plan.block_step) {
    const auto row_blocks = static_cast<size_t>(std::min(plan.block_step, plan.blocks - block));
    const cl_int again = first > 0 || block > 0;
    opencl::launch(engine_.device, engine_.kernel(moments_cl, "sum_moments", plan.options), "sum_moments",
                   {{static_cast<size_t>(plan.vectors) * local, column_blocks, row_blocks}, {local, 1, 1}}, packed_rows, packed_columns,
                   modes_.at_least(0), basis_.at_least(0), row_of_mode_.at_least(0), starts_.at_least(0), engine_.row_of_column.at_least(0),
                   partial_.at_least(0), call.ncouls, static_cast<cl_int>(plan.rows), static_cast<cl_int>(first),
                   static_cast<cl_int>(columns), static_cast<cl_int>(block), static_cast<cl_int>(plan.blocks), again);
    opencl::launch(engine_.device, engine_.kernel(moments_cl, "sum_near", plan.options), "sum_near",
                   {{static_cast<size_t>(plan.vectors * plan.groups) * local, column_blocks, row_blocks}, {local, 1, 1}}, packed_rows,
                   packed_columns, modes_.at_least(0), row_of_mode_.at_least(0), starts_.at_least(0), engine_.row_of_column.at_least(0),
                   tables_.at_least(0), memory_of(call.wx_array), near_.at_least(0), near_partial_.at_least(0), call.ncouls,
                   static_cast<cl_int>(plan.rows), call.nw, static_cast<cl_int>(plan.groups), static_cast<cl_int>(first),
                   static_cast<cl_int>(columns), static_cast<cl_int>(block), static_cast<cl_int>(plan.blocks),
                   static_cast<cl_int>(plan.occupied), double{call.gamma}, double{call.sexcut}, again);
  }
}

void Moments::run(const Call& call, const Bands& bands) {
  const int local = engine_.local(32);
  const int64_t columns = engine_.ncolumns, numbers = 4 * int64_t{call.nw} + 2;
  Plan plan{};
  plan.width = engine_.vector() * local;
  plan.rows = block_rows(call);
  plan.blocks = ceil_div(call.ncouls, plan.rows);
  plan.groups = ceil_div(call.nw, energies);
  plan.panel =
      std::max<int64_t>(most_bytes / (mode_bytes * plan.rows * std::max<int64_t>(plan.blocks, 1) * block_columns), 1) * block_columns;
  const bool still = call.with_static();
  // A vector unit of four numbers has registers for half of the moments.
  const bool by_halves = engine_.device.is_processor && engine_.device.doubles < 8;
  plan.options = define("VW", engine_.vector()) + define("LOCAL", local) + define("REAL", call.is_real()) + define("NE", energies) +
                 define("BINS", finite_bins) + define("STATIC", 0) + define("STILL", still) + define("BLOCK_COLUMNS", block_columns) +
                 define("COMPACT", 1) + define("AT_A_TIME", by_halves ? moments / 2 : moments);
  std::vector<Band> sorted = sorted_bands(OnHost{call, bands, call.gamma, call.sexcut}, plan.width);
  const int64_t all = ceil_div(std::ssize(sorted), plan.width),
                occupied =
                    ceil_div(std::count_if(sorted.begin(), sorted.end(), [](const Band& b) { return b.occupation > 0; }), plan.width);
  sorted.resize(static_cast<size_t>(all * plan.width));

  const int64_t of_vector = 8 * plan.width;
  const int64_t sums_bytes = of_vector * ((finite_bins * moments + 1 + still) * call.parts() + plan.groups * 4 * energies);
  const int64_t factor_bytes = of_vector * plan.groups * energies * lists * 4, packed_bytes = of_vector * call.parts() * call.ncouls;
  const int64_t batch = std::max<int64_t>(
      std::min({all, most_packed_bytes / std::max<int64_t>(packed_bytes, 1), most_bytes / factor_bytes, most_bytes / sums_bytes}), 1);
  const int64_t slots = std::max<int64_t>(most_bytes / (sums_bytes * batch), 1);
  plan.panel = std::min(plan.panel, slots * block_columns);
  const int64_t column_blocks = ceil_div(std::min(plan.panel, columns), block_columns);
  plan.block_step = std::clamp<int64_t>(slots / std::max<int64_t>(column_blocks, 1), 1, std::max<int64_t>(plan.blocks, 1));
  plan.slots = column_blocks * plan.block_step;
  if (columns > plan.panel) sorted_ = false;

  const cl_mem of_bands = engine_.bands.at_least(static_cast<size_t>(8 * numbers * call.ntband * call.nex));
  for (int64_t vector = 0; vector < all; vector += batch) {
    plan.vectors = std::min(batch, all - vector);
    plan.occupied = std::clamp<int64_t>(occupied - vector, 0, plan.vectors);
    const cl_mem tables = tables_.upload(tables_of(bins_, sorted.data() + vector * plan.width, plan.vectors, plan.width, call.ntband));
    const cl_mem partial = partial_.at_least(static_cast<size_t>(std::max<int64_t>(plan.slots, 1) * plan.vectors * sums_bytes)),
                 near_partial = near_partial_.at_least(
                     static_cast<size_t>(std::max<int64_t>(plan.slots, 1) * plan.vectors * of_vector * plan.groups * 4 * energies)),
                 factors = factors_.at_least(static_cast<size_t>(plan.vectors * factor_bytes)),
                 near = near_.at_least(static_cast<size_t>(4 * plan.vectors * plan.groups));
    const auto items = static_cast<size_t>(plan.vectors) * static_cast<size_t>(local), items_of_group = static_cast<size_t>(local);
    opencl::launch(engine_.device, engine_.kernel(moments_cl, "find_near", plan.options), "find_near",
                   {{items, static_cast<size_t>(plan.groups), 1}, {items_of_group, 1, 1}}, tables, memory_of(call.wx_array), factors, near,
                   call.nw, double{call.gamma}, double{call.sexcut});
    pack(call, plan);
    for (int64_t first = 0; first < columns; first += plan.panel) {
      const int64_t some = std::min(plan.panel, columns - first);
      sort(call, plan, first, some);
      sum(call, plan, first, some);
    }
    const auto slots_filled = static_cast<cl_int>(plan.slots);
    opencl::launch(engine_.device, engine_.kernel(moments_cl, "add_blocks", plan.options), "add_blocks",
                   {{items, static_cast<size_t>(lists), 1}, {items_of_group, 1, 1}}, partial, slots_filled);
    opencl::launch(engine_.device, engine_.kernel(moments_cl, "put_together", plan.options), "put_together",
                   {{items, static_cast<size_t>(plan.groups), 1}, {items_of_group, 1, 1}}, tables, partial, factors, near, near_partial,
                   of_bands, call.nw, static_cast<cl_int>(plan.occupied), slots_filled);
  }
  const cl_mem unused = memory_of(call.achtemp);
  opencl::launch(engine_.device, engine_.kernel(sums_cl, "finish_bands", define("LOCAL", 1)), "finish_bands",
                 {{1, static_cast<size_t>(numbers), static_cast<size_t>(call.nex)}, {1, 1, 1}}, of_bands, memory_of(call.occ_array),
                 memory_of(call.asxtemp), memory_of(call.achtemp), opencl::memory_or(call.acht_n1.array(), unused),
                 opencl::memory_or(call.acht_n1_iw.array(), unused), opencl::memory_or(call.achstemp.array(), unused),
                 opencl::memory_or(call.achst_n1.array(), unused), call.ntband, call.nw, call.nw, cl_int(0), cl_int(0), cl_int(1),
                 cl_int(static_cast<bool>(call.achstemp)), cl_int(static_cast<bool>(call.acht_n1)),
                 call.acht_n1_iw ? static_cast<cl_int>(call.energy_n1()) : cl_int(-1), cl_int(static_cast<bool>(call.achst_n1)));
}

}  // namespace suite::gpp
