// SPDX-License-Identifier: BSD-3-Clause
#include "complex_determinant.hpp"

#include <algorithm>
#include <cmath>

#include "bloch.hpp"
#include "device_arrays.hpp"

namespace suite::vmc {
namespace {

class ComplexDeterminant final : public Part {
public:
  ComplexDeterminant(const System& system, const Implementation& how, const Device& device, int spin, int64_t capacity)
      : netot_(system.netot()),
        first_(spin == 0 ? 0 : system.nele[0]),
        count_(system.nele[static_cast<size_t>(spin)]),
        spin_(spin),
        orbitals_(system, how, device, spin),
        ratio_("qmc.slater_ratio", how.name, how.variant, device),
        ratios_("qmc.slater_ratio", how.name, how.variant, device),
        invert_("qmc.slater_invert", how.name, how.variant, device),
        update_("qmc.slater_update", how.name, how.variant, device),
        dbar_(device, {2 * count_, 2 * count_, capacity}) {
    clear(dbar_);
  }

  void resize(int64_t n) override {
    n_ = n;
    moved_.assign(static_cast<size_t>(2 * n), 0);
    columns_.assign(static_cast<size_t>(4 * count_ * n), 0);
  }

  double evaluate(const std::vector<double>& rele, bool compare) override {
    compute_all(rele, Order::value);
    double largest = 0;
    if (compare) {
      find_all(0);
      for (const Complex& q : found_)
        if (const double deviation = std::abs(std::abs(q) - 1); !(deviation <= largest)) largest = deviation;
    }
    // The second half of the columns: those of i times the orbitals.
    const auto n = static_cast<size_t>(count_);
    std::vector<double>& phi = all_[0];
    for (size_t column = 0; column < n * static_cast<size_t>(n_); ++column) {
      double* const second = &phi[2 * n * (column % n + n + 2 * n * (column / n))];
      std::swap_ranges(second, second + n, second + n);
      for (size_t a = 0; a < n; ++a) second[a] = -second[a];
    }
    invert_->set("phi", phi.data(), {2 * count_, 2 * count_, n_});
    invert_->set("dbar", first_walkers(dbar_, n_));
    invert_.run();
    return largest;
  }

  void add_slopes(const std::vector<double>& rele, Slopes& sum) override {
    compute_all(rele, Order::laplacian);
    const auto count = static_cast<size_t>(count_), all = count * static_cast<size_t>(n_);
    std::array<std::vector<Complex>, orders> sums;
    for (size_t x = 0; x < orders; ++x) {
      find_all(x);
      sums[x] = found_;
    }
    for (size_t here = 0; here < all; ++here) {
      const size_t to = static_cast<size_t>(first_) + here % count + static_cast<size_t>(netot_) * (here / count);
      double modulus = 0, phase = 0;
      for (size_t d = 0; d < 3; ++d) {
        const Complex v = sums[1 + d][here] / sums[0][here];
        sum.gradient[3 * to + d] += v.real();
        modulus += v.real() * v.real();
        phase += v.imag() * v.imag();
      }
      sum.laplacian[to] += (sums[4][here] / sums[0][here]).real() - modulus + phase;
      sum.phase[to] += phase;
    }
  }

  void add_gradient(const std::vector<double>&, int64_t electron, const std::vector<double>& at, std::vector<double>& sum) override {
    if (!mine(electron)) return;
    find_one(electron, at, 1, Order::gradient);
    add_drift(sum);
  }

  void ratio(const std::vector<double>&, Tried& tried) override {
    if (!mine(tried.electron)) return;
    if (tried.npos == 1) {
      find_one(tried.electron, tried.to, 1, Order::value);
      for (size_t w = 0; w < tried.logarithm.size(); ++w) tried.logarithm[w] += std::log(std::abs(found_[w]));
    } else {
      ratios_of_quadrature(tried);
    }
  }

  void ratio_grad(const std::vector<double>&, Tried& tried) override {
    if (!mine(tried.electron)) return;
    find_one(tried.electron, tried.to, 1, Order::gradient);
    for (size_t w = 0; w < tried.logarithm.size(); ++w) tried.logarithm[w] += std::log(std::abs(found_[4 * w]));
    add_drift(tried.gradient);
  }

  // Of the places of the last ratio() or ratio_grad().
  void accept(int64_t electron, std::span<const int32_t> accepted) override {
    if (!mine(electron)) return;
    const auto n = static_cast<size_t>(count_), each = found_.size() / static_cast<size_t>(n_);
    for (size_t w = 0; w < accepted.size(); ++w) {
      for (size_t k = 0; k < 2; ++k) moved_[2 * w + k] = accepted[w] ? static_cast<int32_t>(electron - first_ + 1 + (k ? count_ : 0)) : 0;
      if (!accepted[w]) continue;
      const Complex q = found_[each * w], turn = std::conj(q) / std::abs(q);
      const double* const phi = &one_[2 * n * each * w];
      double *const real = &columns_[4 * n * w], *const imaginary = real + 2 * n;
      for (size_t a = 0; a < n; ++a) {
        const Complex turned = Complex(phi[a], phi[n + a]) * turn;
        real[a] = turned.real(), real[n + a] = turned.imag();
        imaginary[a] = -turned.imag(), imaginary[n + a] = turned.real();
      }
    }
    update_->set("dbar", first_walkers(dbar_, n_));
    update_->set("ie", moved_.data(), {2, n_});
    update_->set("phi", columns_.data(), {2 * count_, 2, n_});
    update_.run();
  }

  std::vector<suite_array> state() const override { return {first_walkers(dbar_, n_)}; }
  void add_to_branch(Kernel& branch) const override { branch.set(spin_ == 0 ? "dbar_up" : "dbar_dn", dbar_.array()); }
  void add_records(std::vector<app::Row>& records) const override {
    orbitals_.add_records(records);
    for (const auto* timed : {&ratio_, &ratios_, &invert_, &update_}) timed->add_to(records);
  }

private:
  using Complex = std::complex<double>;
  static constexpr size_t orders = 5;  // phi, its gradient, its Laplacian

  bool mine(int64_t electron) const { return electron >= first_ && electron < first_ + count_; }

  // One electron at r(3,npos,n): one_ becomes phi, or with gradients (npos = 1) phi and its derivatives in place of positions, and found_(:,n)
  // their ratios.
  void find_one(int64_t electron, const std::vector<double>& r, int64_t npos, Order order) {
    const auto n = static_cast<size_t>(count_);
    const size_t each = order == Order::gradient ? 4 : 1;
    const auto columns = static_cast<int64_t>(each) * npos;
    one_.resize(2 * n * static_cast<size_t>(columns * n_));
    orbitals_.compute(r.data(), npos, n_, order, [&](size_t a, size_t place, const BlochValue& value) {
      double* const column = &one_[2 * n * each * place + a];
      column[0] = value.psi.real(), column[n] = value.psi.imag();
      for (size_t d = 1; d < each; ++d)
        column[2 * n * d] = value.gradient[d - 1].real(), column[2 * n * d + n] = value.gradient[d - 1].imag();
    });
    const size_t count = static_cast<size_t>(columns * n_);
    real_.resize(count), imaginary_.resize(count), found_.resize(count);
    ratio_->set("dbar", first_walkers(dbar_, n_));
    ratio_->set("phi", one_.data(), {2 * count_, columns, n_});
    for (std::vector<double>* part : {&real_, &imaginary_}) {
      ratio_->set("ie", static_cast<int32_t>(electron - first_ + 1 + (part == &real_ ? 0 : count_)));
      ratio_->set("ratio", part->data(), {columns, n_});
      ratio_.run();
      ratio_->get("ratio", part->data(), {columns, n_});
    }
    for (size_t k = 0; k < count; ++k) found_[k] = {real_[k], imaginary_[k]};
  }
  void add_drift(std::vector<double>& sum) const {
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += (found_[4 * (i / 3) + 1 + i % 3] / found_[4 * (i / 3)]).real();
  }

  // Over the ratio of the electron's own place, since the column may have any phase.
  void ratios_of_quadrature(Tried& tried) {
    const auto npos = static_cast<size_t>(tried.npos), n = static_cast<size_t>(n_);
    places_.resize(3 * (npos + 1) * n);
    for (size_t w = 0; w < n; ++w) {
      std::copy_n(&tried.from[3 * w], 3, &places_[3 * (npos + 1) * w]);
      std::copy_n(&tried.to[3 * npos * w], 3 * npos, &places_[3 * ((npos + 1) * w + 1)]);
    }
    find_one(tried.electron, places_, tried.npos + 1, Order::value);
    for (size_t w = 0; w < n; ++w)
      for (size_t k = 0; k < npos; ++k) {
        const Complex own = found_[(npos + 1) * w], there = found_[(npos + 1) * w + 1 + k], q = there / own;
        const double size = std::abs(q);
        tried.logarithm[npos * w + k] += std::log(size);
        if (size > 0) tried.sign[npos * w + k] *= q.real() / size;
      }
  }

  // All electrons of the spin: all_[x](2n,2n,walkers), each electron's column twice.
  void compute_all(const std::vector<double>& rele, Order order) {
    const auto n = static_cast<size_t>(count_);
    places_.resize(static_cast<size_t>(3 * count_ * n_));
    for (int64_t w = 0; w < n_; ++w) std::copy_n(rele.begin() + 3 * (w * netot_ + first_), 3 * count_, places_.begin() + 3 * w * count_);
    for (size_t x = 0; x < (order == Order::value ? 1 : orders); ++x) all_[x].resize(4 * n * n * static_cast<size_t>(n_));
    orbitals_.compute(places_.data(), count_, n_, order, [&](size_t a, size_t place, const BlochValue& value) {
      const auto put = [&](size_t x, Complex z) {
        double* const column = &all_[x][2 * n * (place % n + 2 * n * (place / n)) + a];
        column[0] = column[2 * n * n] = z.real();
        column[n] = column[2 * n * n + n] = z.imag();
      };
      put(0, value.psi);
      if (order == Order::value) return;
      for (size_t d = 0; d < 3; ++d) put(1 + d, value.gradient[d]);
      put(4, value.laplacian);
    });
  }
  // found_(n,walkers): the sums of all_[x] over the columns of their electrons.
  void find_all(size_t x) {
    const auto n = static_cast<size_t>(count_), all = n * static_cast<size_t>(n_);
    real_.resize(2 * all), found_.resize(all);
    ratios_->set("dbar", first_walkers(dbar_, n_));
    ratios_->set("phi", all_[x].data(), {2 * count_, 2 * count_, n_});
    ratios_->set("ratio", real_.data(), {2 * count_, n_});
    ratios_.run();
    ratios_->get("ratio", real_.data(), {2 * count_, n_});
    for (size_t k = 0; k < all; ++k) {
      const size_t at = k % n + 2 * n * (k / n);
      found_[k] = {real_[at], real_[at + n]};
    }
  }

  int64_t netot_, first_, count_, n_ = 0;
  int spin_;
  BlochSums orbitals_;
  app::TimedKernel ratio_, ratios_, invert_, update_;  // ratio_: of one electron; ratios_: of all
  Array<double> dbar_;
  std::vector<double> places_, one_, real_, imaginary_, columns_;
  std::array<std::vector<double>, orders> all_;
  std::vector<Complex> found_;
  std::vector<int32_t> moved_;
};

}  // namespace

std::unique_ptr<Part> make_complex_determinant(const System& system, const Implementation& how, const Device& device, int spin,
                                               int64_t capacity) {
  return std::make_unique<ComplexDeterminant>(system, how, device, spin, capacity);
}

}  // namespace suite::vmc
