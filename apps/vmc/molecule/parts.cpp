// SPDX-License-Identifier: BSD-3-Clause
// The parts of a Slater-Jastrow function: a determinant for each spin, u, chi, p and f.
#include <algorithm>
#include <cmath>

#include "crystal/complex_determinant.hpp"
#include "crystal/crystal.hpp"
#include "device_arrays.hpp"
#include "kernel_arguments.hpp"
#include "measure/timed_kernel.hpp"
#include "orbitals.hpp"
#include "part.hpp"

namespace suite::vmc {
namespace {

using app::TimedKernel;

// Orbitals at `npos` positions of each walker, and what slater_ratio makes of them.
class Columns {
public:
  Columns(const System& system, const Implementation& how, const Device& device, int spin, int64_t npos, int64_t capacity)
      : npos_(npos),
        orbitals_(make_orbitals(system, how, device, spin, npos, capacity)),
        ratios_("qmc.slater_ratio", how.name, how.variant, device) {}

  // r(3,npos,walkers). electron: of the spin, from 0; -1: position i belongs to electron i.
  void run(const double* r, const Array<double>& dbar, int64_t walkers, Order order, int64_t electron) {
    const auto all = static_cast<size_t>(npos_ * walkers);
    const suite_array unset = describe<double>(nullptr, {});
    orbitals_->compute(r, walkers, order);
    ratios_->set("dbar", first_walkers(dbar, walkers));
    if (electron >= 0) ratios_->set("ie", static_cast<int32_t>(electron + 1));
    ratios_->set("phi", phi(walkers));
    ratios_->set("dphi", order >= Order::gradient ? orbitals_->dphi(walkers) : unset);
    ratios_->set("d2phi", order >= Order::laplacian ? orbitals_->d2phi(walkers) : unset);
    ratio.resize(all), drift.resize(3 * all), laplacian.resize(all);
    ratios_->set("ratio", ratio.data(), {npos_, walkers});
    ratios_->set("drift", order >= Order::gradient ? drift.data() : nullptr, {3, npos_, walkers});
    ratios_->set("laplacian", order >= Order::laplacian ? laplacian.data() : nullptr, {npos_, walkers});
    ratios_.run();
    ratios_->get("ratio", ratio.data(), {npos_, walkers});
    if (order >= Order::gradient) ratios_->get("drift", drift.data(), {3, npos_, walkers});
    if (order >= Order::laplacian) ratios_->get("laplacian", laplacian.data(), {npos_, walkers});
  }
  void compute(const double* r, int64_t walkers) { orbitals_->compute(r, walkers, Order::value); }
  suite_array phi(int64_t walkers) const { return orbitals_->phi(walkers); }
  void add_records(std::vector<app::Row>& records) const {
    orbitals_->add_records(records);
    ratios_.add_to(records);
  }

  std::vector<double> ratio, drift, laplacian;  // (npos,n), (3,npos,n), (npos,n)

private:
  int64_t npos_;
  std::unique_ptr<Orbitals> orbitals_;
  TimedKernel ratios_;
};

class Determinant final : public Part {
public:
  Determinant(const System& system, const Implementation& how, const Device& device, int spin, int64_t capacity)
      : system_(system),
        how_(how),
        device_(device),
        spin_(spin),
        capacity_(capacity),
        netot_(system.netot()),
        first_(spin == 0 ? 0 : system.nele[0]),
        count_(system.nele[static_cast<size_t>(spin)]),
        one_(system, how, device, spin, 1, capacity),
        all_(system, how, device, spin, count_, capacity),
        invert_("qmc.slater_invert", how.name, how.variant, device),
        update_("qmc.slater_update", how.name, how.variant, device),
        dbar_(device, {count_, count_, capacity}) {
    clear(dbar_);
  }

  void resize(int64_t n) override {
    n_ = n;
    moved_.assign(static_cast<size_t>(n), 0);
  }

  double evaluate(const std::vector<double>& rele, bool compare) override {
    const auto& r = own(rele);
    double largest = 0;
    if (compare) {
      all_.run(r.data(), dbar_, n_, Order::value, -1);
      for (const double x : all_.ratio)
        if (!(std::abs(x - 1) <= largest)) largest = std::abs(x - 1);
    } else {
      all_.compute(r.data(), n_);
    }
    invert_->set("phi", all_.phi(n_));
    invert_->set("dbar", first_walkers(dbar_, n_));
    invert_.run();
    return largest;
  }

  void add_slopes(const std::vector<double>& rele, Slopes& sum) override {
    all_.run(own(rele).data(), dbar_, n_, Order::laplacian, -1);
    for (int64_t w = 0; w < n_; ++w)
      for (int64_t i = 0; i < count_; ++i) {
        const auto here = static_cast<size_t>(i + count_ * w), to = static_cast<size_t>(first_ + i + netot_ * w);
        double square = 0;
        for (size_t d = 0; d < 3; ++d) {
          const double v = all_.drift[3 * here + d];
          sum.gradient[3 * to + d] += v;
          square += v * v;
        }
        sum.laplacian[to] += all_.laplacian[here] - square;
      }
  }

  void add_gradient(const std::vector<double>&, int64_t electron, const std::vector<double>& at, std::vector<double>& sum) override {
    if (!mine(electron)) return;
    one_.run(at.data(), dbar_, n_, Order::gradient, electron - first_);
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += one_.drift[i];
  }
  void ratio(const std::vector<double>&, Tried& tried) override { run(tried, Order::value); }
  void ratio_grad(const std::vector<double>&, Tried& tried) override { run(tried, Order::gradient); }

  void accept(int64_t electron, std::span<const int32_t> accepted) override {
    if (!mine(electron)) return;
    for (size_t w = 0; w < accepted.size(); ++w) moved_[w] = accepted[w] ? static_cast<int32_t>(electron - first_ + 1) : 0;
    update_->set("dbar", first_walkers(dbar_, n_));
    update_->set("ie", moved_.data(), {1, n_});
    update_->set("phi", one_.phi(n_));
    update_.run();
  }

  std::vector<suite_array> state() const override { return {first_walkers(dbar_, n_)}; }
  void add_to_branch(Kernel& branch) const override { branch.set(spin_ == 0 ? "dbar_up" : "dbar_dn", dbar_.array()); }
  void add_records(std::vector<app::Row>& records) const override {
    one_.add_records(records);
    all_.add_records(records);
    if (many_) many_->add_records(records);
    for (const auto* timed : {&invert_, &update_}) timed->add_to(records);
  }

private:
  bool mine(int64_t electron) const { return electron >= first_ && electron < first_ + count_; }
  // Positions of this spin's electrons, (3,count,n).
  const std::vector<double>& own(const std::vector<double>& rele) {
    r_.resize(static_cast<size_t>(3 * count_ * n_));
    for (int64_t w = 0; w < n_; ++w) std::copy_n(rele.begin() + 3 * (w * netot_ + first_), 3 * count_, r_.begin() + 3 * w * count_);
    return r_;
  }
  void run(Tried& tried, Order order) {
    if (!mine(tried.electron)) return;
    if (tried.npos > 1 && !many_) many_ = std::make_unique<Columns>(system_, how_, device_, spin_, tried.npos, capacity_);
    Columns& columns = tried.npos > 1 ? *many_ : one_;
    columns.run(tried.to.data(), dbar_, n_, order, tried.electron - first_);
    for (size_t k = 0; k < tried.logarithm.size(); ++k) {
      tried.logarithm[k] += std::log(std::abs(columns.ratio[k]));
      tried.sign[k] *= std::copysign(1.0, columns.ratio[k]);
    }
    if (order >= Order::gradient)
      for (size_t i = 0; i < tried.gradient.size(); ++i) tried.gradient[i] += one_.drift[i];
  }

  const System& system_;
  Implementation how_;
  const Device& device_;
  int spin_;
  int64_t capacity_, netot_, first_, count_, n_ = 0;
  Columns one_, all_;              // one electron's, and all of them
  std::unique_ptr<Columns> many_;  // one electron at several places
  TimedKernel invert_, update_;
  Array<double> dbar_;
  std::vector<double> r_;
  std::vector<int32_t> moved_;
};

// A term of J: its kernel adds up value, gradient and Laplacian of an electron. Keeps nothing of the walkers.
class Term final : public Part {
public:
  Term(const char* kernel, SetTerm set, const System& system, const Jastrow& jastrow, const Implementation& how, const Device& device)
      : system_(system),
        jastrow_(jastrow),
        set_(set),
        one_(kernel, how.name, how.variant, device),
        all_(kernel, how.name, how.variant, device) {
    set_jastrow();
  }

  void resize(int64_t n) override { n_ = n; }
  void set_jastrow() override {
    for (auto* timed : {&one_, &all_}) set_(timed->kernel(), system_, jastrow_);
  }

  void add_slopes(const std::vector<double>& rele, Slopes& sum) override {
    const int64_t netot = system_.netot();
    const auto count = static_cast<size_t>(netot * n_);
    value_.resize(count), gradient_.resize(3 * count), laplacian_.resize(count);
    all_->set("rele", rele.data(), {3, netot, n_});
    all_->set("value", value_.data(), {netot, n_});
    all_->set("gradient", gradient_.data(), {3, netot, n_});
    all_->set("laplacian", laplacian_.data(), {netot, n_});
    all_.run();
    all_->get("gradient", gradient_.data(), {3, netot, n_});
    all_->get("laplacian", laplacian_.data(), {netot, n_});
    for (size_t i = 0; i < sum.gradient.size(); ++i) sum.gradient[i] += gradient_[i];
    for (size_t i = 0; i < sum.laplacian.size(); ++i) sum.laplacian[i] += laplacian_[i];
  }

  void add_gradient(const std::vector<double>& rele, int64_t electron, const std::vector<double>& at, std::vector<double>& sum) override {
    run(rele, electron, at, 1, true);
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += gradient_[i];
  }
  void ratio(const std::vector<double>& rele, Tried& tried) override { change(rele, tried, false); }
  void ratio_grad(const std::vector<double>& rele, Tried& tried) override { change(rele, tried, true); }

  void add_records(std::vector<app::Row>& records) const override {
    for (const auto* timed : {&one_, &all_}) timed->add_to(records);
  }

private:
  // One electron at r(3,npos,n).
  void run(const std::vector<double>& rele, int64_t electron, const std::vector<double>& r, int64_t npos, bool gradient) {
    const auto count = static_cast<size_t>(npos * n_);
    value_.resize(count), gradient_.resize(3 * count);
    one_->set("rele", rele.data(), {3, system_.netot(), n_});
    one_->set("ie", static_cast<int32_t>(electron + 1));
    one_->set("rnew", r.data(), {3, npos, n_});
    one_->set("value", value_.data(), {npos, n_});
    one_->set("gradient", gradient ? gradient_.data() : nullptr, {3, npos, n_});
    one_.run();
    one_->get("value", value_.data(), {npos, n_});
    if (gradient) one_->get("gradient", gradient_.data(), {3, npos, n_});
  }
  // J' - J from the electron's sums at all places, of which the first is its own.
  void change(const std::vector<double>& rele, Tried& tried, bool gradient) {
    const auto npos = static_cast<size_t>(tried.npos), places = npos + 1, n = static_cast<size_t>(n_);
    places_.resize(3 * places * n);
    for (size_t w = 0; w < n; ++w) {
      std::copy_n(&tried.from[3 * w], 3, &places_[3 * places * w]);
      std::copy_n(&tried.to[3 * npos * w], 3 * npos, &places_[3 * (places * w + 1)]);
    }
    run(rele, tried.electron, places_, tried.npos + 1, gradient);
    for (size_t w = 0; w < n; ++w) {
      for (size_t k = 0; k < npos; ++k) tried.logarithm[npos * w + k] += value_[places * w + k + 1] - value_[places * w];
      for (size_t d = 0; d < 3 && gradient; ++d) tried.gradient[3 * w + d] += gradient_[3 * (places * w + 1) + d];
    }
  }

  const System& system_;
  const Jastrow& jastrow_;
  SetTerm set_;
  int64_t n_ = 0;
  TimedKernel one_, all_;
  std::vector<double> value_, gradient_, laplacian_, places_;
};

}  // namespace

std::vector<std::unique_ptr<Part>> parts_of(const System& system, const Jastrow& jastrow, const Implementation& how, const Device& device,
                                            int64_t capacity) {
  std::vector<std::unique_ptr<Part>> parts;
  const bool complex = system.crystal() && system.molecule->crystal->complex;
  for (int spin = 0; spin < 2; ++spin) {
    if (system.nele[static_cast<size_t>(spin)] == 0) continue;
    if (complex) parts.push_back(make_complex_determinant(system, how, device, spin, capacity));
    else parts.push_back(std::make_unique<Determinant>(system, how, device, spin, capacity));
  }
  if (jastrow.has_u()) parts.push_back(std::make_unique<Term>("qmc.jastrow_u", set_u_term, system, jastrow, how, device));
  if (jastrow.has_chi()) parts.push_back(std::make_unique<Term>("qmc.jastrow_chi", set_chi_term, system, jastrow, how, device));
  if (jastrow.has_p()) parts.push_back(std::make_unique<Term>("qmc.jastrow_p", set_p_term, system, jastrow, how, device));
  if (jastrow.has_f()) parts.push_back(std::make_unique<Term>("qmc.jastrow_f", set_f_term, system, jastrow, how, device));
  return parts;
}

}  // namespace suite::vmc
