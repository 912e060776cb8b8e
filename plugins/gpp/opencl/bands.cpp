// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma for real w >= 0 with results of single bands: the host's side of bands.cl. M of all bands is packed once; then, panel by
// panel of columns G', their modes are put in order and summed for each three energies. gather_bands and finish_bands (sums.cl)
// put the parts together.
#include <algorithm>

#include "../bands.hpp"
#include "sources.hpp"
#include "sums.hpp"

namespace suite::gpp {
namespace {

constexpr int64_t bins = 4, kinds = bins + 2;

// What bands.cl calls tables.
struct Tables {
  std::vector<double> numbers;
  std::vector<int64_t> x_at;  // of each group of energies
  int64_t limits_at = 0;
};

Tables tables_of(const BandOrder& o, const Call& call) {
  Tables t;
  auto& to = t.numbers;
  const auto add = [&to](const std::vector<double>& from, int64_t first, int64_t count) {
    to.insert(to.end(), from.begin() + first, from.begin() + first + count);
  };
  add(o.edges, 0, bins);
  for (int64_t v = 0; v < o.vectors; ++v) {
    for (int64_t k = v * o.lanes; k < (v + 1) * o.lanes; ++k) {
      const Band& band = o.band[static_cast<size_t>(k)];
      to.push_back(band.e < 0 ? -1.0 : static_cast<double>(band.e * call.ntband + band.n1));
    }
    for (int64_t k = v * o.lanes; k < (v + 1) * o.lanes; ++k) to.push_back(o.is_occupied[static_cast<size_t>(k)] ? 1.0 : 0.0);
    to.push_back(o.above(v, 1));
    to.push_back(o.below(v, 1));
  }
  for (int64_t iw = 0; iw < call.nw; iw += 3) {
    const int64_t energies = std::min<int64_t>(3, call.nw - iw), all = o.vectors * energies * o.lanes;
    t.x_at.push_back(std::ssize(to));
    add(o.x, o.x_at(0, iw, energies), all);
    add(o.c, o.x_at(0, iw, energies), all);
    for (int64_t v = 0; v < o.vectors; ++v) to.push_back(o.negative[static_cast<size_t>(iw / 3 * o.vectors + v)] ? 1.0 : 0.0);
  }
  t.limits_at = std::ssize(to);
  add(o.ch_limit, 0, std::ssize(o.ch_limit));
  add(o.sx_limit, 0, std::ssize(o.sx_limit));
  return t;
}

// Sums of one block of columns and rows.
int64_t partial_bytes(const Call& call) { return int64_t(8) * (4 * 3 + 2) * call.ntband * call.nex; }

}  // namespace

BandSums::BandSums(Engine& engine)
    : engine_(engine),
      tables_(engine.backend, engine.queue, "the ordered bands"),
      rows_(engine.backend, engine.queue, "the packed aqsntemp"),
      columns_(engine.backend, engine.queue, "the packed aqsmtemp"),
      modes_(engine.backend, engine.queue, "the lists of modes"),
      row_of_mode_(engine.backend, engine.queue, "the lists of modes"),
      counts_(engine.backend, engine.queue, "the lists of modes") {}

bool BandSums::serves(const Call& call) const {
  return engine_.coarse() && engine_.vector() > 1 && partial_bytes(call) * ceil_div(call.ncouls, block_rows(call)) <= most_bytes &&
         int64_t(8) * call.parts() * call.ncouls * (call.ntband * call.nex + engine_.vector()) <= most_packed_bytes;
}

void BandSums::run(const Call& call, const Bands& bands) {
  const int64_t vector = engine_.vector(), rows = block_rows(call), blocks = ceil_div(call.ncouls, rows);
  const BandOrder order = order_bands(OnHost{call, bands, call.gamma, call.sexcut}, vector, bins);
  const Tables tables = tables_of(order, call);
  const cl_mem of_bands = tables_.upload(tables.numbers);
  const bool still = call.with_static();
  const auto options = [&](int64_t energies, bool close) {
    return define("VW", vector) + define("LOCAL", 1) + define("REAL", call.is_real()) + define("NE", energies) + define("BINS", bins) +
           define("STATIC", still) + define("CLOSE", close) + define("BLOCK_ROWS", rows) + define("BLOCK_COLUMNS", block_columns) +
           define("COMPACT", 0);
  };
  const std::string first_options = options(std::min<cl_int>(3, call.nw), order.close[0]);

  const auto packed_bytes = static_cast<size_t>(8 * call.parts() * call.ncouls * vector * order.vectors);
  const auto pack = [&](const suite_array& m, opencl::Scratch& to) {
    const cl_mem packed = to.at_least(packed_bytes);
    opencl::launch(
        engine_.device, engine_.kernel(bands_cl, "pack_bands", first_options), "pack_bands",
        {{static_cast<size_t>(order.vectors), static_cast<size_t>(vector), static_cast<size_t>(ceil_div(call.ncouls, pack_rows))},
         {1, 1, 1}},
        opencl::memory_of(m), of_bands, packed, call.ncouls, cl_int(pack_rows), cl_int(bins), static_cast<cl_int>(2 * vector + 2));
    return packed;
  };
  const cl_mem packed_rows = pack(call.aqsntemp.array(), rows_);
  const bool diagonal = call.aqsmtemp.array().data == call.aqsntemp.array().data;
  const cl_mem packed_columns = diagonal ? packed_rows : pack(call.aqsmtemp.array(), columns_);

  // Columns of a panel: what the lists and the partial sums of its blocks leave room for.
  const int64_t list_bytes = 36 * kinds * rows * blocks, columns = engine_.ncolumns;
  const int64_t panel_blocks = std::min(most_bytes / (block_columns * list_bytes), most_bytes / (partial_bytes(call) * blocks));
  const int64_t panel = std::max<int64_t>(panel_blocks, 1) * block_columns;
  const cl_mem partial = engine_.partial.at_least(
      static_cast<size_t>(partial_bytes(call) * blocks * ceil_div(std::clamp<int64_t>(columns, 1, panel), block_columns)));
  const cl_mem sums = engine_.bands.at_least(static_cast<size_t>(partial_bytes(call)));
  const std::string sums_options = define("LOCAL", 1);
  const auto& gather_kernel = engine_.kernel(sums_cl, "gather_bands", sums_options);
  const auto& finish_kernel = engine_.kernel(sums_cl, "finish_bands", sums_options);
  const cl_mem ach_n1 = opencl::memory_or(call.acht_n1.array(), memory_of(call.achtemp)),
               achs = opencl::memory_or(call.achstemp.array(), memory_of(call.achtemp)),
               ach_n1_iw = opencl::memory_or(call.acht_n1_iw.array(), memory_of(call.achtemp)),
               achs_n1 = opencl::memory_or(call.achst_n1.array(), memory_of(call.achtemp));

  for (cl_int iw = 0; iw < call.nw; iw += 3) {
    const cl_int energies = std::min(3, call.nw - iw), numbers = 4 * energies + 2;
    const std::string with = options(energies, order.close[static_cast<size_t>(iw / 3)]);
    for (int64_t first = 0; first < std::max<int64_t>(columns, 1); first += panel) {
      const int64_t some = std::min(panel, columns - first), column_blocks = std::max<int64_t>(ceil_div(some, block_columns), 1);
      if (some > 0 && (iw == 0 || columns > panel)) {
        modes_.at_least(static_cast<size_t>(32 * kinds * rows * blocks * some));
        row_of_mode_.at_least(static_cast<size_t>(4 * kinds * rows * blocks * some));
        counts_.at_least(static_cast<size_t>(4 * kinds * blocks * some));
        opencl::launch(engine_.device, engine_.kernel(bands_cl, "take_apart", first_options), "take_apart",
                       {{static_cast<size_t>(some), static_cast<size_t>(blocks), 1}, {1, 1, 1}}, poles_of(call).w, poles_of(call).I,
                       engine_.igp_of_column.at_least(0), engine_.v_of_column.at_least(0), of_bands, modes_.at_least(0),
                       row_of_mode_.at_least(0), counts_.at_least(0), call.ncouls, static_cast<cl_int>(first));
      }
      opencl::launch(engine_.device, engine_.kernel(bands_cl, "sum_bands", with), "sum_bands",
                     {{static_cast<size_t>(order.vectors), static_cast<size_t>(column_blocks), static_cast<size_t>(blocks)}, {1, 1, 1}},
                     packed_rows, packed_columns, modes_.at_least(0), row_of_mode_.at_least(0), counts_.at_least(0),
                     engine_.row_of_column.at_least(0), of_bands, partial, call.ncouls, call.ntband, call.nw, iw,
                     static_cast<cl_int>(tables.x_at[static_cast<size_t>(iw / 3)]), static_cast<cl_int>(tables.limits_at),
                     static_cast<cl_int>(first), static_cast<cl_int>(std::max<int64_t>(some, 0)), static_cast<cl_int>(order.occupied),
                     double{call.gamma}, double{call.sexcut});
      opencl::launch(engine_.device, gather_kernel, "gather_bands",
                     {{static_cast<size_t>(call.ntband) * static_cast<size_t>(numbers), 1, static_cast<size_t>(call.nex)}, {1, 1, 1}},
                     partial, sums, static_cast<cl_int>(column_blocks * blocks), call.ntband, numbers, cl_int(first > 0));
    }
    opencl::launch(engine_.device, finish_kernel, "finish_bands",
                   {{1, static_cast<size_t>(numbers), static_cast<size_t>(call.nex)}, {1, 1, 1}}, sums, memory_of(call.occ_array),
                   memory_of(call.asxtemp), memory_of(call.achtemp), ach_n1, ach_n1_iw, achs, achs_n1, call.ntband, energies, call.nw, iw,
                   cl_int(0), cl_int(1), cl_int(call.achstemp && iw == 0), cl_int(static_cast<bool>(call.acht_n1)),
                   call.acht_n1_iw ? static_cast<cl_int>(call.energy_n1()) : cl_int(-1), cl_int(call.achst_n1 && iw == 0));
  }
}

}  // namespace suite::gpp
