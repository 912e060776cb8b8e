// SPDX-License-Identifier: BSD-3-Clause
#include "observables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include <suite/qmc/lattice.hpp>
#include "measure/timed_kernel.hpp"

namespace suite::vmc {
namespace {

constexpr int64_t most_pairs = 1 << 21;  // per call of closest_images: 64 MiB of vectors
constexpr double farthest_k = 2.5;       // largest k of S(k), in Fermi wave vectors
constexpr int fewest_stars = 12;
constexpr size_t density_bins = 50;
constexpr size_t kinds = 4;
constexpr const char* pair_names[] = {"total", "uu", "ud", "dd"};
constexpr const char* axis_names[] = {"a1", "a2", "a3"};

// Averages of many numbers, each with its error bar.
class Averages {
public:
  explicit Averages(size_t count) : values_(count) {}
  size_t size() const { return values_.size(); }
  void add(const std::vector<double>& sums, double looks) {
    for (size_t i = 0; i < values_.size(); ++i) values_[i].add(sums[i] / looks, looks);
  }
  Reblocked estimate(size_t i) const { return values_[i].estimate(); }
  void append(std::vector<double>& state) const {
    for (const auto& value : values_) {
      const auto one = value.state();
      state.push_back(static_cast<double>(one.size()));
      state.insert(state.end(), one.begin(), one.end());
    }
  }
  void take(const std::vector<double>& state, size_t& at) {
    for (auto& value : values_) {
      const auto length = at < state.size() ? static_cast<size_t>(state[at]) : state.size() + 1;
      if (at + 1 + length > state.size()) throw Failure(SUITE_INVALID_ARGUMENT, "the averages of the checkpoint are truncated");
      value = Reblocking::restore({state.data() + at + 1, length});
      at += 1 + length;
    }
  }

private:
  std::vector<Reblocking> values_;
};

}  // namespace

struct Observables::State {
  const Settings& settings;
  const Share& share;
  const app::Communicator& world;
  int64_t netot, nup, ndn;
  qmc::Lattice lattice;

  // This process's counts in the block, and the averages.
  std::vector<double> pairs, sheets;  // [kinds][bins], [3 axes][density_bins]
  std::vector<double> rho;            // [stars][kinds] per walker
  double looks = 0;
  Averages g, S, n;

  Stars waves;
  app::TimedKernel images, factor;
  std::vector<double> eevecs;
  std::vector<std::complex<double>> rhok;

  State(const Settings& s, const Implementation& how, const Share& share_, const app::Communicator& world_, const Device& device)
      : settings(s),
        share(share_),
        world(world_),
        netot(s.system.netot()),
        nup(s.system.nele[0]),
        ndn(s.system.nele[1]),
        lattice(qmc::lattice_of(s.system.cell.data())),
        pairs(s.pair_correlation ? kinds * static_cast<size_t>(s.bins) : 0),
        sheets(s.density ? 3 * density_bins : 0),
        g(pairs.size()),
        S(0),
        n(sheets.size()),
        images("qmc.closest_images", how.name, how.variant, device),
        factor("qmc.structure_factor", how.name, how.variant, device) {
    if (s.structure_factor) {
      waves = stars_within(s.system);
      S = Averages(kinds * waves.length.size());
      rho.assign(S.size() * static_cast<size_t>(share.own), 0.0);
    }
    images->set("cell", s.system.cell.data(), {3, 3});
    factor->set("cell", s.system.cell.data(), {3, 3});
    factor->set("nele", s.system.nele.data(), {2});
  }

  static Stars stars_within(const System& s) {
    const double fermi =
        std::cbrt(3 * std::numbers::pi * std::numbers::pi * static_cast<double>(s.netot()) / s.volume() * (s.polarised() ? 2 : 1));
    int count = fewest_stars;
    while (stars(s.cell, count).length.back() < farthest_k * fermi) count *= 2;
    const auto lengths = stars(s.cell, count).length;
    const auto end = std::upper_bound(lengths.begin(), lengths.end(), farthest_k * fermi);
    return stars(s.cell, std::max(fewest_stars, static_cast<int>(end - lengths.begin())));
  }

  // Histograms of pair distances for every kind.
  void count_pairs(const std::vector<double>& rele, int64_t walkers) {
    const int64_t each = netot * netot, at_once = std::max<int64_t>(1, most_pairs / each);
    const double bins = settings.bins, per_bohr = bins / lattice.inscribed_radius;
    for (int64_t first = 0; first < walkers; first += at_once) {
      const int64_t count = std::min(at_once, walkers - first);
      const double* const r = rele.data() + 3 * netot * first;
      eevecs.resize(static_cast<size_t>(4 * each * count));
      images->set("rfrom", r, {3, netot, count});
      images->set("rto", r, {3, netot, count});
      images->set("eevecs", eevecs.data(), {4, netot, netot, count});
      images.run();
      images->get("eevecs", eevecs.data(), {4, netot, netot, count});
      for (int64_t w = 0; w < count; ++w)
        for (int64_t i = 0; i < netot; ++i) {
          const double* const row = &eevecs[static_cast<size_t>(4 * netot * (i + netot * w))];
          for (int64_t j = i + 1; j < netot; ++j) {
            const double bin = row[4 * j + 3] * per_bohr;
            if (!(bin < bins)) continue;
            const size_t kind = 1 + (i < nup ? 0U : 1U) + (j < nup ? 0U : 1U);
            for (const size_t k : {size_t{0}, kind}) pairs[k * static_cast<size_t>(settings.bins) + static_cast<size_t>(bin)] += 1;
          }
        }
    }
  }

  void add_waves(const Walkers& walkers) {
    const auto ngvec = static_cast<int64_t>(waves.star.size());
    rhok.resize(static_cast<size_t>(2 * ngvec * share.own));
    factor->set("rele", walkers.positions_array());
    factor->set("gvec", waves.gvec.data(), {3, ngvec});
    factor->set("rhok", rhok.data(), {ngvec, 2, share.own});
    factor.run();
    factor->get("rhok", rhok.data(), {ngvec, 2, share.own});
    for (int64_t w = 0; w < share.own; ++w) {
      const std::complex<double>*up = &rhok[static_cast<size_t>(2 * ngvec * w)], *down = up + ngvec;
      double* const sums = &rho[S.size() * static_cast<size_t>(w)];
      for (int64_t G = 0; G < ngvec; ++G) {
        double* const star = sums + kinds * static_cast<size_t>(waves.star[static_cast<size_t>(G)] - 1);
        star[0] += std::norm(up[G] + down[G]);
        star[1] += std::norm(up[G]);
        star[2] += (up[G] * std::conj(down[G])).real();
        star[3] += std::norm(down[G]);
      }
    }
  }

  void count_sheets(const std::vector<double>& rele) {
    for (size_t i = 0; i < rele.size(); i += 3)
      for (size_t d = 0; d < 3; ++d) {
        const double* const b = lattice.b[d];
        const double s = (b[0] * rele[i] + b[1] * rele[i + 1] + b[2] * rele[i + 2]) / (2 * std::numbers::pi);
        const double within = s - std::floor(s);
        const auto bin = std::min(static_cast<size_t>(within * density_bins), density_bins - 1);
        sheets[d * density_bins + bin] += 1;
      }
  }
};

Observables::Observables(const Settings& settings, const Implementation& implementation, const Share& share, const app::Communicator& world,
                         const Device& device)
    : state_(std::make_unique<State>(settings, implementation, share, world, device)) {}
Observables::~Observables() = default;

bool Observables::any() const { return state_->g.size() + state_->S.size() + state_->n.size() > 0; }

void Observables::sample(const Walkers& walkers) {
  State& s = *state_;
  if (s.g.size() + s.n.size() > 0) {
    const auto rele = walkers.positions();
    if (s.g.size() > 0) s.count_pairs(rele, walkers.size());
    if (s.n.size() > 0) s.count_sheets(rele);
  }
  if (s.S.size() > 0) s.add_waves(walkers);
  s.looks += 1;
}

void Observables::close_block() {
  State& s = *state_;
  if (s.looks == 0) return;
  const double looks = s.looks * static_cast<double>(s.share.all);
  for (auto* counts : {&s.pairs, &s.sheets}) {  // whole numbers: exact in any order
    s.world.sum(*counts);
    (counts == &s.pairs ? s.g : s.n).add(*counts, looks);
    std::fill(counts->begin(), counts->end(), 0.0);
  }
  if (s.S.size() > 0) s.S.add(sum_over_walkers(s.world, s.share, s.rho), looks);
  std::fill(s.rho.begin(), s.rho.end(), 0.0);
  s.looks = 0;
}

namespace {

// One curve per kind of pairs; without spin-down electrons there is one kind.
template <class F> Curves by_pairs(std::vector<double> x, bool polarised, F&& value) {
  Curves out{std::move(x), {}};
  for (size_t kind = 0; kind < (polarised ? 1 : kinds); ++kind) {
    Curve curve{pair_names[kind], {}, {}};
    for (size_t i = 0; i < out.x.size(); ++i) {
      const auto [average, norm] = value(kind, i);
      curve.value.push_back(average.mean / norm);
      curve.error.push_back(average.error / norm);
    }
    out.curves.push_back(std::move(curve));
  }
  return out;
}

}  // namespace

Curves Observables::pair_correlation() const {
  const State& s = *state_;
  const auto bins = static_cast<size_t>(s.settings.bins);
  const double width = s.lattice.inscribed_radius / static_cast<double>(bins);
  std::vector<double> r;
  for (size_t i = 0; i < bins && s.g.size() > 0; ++i) r.push_back((static_cast<double>(i) + 0.5) * width);
  const auto all = static_cast<double>(s.netot), up = static_cast<double>(s.nup), down = static_cast<double>(s.ndn);
  // n electrons make n^2/2 pairs, so that g of a large cell tends to 1.
  const std::array<double, kinds> pairs{all * all / 2, up * up / 2, up * down, down * down / 2};
  return by_pairs(r, s.settings.system.polarised(), [&](size_t kind, size_t i) {
    const double inner = static_cast<double>(i) * width, outer = inner + width;
    const double shell = 4 * std::numbers::pi / 3 * (outer * outer * outer - inner * inner * inner);
    return std::pair(s.g.estimate(kind * bins + i), pairs[kind] * shell / s.lattice.volume);
  });
}

Curves Observables::structure_factor() const {
  const State& s = *state_;
  std::vector<double> members(s.waves.length.size(), 0.0);
  for (const int32_t star : s.waves.star) members[static_cast<size_t>(star - 1)] += 1;
  return by_pairs(s.waves.length, s.settings.system.polarised(), [&](size_t kind, size_t i) {
    return std::pair(s.S.estimate(kinds * i + kind), members[i] * static_cast<double>(s.netot));
  });
}

Curves Observables::density() const {
  const State& s = *state_;
  Curves out;
  if (s.n.size() == 0) return out;
  const double slab = s.lattice.volume / static_cast<double>(density_bins);
  for (size_t i = 0; i < density_bins; ++i) out.x.push_back((static_cast<double>(i) + 0.5) / static_cast<double>(density_bins));
  for (size_t d = 0; d < 3; ++d) {
    Curve curve{axis_names[d], {}, {}};
    for (size_t i = 0; i < density_bins; ++i) {
      const Reblocked one = s.n.estimate(d * density_bins + i);
      curve.value.push_back(one.mean / slab);
      curve.error.push_back(one.error / slab);
    }
    out.curves.push_back(std::move(curve));
  }
  return out;
}

std::vector<double> Observables::state() const {
  std::vector<double> state;
  for (const auto* averages : {&state_->g, &state_->S, &state_->n}) averages->append(state);
  return state;
}

void Observables::restore(const std::vector<double>& state) {
  size_t at = 0;
  for (auto* averages : {&state_->g, &state_->S, &state_->n}) averages->take(state, at);
}

void Observables::add_records(std::vector<app::Row>& records) const {
  for (const auto* timed : {&state_->images, &state_->factor}) timed->add_to(records);
}

}  // namespace suite::vmc
