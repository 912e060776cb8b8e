// SPDX-License-Identifier: BSD-3-Clause
// Walkers of a molecule or crystal: electrons move one at a time, each in all walkers at once, through the parts of the wave function. Positions are
// on the host, what the parts keep (inverse Slater matrices) on the device.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include <suite/qmc/philox.hpp>

#include "crystal/periodic_potential.hpp"
#include "device_arrays.hpp"
#include "measure/timed_kernel.hpp"
#include "near_nuclei.hpp"
#include "orbitals.hpp"
#include "part.hpp"
#include "pseudopotential.hpp"
#include "walkers.hpp"

namespace suite::vmc {
namespace {

class MoleculeWalkers final : public Walkers {
public:
  MoleculeWalkers(const System& system, const Jastrow& jastrow, const Implementation& how, int64_t seed, int64_t capacity)
      : system_(system),
        jastrow_(jastrow),
        seed_(seed),
        capacity_(capacity),
        device_(app::device_of(kernel_of_orbitals(system), how.name)),
        parts_(parts_of(system_, jastrow_, how, device_, capacity)),
        distances_("qmc.ion_distances", how.name, how.variant, device_),
        branch_("qmc.branch", how.name, how.variant, device_),
        rele_(numbers() * static_cast<size_t>(capacity), 0.0),
        repulsion_(system.molecule->repulsion()),
        potentials_(*system_.molecule) {
    check(system, jastrow);
    if (potentials_.has_projectors()) projectors_ = std::make_unique<Projectors>(system_, potentials_, how, device_, seed);
    if (system_.crystal()) periodic_ = std::make_unique<PeriodicPotential>(system_, potentials_, how, device_);
    if (system_.crystal()) distances_->set("cell", system_.cell.data(), {3, 3});
    distances_->set("rion", system_.molecule->rion.data(), {3, system_.molecule->nion()});
    for (const auto& part : parts_) part->add_to_branch(branch_.kernel());
  }

  int64_t size() const override { return static_cast<int64_t>(stream_.size()); }
  int64_t capacity() const override { return capacity_; }
  const System& system() const override { return system_; }
  const Device& device() const override { return device_; }
  suite_array positions_array() const override { return describe(rele_.data(), {3, system_.netot(), size()}); }
  std::vector<double> positions() const override { return {rele_.begin(), rele_.begin() + std::ssize(rele_) / capacity_ * size()}; }
  const std::vector<int32_t>& accepted() const override { return accepted_; }
  const std::vector<double>& diffusion() const override { return diffusion_; }
  const std::vector<double>& velocities() const override { return slopes_.gradient; }

  void place(std::span<const double> rele, std::span<const int64_t> streams) override {
    if (rele.size() != numbers() * streams.size())
      throw Failure(SUITE_INVALID_ARGUMENT,
                    fmt::format("{} coordinates for {} walkers of {} electrons", rele.size(), streams.size(), system_.netot()));
    resize(streams);
    std::copy(rele.begin(), rele.end(), rele_.begin());
    for (const auto& part : parts_) part->evaluate(rele_, false);
  }

  size_t whole_size() const override {
    size_t size = numbers();
    for (const suite_array& array : states()) size += each_of(array);
    return size;
  }

  std::vector<double> whole() const override {
    const size_t n = stream_.size(), size = whole_size();
    std::vector<double> out(size * n);
    for (size_t w = 0; w < n; ++w) std::copy_n(&rele_[numbers() * w], numbers(), &out[size * w]);
    size_t row = numbers();
    for (const suite_array& array : states()) {
      const size_t each = each_of(array);
      std::vector<double> host(each * n);
      copy(device_, array, host.data(), Direction::to_host);
      for (size_t w = 0; w < n; ++w) std::copy_n(&host[each * w], each, &out[size * w + row]);
      row += each;
    }
    return out;
  }

  void place_whole(std::span<const double> walkers, std::span<const int64_t> streams) override {
    resize(streams);
    const size_t n = stream_.size(), size = whole_size();
    for (size_t w = 0; w < n; ++w) std::copy_n(&walkers[size * w], numbers(), &rele_[numbers() * w]);
    size_t row = numbers();
    for (const suite_array& array : states()) {
      const size_t each = each_of(array);
      std::vector<double> host(each * n);
      for (size_t w = 0; w < n; ++w) std::copy_n(&walkers[size * w + row], each, &host[each * w]);
      copy(device_, array, host.data(), Direction::to_device);
      row += each;
    }
  }

  void resize(std::span<const int64_t> streams) override {
    if (streams.empty() || std::ssize(streams) > capacity_)
      throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("{} walkers; the number must be 1 to {}", streams.size(), capacity_));
    stream_.assign(streams.begin(), streams.end());
    for (const auto& part : parts_) part->resize(size());
    const size_t n = stream_.size();
    accepted_.assign(n, 0), goes_.assign(n, 0);
    diffusion_.assign(2 * n, 0);
    energies_.assign(part::count * n, 0);
    for (auto* vector : {&tried_.from, &tried_.to, &tried_.gradient, &gradient_}) vector->assign(3 * n, 0);
    tried_.logarithm.assign(n, 0), tried_.sign.assign(n, 1);
  }

  void sweep(const SweepSettings& settings) override {
    std::fill(accepted_.begin(), accepted_.end(), 0);
    std::fill(diffusion_.begin(), diffusion_.end(), 0);
    swept_ = settings.first_sweep + settings.nsweep;
    for (int64_t k = 0; k < settings.nsweep; ++k) {
      const int64_t number = settings.first_sweep + k;
      for (int64_t i = 0; i < system_.netot(); ++i) {
        if (settings.move == Move::langevin) drift_and_diffuse(settings, i, number);
        else diffuse(settings, i, number);
      }
      if (settings.t_moves && projectors_) move_by_projectors(number, settings.tau);
    }
  }

  const std::vector<double>& energies(bool) override {
    const int64_t netot = system_.netot(), n = size(), nion = system_.molecule->nion();
    const auto electrons = static_cast<size_t>(netot * n);
    slopes_.gradient.assign(3 * electrons, 0), slopes_.laplacian.assign(electrons, 0), slopes_.phase.assign(electrons, 0);
    for (const auto& part : parts_) part->add_slopes(rele_, slopes_);
    vectors_.resize(4 * electrons * static_cast<size_t>(nion));
    distances_->set("r", rele_.data(), {3, netot, n});
    distances_->set("eivecs", vectors_.data(), {4, nion, netot, n});
    distances_.run();
    distances_->get("eivecs", vectors_.data(), {4, nion, netot, n});
    if (periodic_) periodic_->coulomb(rele_, n);
    nonlocal_.assign(stream_.size(), 0);
    if (projectors_) projectors_->energies(parts_, rele_, stream_, swept_, nonlocal_);
    for (int64_t w = 0; w < n; ++w) put_energy(w, &energies_[part::count * static_cast<size_t>(w)]);
    return energies_;
  }

  double reinvert() override {
    double largest = 0;
    for (const auto& part : parts_) largest = std::max(largest, part->evaluate(rele_, true));
    return largest;
  }

  void branch(std::span<const int32_t> from, std::vector<double>* carry) override {
    from_.assign(from.begin(), from.end());
    branch_->set("from", from_.data(), {std::ssize(from_)});
    branch_->set("rele", rele_.data(), {3, system_.netot(), capacity_});
    const int64_t rows = carry ? std::ssize(*carry) / capacity_ : 1;
    branch_->set("carry", carry ? carry->data() : nullptr, {rows, capacity_});
    branch_.run();
    branch_->get("rele", rele_.data(), {3, system_.netot(), capacity_});
    if (carry) branch_->get("carry", carry->data(), {rows, capacity_});
  }

  void set_jastrow(const Jastrow& jastrow) override {
    check(system_, jastrow);
    jastrow_ = jastrow;
    for (const auto& part : parts_) part->set_jastrow();
  }

  void add_records(std::vector<app::Row>& records) const override {
    std::vector<app::Row> own;
    for (const auto& part : parts_) part->add_records(own);
    for (const auto* timed : {&distances_, &branch_}) timed->add_to(own);
    if (projectors_) projectors_->add_records(own);
    if (periodic_) periodic_->add_records(own);
    for (auto& record : own) app::add_or_join(records, std::move(record));
  }

protected:
  int64_t seed() const override { return seed_; }

private:
  size_t numbers() const { return static_cast<size_t>(3 * system_.netot()); }  // coordinates of a walker
  std::vector<suite_array> states() const {
    std::vector<suite_array> all;
    for (const auto& part : parts_)
      for (const suite_array& array : part->state()) all.push_back(array);
    return all;
  }
  static size_t each_of(const suite_array& array) { return static_cast<size_t>(count_of(array) / array.extent[array.rank - 1]); }
  double* at(int64_t electron, size_t walker) { return &rele_[numbers() * walker + 3 * static_cast<size_t>(electron)]; }
  static Point point(const std::vector<double>& of, size_t walker) { return {of[3 * walker], of[3 * walker + 1], of[3 * walker + 2]}; }

  void start(int64_t electron) {
    tried_.electron = electron;
    for (size_t w = 0; w < stream_.size(); ++w) std::copy_n(at(electron, w), 3, &tried_.from[3 * w]);
    std::fill(tried_.logarithm.begin(), tried_.logarithm.end(), 0);
    std::fill(tried_.sign.begin(), tried_.sign.end(), 1);
    std::fill(tried_.gradient.begin(), tried_.gradient.end(), 0);
  }

  // A Gaussian step, accepted if u < (psi'/psi)^2.
  void diffuse(const SweepSettings& settings, int64_t electron, int64_t sweep) {
    start(electron);
    squared_.resize(stream_.size());
    for (size_t w = 0; w < stream_.size(); ++w) {
      double g[3];
      qmc::move_gaussians(seed_, stream_[w], sweep, electron, g);
      squared_[w] = settings.tau * (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
      for (size_t d = 0; d < 3; ++d) tried_.to[3 * w + d] = tried_.from[3 * w + d] + std::sqrt(settings.tau) * g[d];
    }
    for (const auto& part : parts_) part->ratio(rele_, tried_);
    decide(sweep, [&](size_t w) { return 2 * tried_.logarithm[w]; });
  }

  // Drift and diffusion with fixed nodes: refused where psi changes its sign, else accepted if u < |psi'/psi|^2 G(r,r')/G(r',r). With a fixed
  // phase |psi| is what diffuses, and nothing is refused.
  void drift_and_diffuse(const SweepSettings& settings, int64_t electron, int64_t sweep) {
    start(electron);
    std::fill(gradient_.begin(), gradient_.end(), 0);
    for (const auto& part : parts_) part->add_gradient(rele_, electron, tried_.from, gradient_);
    squared_.resize(stream_.size()), forward_.resize(stream_.size());
    for (size_t w = 0; w < stream_.size(); ++w) {
      const Proposal proposal(*system_.molecule, point(tried_.from, w), point(gradient_, w), settings.tau);
      const Proposal::Move move = proposal.draw(seed_, stream_[w], sweep, electron);
      squared_[w] = move.squared;
      forward_[w] = proposal.density(move.to);
      std::copy_n(move.to.begin(), 3, &tried_.to[3 * w]);
    }
    for (const auto& part : parts_) part->ratio_grad(rele_, tried_);
    decide(sweep, [&](size_t w) {
      if (!(tried_.sign[w] > 0)) return -HUGE_VAL;
      const Proposal back(*system_.molecule, point(tried_.to, w), point(tried_.gradient, w), settings.tau);
      return 2 * tried_.logarithm[w] + std::log(back.density(point(tried_.from, w)) / forward_[w]);
    });
  }

  template <class F> void decide(int64_t sweep, F&& logarithm_of_probability) {
    bool any = false;
    for (size_t w = 0; w < stream_.size(); ++w) {
      const double u = qmc::acceptance_uniform(seed_, stream_[w], sweep, tried_.electron);
      goes_[w] = u < std::exp(logarithm_of_probability(w));
      diffusion_[2 * w + 1] += squared_[w];
      if (!goes_[w]) continue;
      any = true;
      ++accepted_[w];
      diffusion_[2 * w] += squared_[w];
    }
    if (any) accept();
  }
  // The electron tried last goes in the walkers of goes_.
  void accept() {
    for (const auto& part : parts_) part->accept(tried_.electron, goes_);
    for (size_t w = 0; w < stream_.size(); ++w)
      if (goes_[w]) std::copy_n(&tried_.to[3 * w], 3, at(tried_.electron, w));
  }

  // T-moves of all electrons, one after the other. The fixed nodes are no bounds to them.
  void move_by_projectors(int64_t sweep, double tau) {
    projectors_->draw(rele_, stream_, sweep);
    for (int64_t i = 0; i < system_.netot(); ++i) {
      start(i);
      tried_.to = tried_.from;
      if (!projectors_->choose(parts_, rele_, stream_, sweep, i, tau, tried_.to, goes_)) continue;
      for (const auto& part : parts_) part->ratio(rele_, tried_);
      accept();
    }
  }

  void put_energy(int64_t walker, double* e) const {
    const auto netot = static_cast<size_t>(system_.netot()), w = static_cast<size_t>(walker);
    double laplacian = 0, square = 0, phase = 0;
    for (size_t i = 0; i < netot; ++i) {
      laplacian += slopes_.laplacian[i + netot * w];
      phase += slopes_.phase[i + netot * w];
      for (size_t d = 0; d < 3; ++d) square += std::pow(slopes_.gradient[d + 3 * (i + netot * w)], 2);
    }
    // KEI = Re(-1/2 lap psi/psi), FISQ = 1/2 |grad psi/psi|^2, TI = (KEI + FISQ)/2.
    e[part::kei] = -0.5 * (laplacian + square - phase);
    e[part::ti] = -0.25 * laplacian + 0.5 * phase;
    e[part::fisq] = 0.5 * (square + phase);
    if (periodic_) put_potential_of_crystal(w, e);
    else put_potential(w, e);
    e[part::nonlocal] = nonlocal_[w];
    e[part::total] = e[part::kei] + e[part::ee] + e[part::en] + e[part::nn] + e[part::local] + nonlocal_[w];
  }
  const double* vector(size_t ion, size_t electron, size_t walker) const {
    const auto netot = static_cast<size_t>(system_.netot()), nion = static_cast<size_t>(system_.molecule->nion());
    return &vectors_[4 * (ion + nion * (electron + netot * walker))];
  }
  void put_potential(size_t w, double* e) const {
    const auto netot = static_cast<size_t>(system_.netot());
    double attraction = 0, pairs = 0, local = 0;
    for (size_t i = 0; i < netot; ++i) {
      for (size_t a = 0; a < system_.molecule->charge.size(); ++a) {
        const double r = vector(a, i, w)[3];
        attraction -= system_.molecule->charge[a] / r;
        local += potentials_.local(a, r);
      }
      const double* const r = &rele_[3 * (i + netot * w)];
      for (size_t j = 0; j < i; ++j) {
        const double* const s = &rele_[3 * (j + netot * w)];
        pairs += 1 / std::sqrt(std::pow(r[0] - s[0], 2) + std::pow(r[1] - s[1], 2) + std::pow(r[2] - s[2], 2));
      }
    }
    e[part::ee] = pairs;
    e[part::en] = attraction;
    e[part::nn] = repulsion_;
    e[part::local] = local;
  }
  void put_potential_of_crystal(size_t w, double* e) const {
    double local = 0;
    for (size_t i = 0; i < static_cast<size_t>(system_.netot()); ++i)
      for (size_t a = 0; a < system_.molecule->charge.size(); ++a) local += periodic_->local(a, vector(a, i, w));
    e[part::ee] = periodic_->electrons(w);
    e[part::en] = periodic_->attraction(w);
    e[part::nn] = periodic_->nuclei();
    e[part::local] = local;
  }

  System system_;
  Jastrow jastrow_;
  int64_t seed_, capacity_;
  Device device_;
  std::vector<std::unique_ptr<Part>> parts_;
  app::TimedKernel distances_, branch_;
  std::vector<double> rele_;  // rele(3,netot,capacity)
  double repulsion_;
  Pseudopotentials potentials_;
  std::unique_ptr<PeriodicPotential> periodic_;  // null: open space
  std::unique_ptr<Projectors> projectors_;  // null: no nucleus has any
  int64_t swept_ = 0;  // number of the next sweep
  std::vector<int64_t> stream_;
  std::vector<int32_t> accepted_, goes_, from_;
  std::vector<double> diffusion_, energies_, gradient_, squared_, forward_, vectors_, nonlocal_;
  Tried tried_;
  Slopes slopes_;
};

}  // namespace

std::unique_ptr<Walkers> make_molecule_walkers(const System& system, const Jastrow& jastrow, const Implementation& implementation,
                                               int64_t seed, int64_t capacity) {
  return std::make_unique<MoleculeWalkers>(system, jastrow, implementation, seed, capacity);
}

}  // namespace suite::vmc
