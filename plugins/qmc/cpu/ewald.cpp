// SPDX-License-Identifier: BSD-3-Clause
// qmc.ewald: best by coulomb.hpp; structure_factor the same sum over G beside a plain loop over pairs; the
// source document's loops over pairs in ewald_pairs.hpp. With the caller's structure factor a move of one
// particle takes one row of pairs and one sum over G (by_rows).
#include <numeric>

#include "../parameters.hpp"
#include "coulomb.hpp"
#include "ewald_pairs.hpp"
#include "p_term.hpp"

namespace suite::qmc {
namespace {

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {parameter::ewald_variant, threads_parameter};
  Cpu(const suite_backend*, suite_queue*, const int64_t* p) : variant_(static_cast<SumStep>(p[0])), threads_(p[1]) {}

  void prepare(const suite_array* arguments) {
    const Ewald c(arguments);
    const int64_t netot = c.charge.extent(0);
    charge_.assign(static_cast<size_t>(padded(netot)), 0.0);
    std::copy_n(c.charge.data(), netot, charge_.begin());
    all_charge_ = std::accumulate(charge_.begin(), charge_.end(), 0.0);
    const int64_t npos = c.ie.is_set() && c.rnew ? c.rnew.extent(1) : 0;
    const auto same_constants = [&] { return constants_.same(c.cell, c.ewald_alpha, c.ewald_tolerance, c.charge, c.gvec); };
    if (same_constants() && npos == npos_) return;
    constants_.forget();
    npos_ = npos;
    lattice_ = lattice_of(c.cell.data());
    const double tolerance = ewald_tolerance_of(c.ewald_tolerance);
    const auto by_alpha = [&](double alpha_L) { return ewald_sums(lattice_, ewald_alpha_of(c.ewald_alpha, lattice_, alpha_L), tolerance); };
    const bool listed = bool(c.gvec);
    if (listed) coulomb_ = Coulomb(lattice_, ewald_sums_of_list(lattice_, c.ewald_alpha, tolerance, c.gvec.data(), c.gvec.extent(1)));
    // Over pairs both sums take about as long where the program that the document is about has it.
    if (over_pairs()) coulomb_ = Coulomb(lattice_, by_alpha(2.8));
    else if (!listed) coulomb_ = Coulomb(lattice_, by_alpha(fastest_alpha(lattice_, netot, tolerance, npos)));
    rows_ = listed ? WaveRows(coulomb_.waves(), coulomb_.sums().weight.data()) : WaveRows();
    if (listed) coulomb_.prepare_own(lattice_, tolerance);
    same_constants();
  }

  void execute(const suite_array* arguments) {
    const Ewald c(arguments);
    moved_ = check_ewald(c);
    netot_ = c.netot();
    nwalker_ = c.nwalker();
    gather(c);
    if (over_pairs()) return by_pairs(c);
    by_kind(lattice_.images.kind, [&](auto kind) {
      if (c.total) totals<kind()>(c);
      if (c.rhok && moved_.one && !c.field && netot_ > 1 && rows_.worth()) by_rows<kind()>(c);
      else if (c.energy || c.field) each_position<kind()>(c);
    });
  }

private:
  bool over_pairs() const { return variant_ == SumStep::pair || variant_ == SumStep::split_loops; }
  // The short-range sum of particle i at a position; in the variant structure_factor as the source document
  // has it.
  template <LatticeKind kind, bool field>
  Coulomb::Row row(const Ewald& c, int64_t w, const double* position, const double* at, int64_t i) const {
    Coulomb::Row sums;
    if (variant_ == SumStep::best) {
      if constexpr (field) return coulomb_.field_row<kind>(cloud(w), charge_.data(), at, i);
      sums.value = coulomb_.row<kind>(cloud(w), charge_.data(), at, 0, i);
      return sums;
    }
    for (int64_t j = 0; j < netot_; ++j) {
      if (j == i) continue;
      const double q = charge_[static_cast<size_t>(j)];
      sums.value += q * short_range_pair(lattice_, coulomb_.sums(), rele(c, w) + 3 * j, position, field ? sums.field : nullptr, q);
    }
    return sums;
  }
  // What the caller has for a walker; null where it is to be made.
  const double* given(const Ewald& c, int64_t w) const {
    return c.rhok ? numbers<double>(c.rhok) + 2 * coulomb_.waves().count() * w : nullptr;
  }
  const double* rele(const Ewald& c, int64_t w) const { return c.rele.data() + 3 * netot_ * w; }
  const double* position(const Ewald& c, int64_t item) const { return (moved_.one ? c.rnew : c.rele).data() + 3 * item; }
  Cloud cloud(int64_t w) const {
    const Electrons all{netot_, netot_, 1};
    return Cloud::in(clouds_.data() + Cloud::size(all) * w, all);
  }
  void gather(const Ewald& c) {
    const Electrons all{netot_, netot_, 1};
    const Frame frame(lattice_.images);
    clouds_.at_least(Cloud::size(all) * nwalker_);
    share(useful_threads(threads_, nwalker_, 5 * real(netot_)), nwalker_, [&](int64_t begin, int64_t end, int) {
      for (int64_t w = begin; w < end; ++w) cloud(w).fill_from(frame, rele(c, w));
    });
  }

  // The energy of the cell: rows of pairs in chunks, then the rest, added up in one order on any number of
  // threads.
  template <LatticeKind kind> void totals(const Ewald& c) {
    constexpr int64_t chunk = 32;
    const int64_t chunks = (netot_ + chunk - 1) / chunk, items = chunks + 1;
    double* const parts = parts_.at_least(items * nwalker_);
    const int team = useful_threads(threads_, nwalker_ * items, time_of(netot_) / real(items));
    scratch_.reserve(team, coulomb_.reciprocal_size(netot_));
    each(team, nwalker_ * items, [&](int64_t item, int thread) {
      const int64_t w = item / items, i = item % items;  // the long one first
      if (i == 0) {
        parts[item] = given(c, w) ? coulomb_.reciprocal(given(c, w), charge_.data(), netot_)
                                  : coulomb_.reciprocal(rele(c, w), charge_.data(), netot_, scratch_.of(thread));
      } else {
        const int64_t begin = (i - 1) * chunk, end = std::min(begin + chunk, netot_);
        parts[item] = variant_ == SumStep::structure_factor ? plain_rows(c, w, begin, end)
                                                            : coulomb_.short_range_rows<kind>(cloud(w), charge_.data(), begin, end);
      }
    });
    for (int64_t w = 0; w < nwalker_; ++w) {
      double total = coulomb_.constants(charge_.data(), netot_);
      for (int64_t i = 0; i < items; ++i) total += parts[items * w + i];
      c.total(w) = total;
    }
  }
  double time_of(int64_t n) const { return real(n) * (1.2 * real(n) + 0.12 * real(coulomb_.waves().count())); }
  double plain_rows(const Ewald& c, int64_t w, int64_t begin, int64_t end) const {
    double total = 0;
    for (int64_t i = begin; i < end; ++i)
      for (int64_t j = i + 1; j < netot_; ++j)
        total += charge_[static_cast<size_t>(i)] * charge_[static_cast<size_t>(j)] *
                 short_range_pair(lattice_, coulomb_.sums(), rele(c, w) + 3 * i, rele(c, w) + 3 * j, nullptr);
    return total;
  }

  // Energies and fields where the particles are, or where one of them would go.
  template <LatticeKind kind> void each_position(const Ewald& c) {
    const WaveList& waves = coulomb_.waves();
    const int64_t G = 2 * waves.count(), blocks = padded(moved_.npos) / lanes;
    double* const seen = seen_.at_least(G * nwalker_);
    const int team = useful_threads(threads_, nwalker_ * blocks, 10 * real(netot_ + waves.count()));
    scratch_.reserve(team, std::max(coulomb_.reciprocal_size(netot_), 2 * waves.width() + waves.one_size() + waves.many_size()));
    share(team, nwalker_, [&](int64_t begin, int64_t end, int thread) {
      for (int64_t w = begin; w < end; ++w) see(c, w, seen + G * w, scratch_.of(thread));
    });
    share(team, nwalker_ * blocks, [&](int64_t begin, int64_t end, int thread) {
      for (int64_t block = begin; block < end; ++block) {
        const int64_t w = block / blocks, first = moved_.npos * w + block % blocks * lanes,
                      some = std::min<int64_t>(lanes, moved_.npos * (w + 1) - first);
        double* const tables = scratch_.of(thread);
        tabulate_positions(waves, position(c, first), some, tables);
        const bool field = bool(c.field);
        const WaveList::Transform t = field ? waves.transform<true>(tables, seen + G * w) : waves.transform<false>(tables, seen + G * w);
        for (int64_t l = 0; l < some; ++l) put<kind>(c, w, first + l, static_cast<int>(l), t);
      }
    });
  }

  // Energies of one particle at rnew from the caller's structure factor, which has its part at rele.
  template <LatticeKind kind> void by_rows(const Ewald& c) {
    const EwaldSums& sums = coulomb_.sums();
    const Frame frame(lattice_.images);
    const int64_t which = moved_.which, items = nwalker_ * moved_.npos;
    const double q = charge_[static_cast<size_t>(which)];
    const double others = all_charge_ - q;
    const int team = useful_threads(threads_, items, 3 * real(netot_) + 0.3 * real(coulomb_.waves().count()));
    scratch_.reserve(team, std::max(rows_.table_size(), coulomb_.own_size()));
    share(team, items, [&](int64_t begin, int64_t end, int thread) {
      for (int64_t item = begin; item < end; ++item) {
        const int64_t w = item / moved_.npos;
        const double *const to = position(c, item), *const from = rele(c, w) + 3 * which;
        double at[3], *const tables = scratch_.of(thread);
        frame.into(to, at);
        const double d[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
        double v = row<kind, false>(c, w, to, at, which).value;
        rows_.tabulate(to, tables);
        v += rows_.sum(tables, given(c, w));
        v -= q * coulomb_.own(lattice_, d, tables);
        c.energy.data()[item] = q * (v - sums.background * others + q * sums.xi);
      }
    });
  }

  // w rho_G without the particle that moves.
  void see(const Ewald& c, int64_t w, double* seen, double* scratch) const {
    const WaveList& waves = coulomb_.waves();
    if (netot_ == 1) {  // no others: exactly nothing
      std::fill_n(seen, 2 * waves.count(), 0.0);
      return;
    }
    if (const double* const rho = given(c, w)) std::copy_n(rho, 2 * waves.count(), seen);
    else waves.structure_factor(rele(c, w), charge_.data(), netot_, seen, scratch);
    if (moved_.one) {
      const double q = charge_[static_cast<size_t>(moved_.which)];
      waves.at_position(rele(c, w) + 3 * moved_.which, scratch, scratch + waves.width(), scratch + 2 * waves.width());
      for (int64_t g = 0; g < waves.count(); ++g) {
        seen[2 * g] -= q * scratch[g];
        seen[2 * g + 1] -= q * scratch[waves.width() + g];
      }
    }
    for (int64_t g = 0; g < waves.count(); ++g) {
      seen[2 * g] *= coulomb_.sums().weight[static_cast<size_t>(g)];
      seen[2 * g + 1] *= coulomb_.sums().weight[static_cast<size_t>(g)];
    }
  }

  template <LatticeKind kind> void put(const Ewald& c, int64_t w, int64_t item, int lane, const WaveList::Transform& t) const {
    const EwaldSums& sums = coulomb_.sums();
    const int64_t i = moved_.electron(item - moved_.npos * w);
    const double q = charge_[static_cast<size_t>(i)];
    const Frame frame(lattice_.images);
    double at[3], own = 0;
    frame.into(position(c, item), at);
    const bool field = bool(c.field);
    const Coulomb::Row near = field ? row<kind, true>(c, w, position(c, item), at, i) : row<kind, false>(c, w, position(c, item), at, i);
    // Where the particle is, rho_G has its own part.
    if (!moved_.one && netot_ > 1)
      for (const double weight : sums.weight) own += weight * q;
    if (double* const energy = c.energy.data())
      energy[item] = q * (near.value + t.value[lane] - own - sums.background * (all_charge_ - q) + q * sums.xi);
    for (int d = 0; field && d < 3; ++d) c.field.data()[3 * item + d] = near.field[d] + t.odd[d][lane];
  }

  void by_pairs(const Ewald& c) {
    const EwaldPairs pairs(lattice_, coulomb_.sums(), coulomb_.waves(), charge_.data(), netot_);
    const bool split = variant_ == SumStep::split_loops;
    const int team = useful_threads(threads_, nwalker_, real(netot_) * real(netot_) * 500);
    scratch_.reserve(team, split ? pairs.split_size() : pairs.private_size());
    each(team, nwalker_, [&](int64_t w, int thread) {
      double* const memory = scratch_.of(thread);
      if (split) pairs.tabulate_all(rele(c, w), memory);
      if (double* const total = c.total.data()) {
        double sum = 0;
        for (int64_t i = 0; i < netot_; ++i)
          sum += charge_[static_cast<size_t>(i)] * (split ? pairs.with_tables(rele(c, w), rele(c, w) + 3 * i, i, i, nullptr, memory)
                                                          : pairs.one_loop(rele(c, w), rele(c, w) + 3 * i, i, i, nullptr, memory));
        double squares = 0;
        for (const double q : charge_) squares += q * q;
        total[w] = sum + coulomb_.sums().xi * squares / 2;
      }
      double *const energy = c.energy.data(), *const field = c.field.data();
      if (!energy && !field) return;
      for (int64_t item = moved_.npos * w; item < moved_.npos * (w + 1); ++item) {
        const int64_t i = moved_.electron(item - moved_.npos * w);
        const double q = charge_[static_cast<size_t>(i)];
        double force[3] = {0, 0, 0};
        const double v = split ? pairs.with_tables(rele(c, w), position(c, item), i, netot_, force, memory)
                               : pairs.one_loop(rele(c, w), position(c, item), i, netot_, force, memory);
        if (energy) energy[item] = q * (v + q * coulomb_.sums().xi);
        if (field) std::copy_n(force, 3, field + 3 * item);
      }
    });
  }

  SumStep variant_;
  int64_t threads_, netot_ = 0, nwalker_ = 0, npos_ = 0;
  Lattice lattice_;
  Coulomb coulomb_;
  WaveRows rows_;  // of the caller's list
  Constants constants_;
  Moved moved_;
  std::vector<double> charge_;  // padded
  double all_charge_ = 0;       // their sum
  cpu::Buffer<double> clouds_{"qmc.ewald"}, parts_{"qmc.ewald"}, seen_{"qmc.ewald"};
  Scratch scratch_;
};

}  // namespace

extern const suite_kernel_table ewald_table;
constexpr suite_kernel_table ewald_table = kernel_table<Ewald, Cpu>("cpu", "cpu");

}  // namespace suite::qmc
