// SPDX-License-Identifier: BSD-3-Clause
#include "pseudopotential.hpp"

#include <algorithm>
#include <cmath>

#include <suite/qmc/philox.hpp>

#include "crystal/crystal.hpp"

namespace suite::vmc {
namespace {

constexpr double felt = 1e-8;      // Ha bohr: |r dV_l(r)| below this counts as nothing
constexpr double farthest = 10;     // bohr, where the search for the cutoff begins
constexpr double search_step = 0.01;

// Streams of the points of T-moves: those of the walkers belong to the energies, which must not depend on where T-moves led.
constexpr int64_t streams_of_moves = int64_t{1} << 62;

// Distance beyond which no channel of an ion, or its local part, is felt.
double cutoff_of(const std::vector<PotentialTerm>& terms) {
  const auto is_felt = [&](double r) {
    double v[qmc::l_channels + 1] = {};
    for (const PotentialTerm& t : terms) v[t.l == local_channel ? qmc::l_channels : t.l] += t.at(r);
    return std::any_of(std::begin(v), std::end(v), [&](double x) { return std::abs(r * x) > felt; });
  };
  double r = farthest;
  while (r > search_step && !is_felt(r)) r -= search_step;
  return r;
}

}  // namespace

Pseudopotentials::Pseudopotentials(const Molecule& m) : local_(m.charge.size()), tables_(m.charge.size()), set_of_ion_(m.charge.size(), 0) {
  std::vector<std::vector<PotentialTerm>> of_ion(m.charge.size());
  for (const PotentialTerm& term : m.potential) (term.l == local_channel ? local_ : of_ion)[static_cast<size_t>(term.ion)].push_back(term);
  for (size_t a = 0; a < of_ion.size(); ++a) {
    if (of_ion[a].empty()) continue;
    cutoff_.push_back(cutoff_of(of_ion[a]));
    set_of_ion_[a] = static_cast<int32_t>(cutoff_.size());
    const bool tabulated = std::any_of(of_ion[a].begin(), of_ion[a].end(), [](const PotentialTerm& term) { return term.table != nullptr; });
    if (tabulated) {
      tables_[a] = of_ion[a];
      of_ion[a] = {{static_cast<int32_t>(a), 0, 0, 1, 0, {}}};  // the kernel finds points, and the energies are added here
    }
    for (const PotentialTerm& term : of_ion[a]) {
      term_set_.push_back(set_of_ion_[a]);
      term_l_.push_back(term.l);
      power_.push_back(term.power);
      exponent_.push_back(term.exponent);
      coefficient_.push_back(term.coefficient);
    }
  }
}

double Pseudopotentials::local(size_t ion, double r) const {
  double value = 0;
  for (const PotentialTerm& term : local_[ion]) value += term.at(r);
  return value;
}

double Pseudopotentials::local_reach(size_t ion) const { return local_[ion].empty() ? 0 : cutoff_of(local_[ion]); }

bool Pseudopotentials::tabulated() const {
  return std::any_of(tables_.begin(), tables_.end(), [](const auto& terms) { return !terms.empty(); });
}

int Pseudopotentials::channels(size_t ion, double r, double (&value)[qmc::l_channels]) const {
  int top = -1;
  for (const PotentialTerm& term : tables_[ion]) {
    value[term.l] += term.at(r);
    top = std::max(top, static_cast<int>(term.l));
  }
  return top;
}

void Pseudopotentials::set(Kernel& kernel, const Molecule& m) const {
  const auto nterm = static_cast<int64_t>(exponent_.size());
  if (m.crystal) kernel.set("cell", m.crystal->cell.data(), {3, 3});
  kernel.set("rion", m.rion.data(), {3, m.nion()});
  kernel.set("set_of_ion", set_of_ion_.data(), {m.nion()});
  kernel.set("cutoff", cutoff_.data(), {nset()});
  kernel.set("term_set", term_set_.data(), {nterm});
  kernel.set("term_l", term_l_.data(), {nterm});
  kernel.set("power", power_.data(), {nterm});
  kernel.set("exponent", exponent_.data(), {nterm});
  kernel.set("coefficient", coefficient_.data(), {nterm});
}

Projectors::Projectors(const System& system, const Pseudopotentials& potentials, const Implementation& how, const Device& device,
                       int64_t seed)
    : system_(system),
      potentials_(potentials),
      rule_(qmc::sphere_rule(system.molecule->points)),
      place_("qmc.pseudopotential", how.name, how.variant, device),
      add_("qmc.pseudopotential", how.name, how.variant, device),
      terms_("qmc.pseudopotential", how.name, how.variant, device),
      seed_(seed),
      npoint_(system.molecule->points),
      mpair_(potentials.nset()) {
  for (auto* timed : {&place_, &add_, &terms_}) potentials.set(timed->kernel(), *system.molecule);
  tried_.npos = npoint_;
}

void Projectors::set(app::TimedKernel& kernel, const std::vector<double>& rele, int64_t sweep, int64_t nelectron) {
  kernel->set("rele", rele.data(), {3, system_.netot(), n_});
  if (system_.molecule->turns) {
    kernel->set("seed", seed_);
    kernel->set("sweep", sweep);
    kernel->set("stream", streams_.data(), {n_});
  }
  weight_.resize(of_electron() * static_cast<size_t>(nelectron * n_));
  kernel->set("weight", weight_.data(), {npoint_, mpair_, nelectron, n_});
}

void Projectors::find_points(const std::vector<double>& rele, std::span<const int64_t> streams, int64_t sweep) {
  n_ = std::ssize(streams);
  streams_.assign(streams.begin(), streams.end());
  const int64_t netot = system_.netot();
  const size_t count = of_electron() * static_cast<size_t>(netot * n_);
  ion_.resize(count / static_cast<size_t>(npoint_)), points_.resize(3 * count);
  set(place_, rele, sweep, netot);
  place_->set("points", points_.data(), {3, npoint_, mpair_, netot, n_});
  place_->set("ion", ion_.data(), {mpair_, netot, n_});
  place_.run();
  place_->get("points", points_.data(), {3, npoint_, mpair_, netot, n_});
  place_->get("ion", ion_.data(), {mpair_, netot, n_});
}

bool Projectors::find_ratios(const std::vector<std::unique_ptr<Part>>& parts, const std::vector<double>& rele, int64_t electron,
                             int64_t nelectron, int64_t at) {
  const auto netot = static_cast<size_t>(system_.netot()), i = static_cast<size_t>(electron), walkers = static_cast<size_t>(n_),
             pairs = static_cast<size_t>(mpair_), npoint = static_cast<size_t>(npoint_);
  tried_.electron = electron;
  bool any = false;
  // The ions near an electron come first, so that few pairs have to be looked at.
  for (size_t p = 0; p < pairs; ++p) {
    bool some = false;
    for (size_t w = 0; w < walkers; ++w) some = some || ion_[p + pairs * (i + netot * w)] > 0;
    if (!some) return any;
    any = true;
    tried_.from.resize(3 * walkers), tried_.to.resize(3 * npoint * walkers);
    tried_.logarithm.assign(npoint * walkers, 0), tried_.sign.assign(npoint * walkers, 1);
    for (size_t w = 0; w < walkers; ++w) {
      std::copy_n(&rele[3 * (i + netot * w)], 3, &tried_.from[3 * w]);
      std::copy_n(&points_[3 * npoint * (p + pairs * (i + netot * w))], 3 * npoint, &tried_.to[3 * npoint * w]);
    }
    for (const auto& part : parts) part->ratio(rele, tried_);
    for (size_t w = 0; w < walkers; ++w)
      for (size_t q = 0; q < npoint; ++q)
        ratio_[q + npoint * (p + pairs * (static_cast<size_t>(at) + static_cast<size_t>(nelectron) * w))] =
            tried_.sign[q + npoint * w] * std::exp(tried_.logarithm[q + npoint * w]);
  }
  return any;
}

template <class F>
void Projectors::each_tabulated(const std::vector<double>& rele, int64_t electron, int64_t nelectron, int64_t at, F&& f) const {
  if (!potentials_.tabulated()) return;
  const auto netot = static_cast<size_t>(system_.netot()), i = static_cast<size_t>(electron), pairs = static_cast<size_t>(mpair_),
             npoint = static_cast<size_t>(npoint_);
  for (size_t w = 0; w < static_cast<size_t>(n_); ++w)
    for (size_t p = 0; p < pairs; ++p) {
      const size_t pair = p + pairs * (i + netot * w);
      if (ion_[pair] == 0) break;
      const auto ion = static_cast<size_t>(ion_[pair] - 1);
      const double *const R = &system_.molecule->rion[3 * ion], *const x = &rele[3 * (i + netot * w)];
      double d[3] = {x[0] - R[0], x[1] - R[1], x[2] - R[2]}, nucleus[3] = {R[0], R[1], R[2]};
      if (const auto& crystal = system_.molecule->crystal) {
        qmc::closest_image(crystal->lattice.images, d[0], d[1], d[2]);
        for (size_t k = 0; k < 3; ++k) nucleus[k] = x[k] - d[k];
      }
      const double r = std::hypot(d[0], d[1], d[2]);
      double v[qmc::l_channels] = {};
      const int top = r > 0 ? potentials_.channels(ion, r, v) : -1;
      if (top < 0) continue;
      for (int l = 0; l <= top; ++l) v[l] *= 2 * l + 1;
      for (size_t q = 0; q < npoint; ++q) {
        const double* const point = &points_[3 * (q + npoint * pair)];
        const double cosine = (d[0] * (point[0] - nucleus[0]) + d[1] * (point[1] - nucleus[1]) + d[2] * (point[2] - nucleus[2])) / (r * r);
        f(w, q + npoint * (p + pairs * (static_cast<size_t>(at) + static_cast<size_t>(nelectron) * w)),
          rule_.weight[q] * qmc::legendre_sum(v, top, cosine));
      }
    }
}

void Projectors::energies(const std::vector<std::unique_ptr<Part>>& parts, const std::vector<double>& rele,
                          std::span<const int64_t> streams, int64_t sweep, std::vector<double>& energy) {
  find_points(rele, streams, sweep);
  const int64_t netot = system_.netot();
  ratio_.assign(of_electron() * static_cast<size_t>(netot * n_), 1);
  for (int64_t i = 0; i < netot; ++i) find_ratios(parts, rele, i, netot, i);
  energy_.resize(static_cast<size_t>(netot * n_));
  set(add_, rele, sweep, netot);
  add_->set("ratio", ratio_.data(), {npoint_, mpair_, netot, n_});
  add_->set("energy", energy_.data(), {netot, n_});
  add_.run();
  add_->get("energy", energy_.data(), {netot, n_});
  energy.assign(static_cast<size_t>(n_), 0);
  for (size_t k = 0; k < energy_.size(); ++k) energy[k / static_cast<size_t>(netot)] += energy_[k];
  for (int64_t i = 0; i < netot; ++i)
    each_tabulated(rele, i, netot, i, [&](size_t w, size_t k, double weight) { energy[w] += weight * ratio_[k]; });
}

void Projectors::draw(const std::vector<double>& rele, std::span<const int64_t> streams, int64_t sweep) {
  std::vector<int64_t> own(streams.begin(), streams.end());
  for (int64_t& stream : own) stream += streams_of_moves;
  find_points(rele, own, sweep);
}

bool Projectors::choose(const std::vector<std::unique_ptr<Part>>& parts, const std::vector<double>& rele, std::span<const int64_t> streams,
                        int64_t sweep, int64_t electron, double tau, std::vector<double>& to, std::vector<int32_t>& goes) {
  goes.assign(static_cast<size_t>(n_), 0);
  ratio_.assign(of_electron() * static_cast<size_t>(n_), 1);
  if (!find_ratios(parts, rele, electron, 1, 0)) return false;
  negative_.resize(ratio_.size());
  terms_->set("ie", static_cast<int32_t>(electron + 1));
  set(terms_, rele, sweep, 1);
  terms_->set("ratio", ratio_.data(), {npoint_, mpair_, 1, n_});
  terms_->set("negative", negative_.data(), {npoint_, mpair_, 1, n_});
  terms_.run();
  terms_->get("negative", negative_.data(), {npoint_, mpair_, 1, n_});
  each_tabulated(rele, electron, 1, 0, [&](size_t, size_t k, double weight) { negative_[k] = std::min(weight * ratio_[k], 0.0); });
  bool any = false;
  for (size_t w = 0; w < static_cast<size_t>(n_); ++w) {
    const double* const v = &negative_[of_electron() * w];
    double sum = 0;
    for (size_t k = 0; k < of_electron(); ++k) sum += v[k];
    const qmc::Words words =
        qmc::draw(seed_, streams[w], sweep, qmc::rotation_number(system_.netot(), electron, system_.molecule->nion(), 0), 1);
    double x = qmc::uniform(words.w[0], words.w[1]) * (1 - tau * sum) - 1;  // below 0: it stays
    for (size_t k = 0; k < of_electron() && x >= 0; ++k) {
      x += tau * v[k];
      if (x >= 0) continue;
      goes[w] = 1, any = true;
      std::copy_n(&points_[3 * (k + of_electron() * (static_cast<size_t>(electron) + static_cast<size_t>(system_.netot()) * w))], 3,
                  &to[3 * w]);
    }
  }
  return any;
}

void Projectors::add_records(std::vector<app::Row>& records) const {
  for (const auto* timed : {&place_, &add_, &terms_}) timed->add_to(records);
}

}  // namespace suite::vmc
