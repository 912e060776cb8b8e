// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma for real w >= 0: the blocking around tile.hpp. One parallel region; the partition depends on the
// sizes alone and every task has its own sums, added in the order of the tasks, so that any number of threads
// gives the same bits.
//
// M is packed, by panels of at most panel_bytes, into the order in which the loops stream it: by blocks of
// rows G, and in a block by vectors of bands, so that what one vector of bands needs of a block (block_bytes)
// stays in L1 while the columns G' of a task go by. A task first takes the modes of its block and columns
// apart (modes.hpp); their lists stay in L2 over all bands. At many energies the sums may be moments (moments.hpp).
#include <omp.h>

#include <array>
#include <string_view>

#include "../bands.hpp"
#include "modes.hpp"
#include "moments.hpp"
#include "sums.hpp"
#include "tile.hpp"

namespace suite::gpp {
namespace {

// Tasks of a panel: some 0.1 ms each, where that leaves enough of them.
constexpr int64_t least_tasks = 4, most_tasks = 32, task_triples = int64_t{1} << 19;
constexpr int64_t least_task_columns = 8, most_task_columns = 32;
// Vectors of bands that share what is read of a mode, and its division, where there are registers for it.
constexpr int64_t most_at_a_time = lanes >= 4 ? 2 : 1;
constexpr int64_t vectors_at_a_time(bool real, int64_t nw) { return lanes == 8 || (real && nw <= 2) ? most_at_a_time : 1; }

constexpr int64_t mode_numbers = sizeof(Mode) / sizeof(double);

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

struct Plan {
  const Sigma& call;
  std::vector<WeightedColumn> owned;
  BandOrder bands;
  int64_t parts;
  int64_t block_rows, blocks;           // rows G of a block, blocks in all
  int64_t panel_blocks, panel_columns;  // of one panel
  int64_t task_columns;
  bool shared;   // the packed rows hold the columns too
  bool by_band;  // what is wanted has results of single bands
  Interpolation interpolation;
  bool interpolated = false;

  const double* edges() const { return interpolated ? interpolation.edges() : bands.edges.data(); }
  int used_bins() const { return interpolated ? bins : bands.used; }
  // Doubles of one row or column and vector of bands, and of one block.
  int64_t row_size() const { return parts * lanes; }
  int64_t block_size() const { return block_rows * row_size() * bands.vectors; }
  // Vectors of bands that the loops take at a time.
  int64_t together() const { return interpolated ? 1 : vectors_at_a_time(call.is_real(), call.nw()); }
  int64_t tasks() const { return panel_blocks * ceil_div(panel_columns, task_columns); }
  // Vectors that one vector of bands sums into: CH and SX per energy, infinite modes, static CH.
  int64_t vector_sums() const { return 4 * call.nw() + 4; }
  // Those of CH and static CH: of a band or of an external band.
  int64_t terms() const { return by_band ? bands.vectors * lanes : call.nex(); }
  int64_t sx_sums() const { return terms() * call.nw() * 2; }
  int64_t static_sums() const { return sx_sums() + call.nex() * call.nw() * 2; }
  int64_t sums() const { return static_sums() + terms() * 2; }
};

Plan make_plan(const Sigma& call, int64_t panel_bytes, int64_t block_bytes, const PoleBins<bins>* pole_bins) {
  Plan plan{call, weighted_columns(call), order_bands(call, lanes, bins), call.parts(), 0, 0, 0, 0, 0, false, call.by_band(), {}};
  plan.interpolated = pole_bins != nullptr;
  if (plan.interpolated) plan.interpolation.make(call, plan.bands, *pole_bins);
  const int64_t row_bytes = plan.row_size() * plan.bands.vectors * 8;
  const int64_t most_rows =
      std::max<int64_t>(std::min(block_bytes / (plan.row_size() * 8 * plan.together()), 4 * panel_bytes / row_bytes), 1);
  plan.blocks = ceil_div(call.ncouls(), most_rows);
  plan.block_rows = ceil_div(call.ncouls(), plan.blocks);
  plan.panel_blocks = std::clamp<int64_t>(panel_bytes / (row_bytes * plan.block_rows), 1, plan.blocks);
  plan.panel_columns = std::clamp<int64_t>(8 * panel_bytes / row_bytes, 1, std::max<int64_t>(std::ssize(plan.owned), 1));
  plan.shared = numbers_of(call.aqsmtemp) == numbers_of(call.aqsntemp) && plan.panel_blocks == plan.blocks;
  const int64_t triples = std::min(plan.panel_blocks * plan.block_rows, call.ncouls()) * plan.panel_columns * call.ntband() * call.nex();
  const int64_t wanted = std::clamp(triples / task_triples, least_tasks, most_tasks);
  const int64_t across = ceil_div(wanted, plan.panel_blocks);
  plan.task_columns = std::clamp(plan.panel_columns / across, least_task_columns, most_task_columns);
  return plan;
}

// The arguments of a call for external bands [first, first + count).
using CallArguments = std::array<suite_array, rows<Sigma>.size()>;
CallArguments part_of(const suite_array* arguments, int64_t first, int64_t count) {
  CallArguments part;
  std::copy_n(arguments, part.size(), part.begin());
  for (size_t i = 0; i < part.size(); ++i) {
    const suite_argument& row = rows<Sigma>[i];
    suite_array& a = part[i];
    if (!a.data || std::string_view(row.shape).find("nex") == std::string_view::npos) continue;
    a.extent[row.rank - 1] = first;  // as the last extent, to count what lies before
    int64_t bytes = a.type == SUITE_REAL64 ? sizeof(double) : sizeof(std::complex<double>);
    for (int d = 0; d < row.rank; ++d) bytes *= a.extent[d];
    a.data = static_cast<char*>(a.data) + bytes;
    a.extent[row.rank - 1] = count;
  }
  return part;
}

// `count` doubles from each lane's `from` to [count][lanes].
void pack(const std::array<const double*, lanes>& from, int64_t count, double* to) {
  int64_t j = 0;
  for (; j + lanes <= count; j += lanes) {
    Vector r[lanes];
    for (int l = 0; l < lanes; ++l) r[l] = load(from[l] + j);
    transpose(r);
    for (int i = 0; i < lanes; ++i) store(to + (j + i) * lanes, r[i]);
  }
  for (; j < count; ++j)
    for (int l = 0; l < lanes; ++l) to[j * lanes + l] = from[l][j];
}

// M(g, ..., g + count - 1) of one vector of bands. Lanes without a band read `zeros`.
void pack_bands(const Plan& plan, const double* m, int64_t vector, int64_t g, int64_t count, const double* zeros, double* to) {
  std::array<const double*, lanes> from;
  for (int l = 0; l < lanes; ++l) {
    const Band& band = plan.bands.band[vector * lanes + l];
    from[l] = band.e < 0 ? zeros : m + ((band.e * plan.call.ntband() + band.n1) * plan.call.ncouls() + g) * plan.parts;
  }
  pack(from, count * plan.parts, to);
}

void pack_rows(const Plan& plan, int64_t block, int64_t vector, const double* zeros, double* to) {
  const int64_t g = block * plan.block_rows, count = std::min(plan.block_rows, plan.call.ncouls() - g);
  pack_bands(plan, numbers_of(plan.call.aqsntemp), vector, g, count, zeros, to);
}

// Columns that follow each other are packed together.
void pack_columns(const Plan& plan, int64_t first, int64_t count, int64_t vector, const double* zeros, double* to) {
  const WeightedColumn* const column = plan.owned.data() + first;
  for (int64_t c = 0, next; c < count; c = next) {
    for (next = c + 1; next < count && next - c < plan.block_rows && column[next].g == column[next - 1].g + 1;) ++next;
    pack_bands(plan, numbers_of(plan.call.aqsmtemp), vector, column[c].g, next - c, zeros, to + c * plan.row_size());
  }
}

struct Panel {
  int64_t block, blocks, column, columns;  // first and number
  const double *rows, *packed_columns;
};

// Where the packed M of one column is, for the first vector of bands.
int64_t column_at(const Plan& plan, const Panel& panel, int64_t column) {
  if (!plan.shared) return (column - panel.column) * plan.row_size();
  const int64_t g = plan.owned[column].g;
  return g / plan.block_rows * plan.block_size() + g % plan.block_rows * plan.row_size();
}

void take_columns_apart(const Plan& plan, const Panel& panel, int64_t block, int64_t c0, int64_t c1, Modes* modes, Mode* lists,
                        double* basis) {
  const Sigma& call = plan.call;
  const auto [w, I] = poles_of(call);
  const int64_t ig = block * plan.block_rows, rows = std::min(plan.block_rows, call.ncouls() - ig);
  double* const scratch = reinterpret_cast<double*>(lists);
  Mode* to = lists + ceil_div(apart_size(plan.block_rows), mode_numbers);
  for (int64_t c = c0; c < c1; ++c) {
    const int64_t at = plan.owned[c].igp * call.ncouls() + ig, next = plan.owned[std::min(c + 1, c1 - 1)].igp * call.ncouls() + ig;
    const ModeSource from{w + 2 * at,   I + plan.parts * at, rows,         plan.row_size(),      plan.owned[c].v, call.with_static(),
                          plan.edges(), plan.used_bins(),    w + 2 * next, I + plan.parts * next};
    Modes& these = modes[c - c0];
    these = call.is_real() ? take_apart<true>(from, to, scratch) : take_apart<false>(from, to, scratch);
    these.g = column_at(plan, panel, c);
    to += these.all;
    if (!plan.interpolated) continue;
    double* const own = basis + (c - c0) * plan.block_rows * moments;
    call.with_static() ? fill_basis<true>(these, plan.interpolation, own) : fill_basis<false>(these, plan.interpolation, own);
  }
}

template <int Energies, bool Real, bool Static, int Vectors> void sum_columns(bool close, bool occupied, const Work& work) {
  using L = Loops<Energies, Real, Static, Vectors>;
  if constexpr (Energies > 1)
    if (close) return occupied ? L::template columns<true, true>(work) : L::template columns<true, false>(work);
  occupied ? L::template columns<false, true>(work) : L::template columns<false, false>(work);
}

template <bool Real, bool Static, int Vectors> void sum_columns(int64_t energies, bool close, bool occupied, const Work& work) {
  switch (energies) {
    case 1: return sum_columns<1, Real, Static, Vectors>(close, occupied, work);
    case 2: return sum_columns<2, Real, Static, Vectors>(close, occupied, work);
    default: return sum_columns<3, Real, Static, Vectors>(close, occupied, work);
  }
}

template <int Vectors> void sum_columns(const Sigma& call, int64_t energies, bool close, bool occupied, const Work& work) {
  if (call.is_real())
    call.with_static() ? sum_columns<true, true, Vectors>(energies, close, occupied, work)
                       : sum_columns<true, false, Vectors>(energies, close, occupied, work);
  else if constexpr (Vectors <= vectors_at_a_time(false, 1))
    call.with_static() ? sum_columns<false, true, Vectors>(energies, close, occupied, work)
                       : sum_columns<false, false, Vectors>(energies, close, occupied, work);
}

// The work of some vectors of bands, but for what depends on the energies.
Work work_of(const Plan& plan, const Panel& panel, int64_t block, int64_t vector, const Modes* modes, int64_t count, Vector* sums) {
  const Sigma& call = plan.call;
  const int64_t rows = plan.block_rows * plan.row_size();
  Work work{};
  work.rows = panel.rows + (block - panel.block) * plan.block_size() + vector * rows;
  work.rows_stride = rows;
  work.columns_stride = plan.shared ? rows : plan.panel_columns * plan.row_size();
  work.columns = (plan.shared ? panel.rows : panel.packed_columns) + vector * work.columns_stride;
  work.modes = modes;
  work.end = modes + count;
  work.is_occupied = plan.bands.is_occupied.data() + vector * lanes;
  work.gamma = call.gamma;
  work.sexcut = call.sexcut;
  work.infinite = sums + 4 * call.nw();
  work.still = work.infinite + 2;
  work.sums_stride = plan.vector_sums();
  return work;
}

// Up to three energies from iw on of some vectors of bands.
void set_energies(const Plan& plan, int64_t vector, int64_t vectors, int64_t iw, Vector* sums, Work& work) {
  const BandOrder& bands = plan.bands;
  const int64_t energies = std::min<int64_t>(3, plan.call.nw() - iw);
  const auto negative = bands.negative.begin() + iw / 3 * bands.vectors + vector;
  work.x = bands.x.data() + bands.x_at(vector, iw, energies);
  work.c = bands.c.data() + bands.x_at(vector, iw, energies);
  work.cut = std::find(negative, negative + vectors, true) != negative + vectors;
  work.first = iw == 0;
  work.ch = sums + 2 * iw;
  work.sx = sums + 2 * (plan.call.nw() + iw);
}

void sum_bands(const Plan& plan, const Panel& panel, int64_t block, int64_t vector, int64_t vectors, const Modes* modes, int64_t count,
               Vector* sums) {
  const Sigma& call = plan.call;
  const BandOrder& bands = plan.bands;
  Work work = work_of(plan, panel, block, vector, modes, count, sums);
  work.above = bands.above(vector, vectors);
  work.below = bands.below(vector, vectors);
  for (int64_t iw = 0; iw < call.nw(); iw += 3) {
    set_energies(plan, vector, vectors, iw, sums, work);
    const int64_t energies = std::min<int64_t>(3, call.nw() - iw);
    const bool close = bands.close[iw / 3], occupied = vector < bands.occupied;
    if (vectors == 1) sum_columns<1>(call, energies, close, occupied, work);
    else sum_columns<most_at_a_time>(call, energies, close, occupied, work);
  }
}

template <int Energies, bool Real, bool Static> void sum_near(bool occupied, Interpolation::Near near, const Work& work) {
  using L = Loops<Energies, Real, Static, 1>;
  occupied ? L::template near_columns<true>(work, near.first, near.end) : L::template near_columns<false>(work, near.first, near.end);
}

// One vector of bands by moments of the modes, and exactly where its energies come near to their bins.
template <bool Real, bool Static> void sum_moments(const Plan& plan, Work& work, int64_t vector, const double* basis, Vector* sums) {
  const int64_t nw = plan.call.nw();
  const bool occupied = vector < plan.bands.occupied;
  typename Moments<Real, Static>::Sums all = {};
  Moments<Real, Static>::columns(work, basis, plan.block_rows * moments, all);
  Moments<Real, Static>::energies(plan.interpolation.of(vector), nw, occupied, all, sums, sums + 2 * nw);
  for (int64_t iw = 0; iw < nw; iw += 3) {
    const Interpolation::Near near = plan.interpolation.near(vector, iw / 3);
    if (near.first >= near.end) continue;
    set_energies(plan, vector, 1, iw, sums, work);
    switch (std::min<int64_t>(3, nw - iw)) {
      case 1: sum_near<1, Real, Static>(occupied, near, work); break;
      case 2: sum_near<2, Real, Static>(occupied, near, work); break;
      default: sum_near<3, Real, Static>(occupied, near, work);
    }
  }
}

void interpolate_bands(const Plan& plan, const Panel& panel, int64_t block, int64_t vector, const Modes* modes, const double* basis,
                       int64_t count, Vector* sums) {
  Work work = work_of(plan, panel, block, vector, modes, count, sums);
  const Sigma& call = plan.call;
  if (call.is_real())
    call.with_static() ? sum_moments<true, true>(plan, work, vector, basis, sums)
                       : sum_moments<true, false>(plan, work, vector, basis, sums);
  else
    call.with_static() ? sum_moments<false, true>(plan, work, vector, basis, sums)
                       : sum_moments<false, false>(plan, work, vector, basis, sums);
}

// Puts the infinite modes' part to the sums of one vector of bands, and the sums of its lanes to the slot.
void collect(const Plan& plan, int64_t vector, Vector* sums, double* slot) {
  const Sigma& call = plan.call;
  const int64_t nw = call.nw();
  const bool occupied = vector < plan.bands.occupied;
  for (int64_t i = 0; i < 2 * nw; ++i) {
    const int64_t at = (vector * nw + i / 2) * lanes;
    const Vector infinite = sums[4 * nw + i % 2];
    sums[i] += load(plan.bands.ch_limit.data() + at) * infinite;
    if (occupied) sums[2 * nw + i] += load(plan.bands.sx_limit.data() + at) * infinite;
  }
  for (int l = 0; l < lanes; ++l) {
    const int64_t k = vector * lanes + l;
    const Band& band = plan.bands.band[k];
    if (band.e < 0) continue;
    const int64_t term = plan.by_band ? k : band.e;
    double* const ch = slot + term * nw * 2;
    for (int64_t i = 0; i < 2 * nw; ++i) ch[i] += sums[i][l];
    double* const sx = slot + plan.sx_sums() + band.e * nw * 2;
    if (band.occupation > 0)
      for (int64_t i = 0; i < 2 * nw; ++i) sx[i] += band.occupation * sums[2 * nw + i][l];
    if (call.with_static())
      for (int64_t i = 0; i < 2; ++i) slot[plan.static_sums() + term * 2 + i] += sums[4 * nw + 2 + i][l];
  }
}

// The memory of one thread.
struct Own {
  Vector* sums;
  Mode* lists;
  double* basis;
  std::array<Modes, most_task_columns> modes;
};

void run_task(const Plan& plan, const Panel& panel, int64_t task, Own& own, double* slot) {
  const int64_t block = panel.block + task % plan.panel_blocks;
  const int64_t c0 = panel.column + task / plan.panel_blocks * plan.task_columns,
                c1 = std::min(c0 + plan.task_columns, panel.column + panel.columns);
  if (block >= panel.block + panel.blocks || c0 >= c1) return;
  take_columns_apart(plan, panel, block, c0, c1, own.modes.data(), own.lists, own.basis);
  const BandOrder& bands = plan.bands;
  for (int64_t vector = 0, vectors; vector < bands.vectors; vector += vectors) {
    const int64_t left = (vector < bands.all_occupied ? bands.all_occupied
                          : vector < bands.occupied   ? bands.occupied
                                                      : bands.vectors) -
                         vector;
    vectors = left < plan.together() ? 1 : plan.together();
    std::fill_n(own.sums, vectors * plan.vector_sums(), Vector{});
    if (plan.interpolated) interpolate_bands(plan, panel, block, vector, own.modes.data(), own.basis, c1 - c0, own.sums);
    else sum_bands(plan, panel, block, vector, vectors, own.modes.data(), c1 - c0, own.sums);
    for (int64_t v = 0; v < vectors; ++v) collect(plan, vector + v, own.sums + v * plan.vector_sums(), slot);
  }
}

void write_results(const Plan& plan, const double* total, bool totals) {
  const Sigma& call = plan.call;
  std::vector<std::complex<double>> ch(static_cast<size_t>(call.nex() * call.nw())), still(static_cast<size_t>(call.nex()));
  for (int64_t k = 0; k < plan.terms(); ++k) {
    const Band band = plan.by_band ? plan.bands.band[k] : Band{k};
    if (band.e < 0) continue;
    for (int64_t iw = 0; iw < call.nw(); ++iw) {
      const double* from = total + (k * call.nw() + iw) * 2;
      const std::complex<double> value{0.5 * from[0], 0.5 * from[1]};
      ch[band.e * call.nw() + iw] += value;
      if (call.acht_n1) call.acht_n1(iw, band.n1, band.e) = value;
      if (call.acht_n1_iw && iw == call.energy_n1()) call.acht_n1_iw(band.n1, band.e) = value;
    }
    const double* from = total + plan.static_sums() + k * 2;
    const std::complex<double> value{-0.5 * from[0], -0.5 * from[1]};
    still[static_cast<size_t>(band.e)] += value;
    if (call.achst_n1) call.achst_n1(band.n1, band.e) = value;
  }
  if (!totals) return;
  std::copy(ch.begin(), ch.end(), call.achtemp.data());
  const double* sx = total + plan.sx_sums();
  for (int64_t i = 0; i < call.nex() * call.nw(); ++i) call.asxtemp.data()[i] = {-sx[2 * i], -sx[2 * i + 1]};
  if (call.achstemp) std::copy(still.begin(), still.end(), call.achstemp.data());
}

}  // namespace

// As many external bands at a time as leave a block of rows within four panels: they share the modes taken
// apart.
void FastSums::run(const suite_array* arguments, int threads, bool totals, const PoleBins<bins>* pole_bins) {
  const Sigma call(arguments);
  if (call.nw() < fewest_energies) pole_bins = nullptr;
  const int64_t bytes = call.ntband() * block_bytes_ / (lanes * vectors_at_a_time(call.is_real(), call.nw()));
  const int64_t together = std::max<int64_t>(4 * panel_bytes_ / bytes, 1);
  if (together >= call.nex()) return run_together(call, threads, totals, pole_bins);
  for (int64_t e = 0; e < call.nex(); e += together) {
    const CallArguments part = part_of(arguments, e, std::min(together, call.nex() - e));
    run_together(Sigma(part.data()), threads, totals, pole_bins);
  }
}

void FastSums::run_together(const Sigma& call, int threads, bool totals, const PoleBins<bins>* pole_bins) {
  Plan plan = make_plan(call, panel_bytes_, block_bytes_, pole_bins);
  const int64_t vectors = plan.bands.vectors, row_size = plan.row_size();
  const int64_t list_size = (ceil_div(apart_size(plan.block_rows), mode_numbers) + plan.task_columns * plan.block_rows) * mode_numbers;
  double* const rows = rows_.at_least(plan.panel_blocks * plan.block_size());
  double* const packed_columns = columns_.at_least(plan.shared ? 1 : plan.panel_columns * row_size * vectors);
  double* const sums = sums_.at_least(threads * most_at_a_time * plan.vector_sums() * lanes);
  double* const lists = modes_.at_least(threads * list_size);
  const int64_t basis_size = plan.interpolated ? plan.task_columns * plan.block_rows * moments : 0;
  double* const basis = basis_.at_least(std::max<int64_t>(threads * basis_size, 1));
  double* const slots = slots_.at_least(plan.tasks() * plan.sums());
  std::fill_n(slots, plan.tasks() * plan.sums(), 0.0);
  const std::vector<double> zeros(static_cast<size_t>(plan.block_rows * plan.parts));
  const std::int64_t columns = std::ssize(plan.owned);

#pragma omp parallel num_threads(threads)
  {
    const int64_t thread = omp_get_thread_num();
    Own own{reinterpret_cast<Vector*>(sums + thread * most_at_a_time * plan.vector_sums() * lanes),
            reinterpret_cast<Mode*>(lists + thread * list_size),
            basis + thread * basis_size,
            {}};
    if (plan.interpolated) {
#pragma omp for schedule(static)
      for (int64_t v = 0; v < vectors; ++v) plan.interpolation.fill_in(call, plan.bands, v);
    }
    for (int64_t column = 0; column < columns; column += plan.panel_columns) {
      const int64_t some = std::min(plan.panel_columns, columns - column);
      if (!plan.shared) {
#pragma omp for schedule(static)
        for (int64_t v = 0; v < vectors; ++v)
          pack_columns(plan, column, some, v, zeros.data(), packed_columns + v * plan.panel_columns * row_size);
      }
      for (int64_t block = 0; block < plan.blocks; block += plan.panel_blocks) {
        const int64_t blocks = std::min(plan.panel_blocks, plan.blocks - block);
        if (!plan.shared || column == 0) {
#pragma omp for schedule(static)
          for (int64_t i = 0; i < blocks * vectors; ++i)
            pack_rows(plan, block + i / vectors, i % vectors, zeros.data(), rows + i * plan.block_rows * row_size);
        }
        const Panel panel{block, blocks, column, some, rows, packed_columns};
#pragma omp for schedule(dynamic)
        for (int64_t task = 0; task < plan.tasks(); ++task) run_task(plan, panel, task, own, slots + task * plan.sums());
      }
    }
  }

  std::vector<double> total(static_cast<size_t>(plan.sums()));
  for (int64_t task = 0; task < plan.tasks(); ++task)
    for (int64_t i = 0; i < plan.sums(); ++i) total[i] += slots[task * plan.sums() + i];
  write_results(plan, total.data(), totals);
}

}  // namespace suite::gpp
