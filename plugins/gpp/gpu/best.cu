// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma for real w >= 0: the passes around the kernels of smooth.cuh, occupied.cu and masked.cu. External bands and owned
// columns are taken in portions that fit in the memory left; every block writes its own sums, which are added in a
// fixed order, so that a call gives the same bits again.
#include <algorithm>

#include "best.hpp"
#include "order.cuh"
#include "slots.cuh"

namespace suite::gpp {
namespace {

// Bands are shared out among blocks where there are fewer than this, as far as a slice keeps two chunks.
constexpr int64_t blocks_wanted = 512;

}  // namespace

// How a call is cut into passes.
struct Best::Plan {
  int64_t row_blocks, tiles, groups, slices;  // tiles: of rows, per group
  int64_t pass_groups, pass_externals;
  bool rational, with_static, mixed;
  int64_t blocks() const { return row_blocks * slices; }  // per group and external band
};

Best::Best(const gpu::Queue& queue, const suite_backend* backend, suite_queue* suite_queue, int group, int64_t scratch)
    : queue_(queue),
      backend_(backend),
      suite_queue_(suite_queue),
      group_(group),
      scratch_(scratch),
      low_(queue, "the lowest pole of each tile"),
      order_(queue, "the order of the bands"),
      slots_(queue, "the sums of the blocks"),
      totals_(queue, "the sums"),
      bands_(queue, "the order of the bands"),
      ranges_(queue, "the bands of each tile"),
      packed_(queue, "the packed columns of aqsmtemp"),
      single_(queue, "aqsntemp in single precision") {}

void Best::prepare(const Sigma& call, const Columns& columns) {
  real_ = true;
  lowest_w_ = no_pole;
  const int64_t row_blocks = ceil_div(call.ncouls(), rows), groups = columns.padded / group_;
  const int64_t count = groups * row_blocks * tiles_per_block;
  if (count == 0) return;
  SUITE_GPU_LAUNCH(find_lowest, blocks_for(groups * row_blocks, 1), rows, 0, queue_.stream(), poles_of(call).w, columns.igp, call.ncouls(),
                   static_cast<int>(row_blocks), group_, low_.at_least(count));
  std::vector<double> low(count);
  low_.download(low.data(), count);
  queue_.wait();
  lowest_w_ = *std::min_element(low.begin(), low.end());
  real_ = lowest_w_ >= 0;
}

Best::Plan Best::plan(const Sigma& call, const Columns& columns, bool rational, bool mixed) {
  Plan p{};
  p.row_blocks = ceil_div(call.ncouls(), rows);
  p.tiles = p.row_blocks * tiles_per_block;
  p.groups = columns.padded / group_;
  p.rational = rational;
  p.with_static = static_cast<bool>(call.achstemp);
  p.mixed = mixed && rational;
  const int64_t blocks = std::max<int64_t>(1, p.row_blocks * p.groups * call.nex());
  p.slices = std::clamp<int64_t>(ceil_div(blocks_wanted, blocks), 1, std::max<int64_t>(1, call.ntband() / (2 * chunk)));

  // Bytes per external band, and per external band and group.
  const int64_t number = call.parts() * (p.mixed ? 12 : 8);
  const int64_t per_external =
      call.ntband() * (8 * (call.nw() + 5) + 4) + 8 * call.nw() + (p.mixed ? call.ncouls() * call.ntband() * call.parts() * 4 : 0);
  const int64_t per_group =
      call.ntband() * group_ * number + p.tiles * static_cast<int64_t>(sizeof(Range)) + p.blocks() * 8 * (quantities * call.nw() + 2);
  const int64_t all_groups = std::max<int64_t>(p.groups, 1);
  p.pass_groups = all_groups;
  p.pass_externals = call.nex();
  const auto needed = [&] { return p.pass_externals * (per_external + p.pass_groups * per_group); };
  int64_t limit = scratch_;
  if (limit == 0) {
    // What is held already is used again.
    const int64_t held = 8 * (order_.count() + slots_.count()) + static_cast<int64_t>(sizeof(Range)) * ranges_.count() + packed_.count() +
                         4 * single_.count();
    if (needed() > held) {
      uint64_t free = 0, total = 0;
      suite_error error{};
      if (const int status = backend_->memory(suite_queue_, &free, &total, &error); status != SUITE_OK)
        throw Failure(static_cast<suite_status>(status), error.message);
      limit = held + static_cast<int64_t>(0.7 * static_cast<double>(free));
    } else {
      limit = held;
    }
  }
  // As many external bands as leave room for 64 groups, then as many groups as fit.
  p.pass_externals = std::clamp<int64_t>(limit / (per_external + std::min<int64_t>(64, all_groups) * per_group), 1, call.nex());
  p.pass_externals = std::min(p.pass_externals, std::max<int64_t>(1, most_blocks / p.blocks()));
  p.pass_groups = std::clamp<int64_t>((limit / p.pass_externals - per_external) / per_group, 1, all_groups);
  p.pass_groups = std::min(p.pass_groups, std::max<int64_t>(1, most_blocks / (p.blocks() * p.pass_externals)));
  return p;
}

// The order of the bands of the tiles' external bands.
Order Best::sort(const Sigma& call, Tiles& t) {
  const int64_t all = static_cast<int64_t>(t.externals) * t.ntband, across = ceil_div(t.nw, 3);
  double* const reals = order_.at_least(all * (5 + t.nw) + t.externals * across);
  int* const integers = bands_.at_least(all + 3 * int64_t{t.externals});
  Order o{};
  o.wx = call.wx_array.data();
  o.occ = call.occ_array.data();
  o.ntband = t.ntband;
  o.nw = t.nw;
  o.externals = t.externals;
  o.first_external = t.first_external;
  o.gamma = call.gamma;
  o.sexcut = call.sexcut;
  o.highest = reals;
  o.lowest = reals + all;
  o.highest_sorted = reals + 2 * all;
  o.lowest_so_far = reals + 3 * all;
  o.f = reals + 4 * all;
  o.x = reals + 5 * all;
  o.spacing = o.x + all * t.nw;
  o.band = integers;
  o.full = integers + all;
  o.occupied = o.full + t.externals;
  o.far = o.occupied + t.externals;
  queue_.set_zero(o.far, static_cast<size_t>(t.externals) * sizeof(int));
  SUITE_GPU_LAUNCH(find_highest, blocks_for(all, small_block), small_block, 0, queue_.stream(), o);
  SUITE_GPU_LAUNCH(sort_bands, blocks_for(all, small_block), small_block, 0, queue_.stream(), o);
  SUITE_GPU_LAUNCH(find_spacing, blocks_for(t.externals * across, 1), rows, 0, queue_.stream(), o);
  t.band = o.band;
  t.x = o.x;
  t.f = o.f;
  t.spacing = o.spacing;
  return o;
}

// The sums of some external bands over some groups of columns, added to the totals.
void Best::pass(const Sigma& call, const Plan& plan, const Order& order, Tiles& t, bool first) {
  const gpu::Stream stream = queue_.stream();
  const int64_t bands = static_cast<int64_t>(t.externals) * t.ntband, packed = bands * t.groups * t.columns;
  const int64_t blocks = plan.blocks() * t.groups, all_blocks = blocks * t.externals;
  char* const in_double = packed_.at_least(packed * call.parts() * (plan.mixed ? 12 : 8));
  const auto pack = [&](auto precision, void* to) {
    using R = decltype(precision);
    if (call.is_real())
      SUITE_GPU_LAUNCH((pack_columns<R, true>), blocks_for(packed, small_block), small_block, 0, stream, t,
                       gpu::device_data<const Number<double, true>>(call.aqsmtemp.array()), static_cast<Number<R, true>*>(to));
    else
      SUITE_GPU_LAUNCH((pack_columns<R, false>), blocks_for(packed, small_block), small_block, 0, stream, t,
                       gpu::device_data<const Number<double, false>>(call.aqsmtemp.array()), static_cast<Number<R, false>*>(to));
  };
  pack(double{}, in_double);
  t.aqsm = in_double;

  const int64_t sums = static_cast<int64_t>(t.externals) * t.nw * quantities;
  t.slots = slots_.at_least(sums * blocks + 2 * all_blocks);
  t.static_slots = t.slots + sums * blocks;
  double* const totals = totals_.data();
  const auto grid = static_cast<unsigned>(all_blocks);
  if (plan.rational) {
    const int64_t tiles = plan.tiles * t.groups;
    t.range = ranges_.at_least(tiles * t.externals);
    SUITE_GPU_LAUNCH(find_ranges, blocks_for(tiles * t.externals, small_block), small_block, 0, stream, order,
                     low_.data() + t.first_group * plan.tiles, tiles, plan.mixed, ranges_.data());
    for (t.energy = 0; t.energy < t.nw; t.energy += 3) {
      const int energies = std::min(3, t.nw - t.energy);
      sum_masked(stream, t, call.is_real(), energies, grid);
      sum_occupied(stream, t, call.is_real(), energies, grid);
    }
    Tiles smooth = t;
    if (plan.mixed) {
      char* const in_single = in_double + packed * call.parts() * 8;
      pack(float{}, in_single);
      smooth.aqsm = in_single;
      smooth.aqsn = single_.data();
    }
    for (smooth.energy = 0; smooth.energy < t.nw; smooth.energy += 3)
      (plan.mixed ? sum_smooth_mixed : sum_smooth_double)(stream, smooth, call.is_real(), std::min(3, t.nw - smooth.energy), grid);
    add_slots(stream, t.slots, blocks, first, sums, totals + static_cast<int64_t>(t.first_external) * t.nw * quantities);
  }
  if (plan.with_static) {
    sum_bilinear(stream, t, call.is_real(), grid);
    add_slots(stream, t.static_slots, blocks, first, 2 * int64_t{t.externals},
              totals + call.nex() * call.nw() * quantities + 2 * int64_t{t.first_external});
  }
}

void Best::run(const Sigma& call, const Columns& columns, bool rational, bool mixed) {
  const Plan p = plan(call, columns, rational, mixed);
  if (!p.rational && !p.with_static) return;
  const int64_t energies = call.nex() * call.nw(), sums = energies * quantities;
  double* const totals = totals_.at_least(sums + 2 * call.nex());
  // Without any column the sums are zero.
  if (columns.count == 0) queue_.set_zero(totals, static_cast<size_t>(sums + 2 * call.nex()) * sizeof(double));

  Tiles t{};
  t.ncouls = call.ncouls();
  t.ntband = static_cast<int>(call.ntband());
  t.nw = static_cast<int>(call.nw());
  t.row_blocks = static_cast<int>(p.row_blocks);
  t.columns = group_;
  t.slices = static_cast<int>(p.slices);
  t.wtilde = poles_of(call).w;
  t.I = poles_of(call).I;
  t.vcoul = call.vcoul.data();
  t.igp = columns.igp;
  t.g = columns.g;
  t.gamma = call.gamma;
  t.sexcut = call.sexcut;
  for (int64_t external = 0; external < call.nex() && columns.count > 0; external += p.pass_externals) {
    t.first_external = static_cast<int>(external);
    t.externals = static_cast<int>(std::min(p.pass_externals, call.nex() - external));
    const Order order = sort(call, t);
    const int64_t numbers = t.externals * call.ntband() * call.ncouls() * call.parts();
    t.aqsn = numbers_of(call.aqsntemp) + external * call.ntband() * call.ncouls() * call.parts();
    if (p.mixed)
      SUITE_GPU_LAUNCH(to_single, blocks_for(numbers, small_block), small_block, 0, queue_.stream(), static_cast<const double*>(t.aqsn),
                       single_.at_least(numbers), numbers);
    for (int64_t group = 0; group < p.groups; group += p.pass_groups) {
      t.first_group = static_cast<int>(group);
      t.groups = static_cast<int>(std::min(p.pass_groups, p.groups - group));
      pass(call, p, order, t, group == 0);
    }
  }
  if (p.rational)
    SUITE_GPU_LAUNCH(write_sums, blocks_for(energies, small_block), small_block, 0, queue_.stream(), totals, energies,
                     complex_of(call.asxtemp), complex_of(call.achtemp));
  if (p.with_static)
    SUITE_GPU_LAUNCH(write_static, blocks_for(call.nex(), small_block), small_block, 0, queue_.stream(), totals + sums, call.nex(),
                     complex_of(call.achstemp));
}

}  // namespace suite::gpp
