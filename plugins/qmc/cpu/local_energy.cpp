// SPDX-License-Identifier: BSD-3-Clause
// qmc.local_energy. With psi = exp(J) D:  lap_i psi/psi = lap_i D/D + 2 grad_i D/D . grad_i J + lap_i J +
// |grad_i J|^2,  and lap_i ln|psi| = lap_i D/D - |grad_i D/D|^2 + lap_i J. A walker's electrons come in
// chunks that threads take; their sums are added in one order.
#include "../parameters.hpp"
#include "coulomb.hpp"
#include "trial.hpp"

namespace suite::qmc {
namespace {

double dot3(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

class Cpu {
  struct Parts {
    double kei = 0, ti = 0, fisq = 0, ewald = 0, jastrow = 0;
  };
  // What the chunks of a walker share.
  struct Walker {
    const double *rele, *dbar[2], *seen;
    Cloud cloud, charges;
  };

public:
  static constexpr suite_parameter parameters[] = {parameter::form, threads_parameter};
  Cpu(const suite_backend*, suite_queue*, const int64_t* p) : form_(static_cast<Form>(p[0])), threads_(p[1]) {}

  void prepare(const suite_array* arguments) {
    const LocalEnergy c(arguments);
    trial_.set(c, form_);
    const int64_t netot = c.netot();
    charge_.assign(static_cast<size_t>(padded(netot)), -1.0);
    std::fill(charge_.begin() + netot, charge_.end(), 0.0);
    const auto same_constants = [&] { return constants_.same(c.cell, c.nele, c.ewald_alpha, c.ewald_tolerance); };
    if (same_constants()) return;
    constants_.forget();
    const double tolerance = ewald_tolerance_of(c.ewald_tolerance);
    const double alpha_L = fastest_alpha(trial_.lattice, netot, tolerance);
    coulomb_ = Coulomb(trial_.lattice, ewald_sums(trial_.lattice, ewald_alpha_of(c.ewald_alpha, trial_.lattice, alpha_L), tolerance));
    same_constants();
  }

  void execute(const suite_array* arguments) {
    const LocalEnergy c(arguments);
    constexpr int64_t chunk = 32;
    electrons_ = electrons_of(c.rele, c.nele.data());
    check_dbar(electrons_, c);
    const int64_t nwalker = electrons_.nwalker, netot = electrons_.netot;
    const int team = useful_threads(threads_, nwalker * ((netot + chunk - 1) / chunk),
                                    real(chunk) * (300 + 3 * real(netot) + 0.12 * real(coulomb_.waves().count())));
    gather(c, team);
    const int64_t chunks = (netot + chunk - 1) / chunk, items = chunks + 1;
    parts_.assign(static_cast<size_t>(items * nwalker), {});
    scratch_.reserve(team, std::max(coulomb_.reciprocal_size(netot), row_size()));
    by_kind(trial_.lattice.images.kind, [&](auto kind) {
      each(team, nwalker * items, [&](int64_t item, int thread) {
        const int64_t w = item / items, i = item % items;  // the long one first
        const Walker walker = walker_of(c, w);
        Parts& parts = parts_[static_cast<size_t>(item)];
        if (i == 0) {
          parts.ewald = coulomb_.reciprocal(walker.rele, charge_.data(), netot, scratch_.of(thread));
        } else {
          const int64_t begin = (i - 1) * chunk, end = std::min(begin + chunk, netot);
          parts.ewald = coulomb_.short_range_rows<kind()>(walker.charges, charge_.data(), begin, end);
          double* const velocity = c.velocity.data();
          for (int64_t e = begin; e < end; ++e)
            add_electron(walker, e, parts, velocity ? velocity + 3 * (netot * w + e) : nullptr, scratch_.of(thread));
        }
      });
    });
    for (int64_t w = 0; w < nwalker; ++w) put(c, w, &parts_[static_cast<size_t>(items * w)], items);
  }

private:
  int64_t seen_size() const { return 4 * trial_.p_width(); }
  // As Arena takes them.
  int64_t cloud_size() const {
    int64_t size = 0;
    for (const int64_t part : {Cloud::size(electrons_), Cloud::size(all_alike()), seen_size()}) size += (part + 7) / 8 * 8;
    return size;
  }
  Electrons all_alike() const { return {electrons_.netot, electrons_.netot, 1}; }
  int64_t row_size() const { return trial_.column_size() + 2 * trial_.k.width() + 4 * trial_.p_width() + trial_.k.one_size() + 64; }

  Walker walker_of(const LocalEnergy& c, int64_t w) const {
    Arena arena(state_.data() + cloud_size() * w);
    const int64_t nup = electrons_.count(0), ndn = electrons_.count(1);
    Walker walker;
    walker.rele = c.rele.data() + 3 * electrons_.netot * w;
    walker.dbar[0] = nup ? c.dbar_up.data() + nup * nup * w : nullptr;
    walker.dbar[1] = ndn ? c.dbar_dn.data() + ndn * ndn * w : nullptr;
    walker.cloud = Cloud::in(arena.take(Cloud::size(electrons_)), electrons_);
    walker.charges = Cloud::in(arena.take(Cloud::size(all_alike())), all_alike());
    walker.seen = arena.take(seen_size());
    return walker;
  }

  void gather(const LocalEnergy& c, int team) {
    state_.at_least((cloud_size() + 24) * electrons_.nwalker);
    if (trial_.has_p) scratch_.reserve(team, trial_.see_size(electrons_));
    each(team, electrons_.nwalker, [&](int64_t w, int thread) {
      const Walker walker = walker_of(c, w);
      walker.cloud.fill_from(trial_.frame, walker.rele);
      walker.charges.fill_from(trial_.frame, walker.rele);
      if (trial_.has_p) trial_.see(electrons_, walker.rele, const_cast<double*>(walker.seen), scratch_.of(thread));
    });
  }

  void add_electron(const Walker& walker, int64_t i, Parts& parts, double* velocity, double* scratch) const {
    const int spin = electrons_.spin(i);
    const int64_t n = electrons_.count(spin), width = trial_.k.width();
    const double* const r = walker.rele + 3 * i;
    Arena arena(scratch);
    double *const column = arena.take(trial_.column_size()), *const k = arena.take(2 * width), *const G = arena.take(2 * trial_.p_width()),
                  *const others = arena.take(2 * trial_.p_width()), *const tables = arena.take(0);
    std::copy_n(walker.dbar[spin] + n * (i - electrons_.first(spin)), n, column);
    std::fill(column + n, column + trial_.column_size(), 0.0);
    trial_.k.powers(r, tables);
    trial_.k.at(tables, k, k + width);
    const RowSums slater = slater_sums<true>(trial_.k, k, k + width, column);
    RowSums jastrow;
    const auto add = [&](const RowSums& term) {
      jastrow.value += term.value;
      jastrow.laplacian += term.laplacian;
      for (int d = 0; d < 3; ++d) jastrow.gradient[d] += term.gradient[d];
    };
    if (trial_.has_u) {
      double at[3];
      walker.cloud.get(i, at);
      add(trial_.row.laplacian(walker.cloud, spin, walker.cloud.place(i), at));
    }
    if (trial_.has_p) {
      trial_.p.waves.at(tables, G, G + trial_.p_width());
      without_own(trial_.p.waves, walker.seen + 2 * trial_.p_width() * spin, trial_.a_of(spin, spin), G, others);
      add(p_sums<true>(trial_.p.waves, G, others));
    }
    const double *const D = slater.gradient, *const J = jastrow.gradient;
    const double v[3] = {D[0] + J[0], D[1] + J[1], D[2] + J[2]};
    parts.kei -= 0.5 * (slater.laplacian + 2 * dot3(D, J) + jastrow.laplacian + dot3(J, J));
    parts.ti -= 0.25 * (slater.laplacian - dot3(D, D) + jastrow.laplacian);
    parts.fisq += 0.5 * dot3(v, v);
    parts.jastrow += 0.5 * jastrow.value;
    if (velocity) std::copy_n(v, 3, velocity);
  }

  void put(const LocalEnergy& c, int64_t w, const Parts* parts, int64_t items) const {
    Parts sum;
    sum.ewald = coulomb_.constants(charge_.data(), electrons_.netot);
    for (int64_t i = 0; i < items; ++i) {
      sum.kei += parts[i].kei;
      sum.ti += parts[i].ti;
      sum.fisq += parts[i].fisq;
      sum.ewald += parts[i].ewald;
      sum.jastrow += parts[i].jastrow;
    }
    double* const energy = c.energy.data() + 5 * w;
    energy[static_cast<int>(Energy::total)] = sum.kei + sum.ewald;
    energy[static_cast<int>(Energy::kei)] = sum.kei;
    energy[static_cast<int>(Energy::ti)] = sum.ti;
    energy[static_cast<int>(Energy::fisq)] = sum.fisq;
    energy[static_cast<int>(Energy::ewald)] = sum.ewald;
    if (double* const jastrow = c.jastrow.data()) jastrow[w] = sum.jastrow;
  }

  Form form_;
  int64_t threads_;
  Trial trial_;
  Coulomb coulomb_;
  Constants constants_;
  Electrons electrons_;
  std::vector<double> charge_;  // padded
  std::vector<Parts> parts_;
  cpu::Buffer<double> state_{"qmc.local_energy"};
  Scratch scratch_;
};

}  // namespace

extern const suite_kernel_table local_energy_table;
constexpr suite_kernel_table local_energy_table = kernel_table<LocalEnergy, Cpu>("cpu", "cpu");

}  // namespace suite::qmc
