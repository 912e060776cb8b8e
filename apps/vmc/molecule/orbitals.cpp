// SPDX-License-Identifier: BSD-3-Clause
#include "orbitals.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "crystal/crystal.hpp"
#include "cusp.hpp"
#include "device_arrays.hpp"
#include "kernel_arguments.hpp"
#include "measure/timed_kernel.hpp"
#include "molecule.hpp"

namespace suite::vmc {
namespace {

// Arrays of a kernel up to an order; the others are unset.
void set_outputs(Kernel& kernel, Order order, const suite_array& phi, const suite_array& dphi, const suite_array& d2phi) {
  const suite_array unset = describe<double>(nullptr, {});
  kernel.set("phi", phi);
  kernel.set("dphi", order >= Order::gradient ? dphi : unset);
  kernel.set("d2phi", order >= Order::laplacian ? d2phi : unset);
}

// Gaussian functions. The cusps are added on the host.
class GaussianOrbitals final : public Orbitals {
public:
  GaussianOrbitals(const System& system, const Implementation& how, const Device& device, int spin, int64_t positions, int64_t capacity)
      : Orbitals(device, system.nele[static_cast<size_t>(spin)], positions, capacity),
        cusps_(*system.molecule, spin),
        kernel_("qmc.orbitals_gaussian", how.name, how.variant, device) {
    set_shells(kernel_.kernel(), *system.molecule, spin);
  }

  void compute(const double* r, int64_t walkers, Order order) override {
    kernel_->set("r", r, {3, npos(), walkers});
    set_outputs(kernel_.kernel(), order, phi(walkers), dphi(walkers), d2phi(walkers));
    kernel_.run();
    const std::span<const double> at{r, static_cast<size_t>(3 * npos() * walkers)};
    if (!cusps_.reaches(at)) return;
    double* data[3]{};
    on_host(walkers, order, true, data);
    cusps_.add(at, data[0], data[1], data[2]);
    put_back(walkers, order, data);
  }
  void add_records(std::vector<app::Row>& records) const override { kernel_.add_to(records); }

private:
  CuspCorrection cusps_;
  app::TimedKernel kernel_;
};

// Splines that are the orbitals: those of a crystal at k = 0.
class PlainSplines final : public Orbitals {
public:
  PlainSplines(const System& system, const Implementation& how, const Device& device, int spin, int64_t positions, int64_t capacity)
      : Orbitals(device, system.nele[static_cast<size_t>(spin)], positions, capacity),
        kernel_("qmc.orbitals_blip", how.name, how.variant, device) {
    set_splines(kernel_.kernel(), *system.molecule->crystal, spin);
  }

  void compute(const double* r, int64_t walkers, Order order) override {
    kernel_->set("r", r, {3, npos(), walkers});
    set_outputs(kernel_.kernel(), order, phi(walkers), dphi(walkers), d2phi(walkers));
    kernel_.run();
  }
  void add_records(std::vector<app::Row>& records) const override { kernel_.add_to(records); }

private:
  app::TimedKernel kernel_;
};

// Re or Im of exp(i k.r) (A + iB) with splines A and B, made from them on the host.
class BlochSplines final : public Orbitals {
public:
  BlochSplines(const System& system, const Implementation& how, const Device& device, int spin, int64_t positions, int64_t capacity)
      : Orbitals(device, system.nele[static_cast<size_t>(spin)], positions, capacity),
        table_(*system.molecule->crystal->spin[static_cast<size_t>(spin)]),
        kernel_("qmc.orbitals_blip", how.name, how.variant, device) {
    set_splines(kernel_.kernel(), *system.molecule->crystal, spin);
    for (const SplineOrbital& orbital : table_.orbital) {
      const auto found = std::find(k_.begin(), k_.end(), orbital.k);
      wave_.push_back(static_cast<size_t>(found - k_.begin()));
      if (found == k_.end()) k_.push_back(orbital.k);
    }
    turn_.resize(k_.size());
  }

  void compute(const double* r, int64_t walkers, Order order) override {
    const int64_t n = table_.nspline;
    const auto places = static_cast<size_t>(npos() * walkers), count = static_cast<size_t>(n) * places;
    value_.resize(count);
    if (order >= Order::gradient) gradient_.resize(3 * count);
    if (order >= Order::laplacian) laplacian_.resize(count);
    kernel_->set("r", r, {3, npos(), walkers});
    set_outputs(kernel_.kernel(), order, describe(value_.data(), {n, npos(), walkers}), describe(gradient_.data(), {n, 3, npos(), walkers}),
                describe(laplacian_.data(), {n, npos(), walkers}));
    kernel_.run();
    kernel_->get("phi", value_.data(), {n, npos(), walkers});
    if (order >= Order::gradient) kernel_->get("dphi", gradient_.data(), {n, 3, npos(), walkers});
    if (order >= Order::laplacian) kernel_->get("d2phi", laplacian_.data(), {n, npos(), walkers});
    double* data[3]{};
    on_host(walkers, order, false, data);
    for (size_t place = 0; place < places; ++place) combine(r + 3 * place, place, order, data);
    put_back(walkers, order, data);
  }
  void add_records(std::vector<app::Row>& records) const override { kernel_.add_to(records); }

private:
  using Pair = std::array<double, 2>;  // real and imaginary part

  void combine(const double* r, size_t place, Order order, double* const (&data)[3]) {
    for (size_t w = 0; w < k_.size(); ++w) {
      const double angle = k_[w][0] * r[0] + k_[w][1] * r[1] + k_[w][2] * r[2];
      turn_[w] = {std::cos(angle), std::sin(angle)};
    }
    const auto n = static_cast<size_t>(table_.nspline), norb = table_.orbital.size();
    const double *const value = &value_[n * place], *const gradient = &gradient_[order >= Order::gradient ? 3 * n * place : 0],
                        *const laplacian = &laplacian_[order >= Order::laplacian ? n * place : 0];
    for (size_t i = 0; i < norb; ++i) {
      const SplineOrbital& orbital = table_.orbital[i];
      const auto& k = orbital.k;
      const auto part = [&](Pair u) {
        const Pair& e = turn_[wave_[i]];
        return orbital.sine ? e[1] * u[0] + e[0] * u[1] : e[0] * u[0] - e[1] * u[1];
      };
      const auto of = [&](const double* splines) -> Pair {
        return {splines[orbital.real], orbital.imaginary == SplineOrbital::none ? 0 : splines[orbital.imaginary]};
      };
      const Pair u = of(value);
      data[0][norb * place + i] = part(u);
      if (order < Order::gradient) continue;
      Pair along{};  // 2 k.grad u
      double square = 0;
      for (size_t d = 0; d < 3; ++d) {
        const Pair du = of(gradient + n * d);
        data[1][norb * (3 * place + d) + i] = part({du[0] - k[d] * u[1], du[1] + k[d] * u[0]});
        for (size_t c = 0; c < 2; ++c) along[c] += 2 * k[d] * du[c];
        square += k[d] * k[d];
      }
      if (order < Order::laplacian) continue;
      const Pair d2u = of(laplacian);
      data[2][norb * place + i] = part({d2u[0] - along[1] - square * u[0], d2u[1] + along[0] - square * u[1]});
    }
  }

  const SplineTable& table_;
  app::TimedKernel kernel_;
  std::vector<std::array<double, 3>> k_;  // different ones
  std::vector<size_t> wave_;              // of each orbital, its k
  std::vector<Pair> turn_;
  std::vector<double> value_, gradient_, laplacian_;  // (nspline,npos,n), (nspline,3,npos,n), (nspline,npos,n)
};

}  // namespace

Orbitals::Orbitals(const Device& device, int64_t norb, int64_t npos, int64_t capacity)
    : device_(device),
      norb_(norb),
      npos_(npos),
      phi_(device, {norb, npos, capacity}),
      dphi_(device, {norb, 3, npos, capacity}),
      d2phi_(device, {norb, npos, capacity}) {}

suite_array Orbitals::phi(int64_t walkers) const { return first_walkers(phi_, walkers); }
suite_array Orbitals::dphi(int64_t walkers) const { return first_walkers(dphi_, walkers); }
suite_array Orbitals::d2phi(int64_t walkers) const { return first_walkers(d2phi_, walkers); }

void Orbitals::on_host(int64_t walkers, Order order, bool keep, double* (&data)[3]) {
  const suite_array arrays[3] = {phi(walkers), dphi(walkers), d2phi(walkers)};
  for (int k = 0; k <= static_cast<int>(order); ++k) {
    if (arrays[k].place == SUITE_HOST) {
      data[k] = static_cast<double*>(arrays[k].data);
      continue;
    }
    host_[k].resize(static_cast<size_t>(count_of(arrays[k])));
    data[k] = host_[k].data();
    if (keep) copy(device_, arrays[k], data[k], Direction::to_host);
  }
}

void Orbitals::put_back(int64_t walkers, Order order, double* const (&data)[3]) {
  const suite_array arrays[3] = {phi(walkers), dphi(walkers), d2phi(walkers)};
  for (int k = 0; k <= static_cast<int>(order); ++k)
    if (arrays[k].place != SUITE_HOST) copy(device_, arrays[k], data[k], Direction::to_device);
}

std::unique_ptr<Orbitals> make_orbitals(const System& system, const Implementation& how, const Device& device, int spin, int64_t npos,
                                        int64_t capacity) {
  if (!system.crystal()) return std::make_unique<GaussianOrbitals>(system, how, device, spin, npos, capacity);
  if (system.molecule->crystal->spin[static_cast<size_t>(spin)]->plain())
    return std::make_unique<PlainSplines>(system, how, device, spin, npos, capacity);
  return std::make_unique<BlochSplines>(system, how, device, spin, npos, capacity);
}

}  // namespace suite::vmc
