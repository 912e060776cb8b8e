// SPDX-License-Identifier: BSD-3-Clause
#include "orbitals.hpp"

#include <span>

#include "crystal/bloch.hpp"
#include "crystal/crystal.hpp"
#include "cusp.hpp"
#include "device_arrays.hpp"
#include "kernel_arguments.hpp"
#include "measure/timed_kernel.hpp"
#include "molecule.hpp"

namespace suite::vmc {
namespace {

// Gaussian or Slater functions. The cusps of Gaussians are added on the host.
class OrbitalsOfShells final : public Orbitals {
public:
  OrbitalsOfShells(const System& system, const Implementation& how, const Device& device, int spin, int64_t positions, int64_t capacity)
      : Orbitals(device, system.nele[static_cast<size_t>(spin)], positions, capacity),
        cusps_(*system.molecule, spin),
        kernel_(kernel_of_orbitals(system), how.name, how.variant, device) {
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
        orbital_(system.molecule->crystal->spin[static_cast<size_t>(spin)]->orbital),
        sums_(system, how, device, spin) {}

  void compute(const double* r, int64_t walkers, Order order) override {
    double* data[3]{};
    on_host(walkers, order, false, data);
    const size_t n = orbital_.size();
    sums_.compute(r, npos(), walkers, order, [&](size_t i, size_t place, const BlochValue& value) {
      const auto part = [&](std::complex<double> z) { return orbital_[i].sine ? z.imag() : z.real(); };
      data[0][n * place + i] = part(value.psi);
      for (size_t d = 0; d < 3 && order >= Order::gradient; ++d) data[1][n * (3 * place + d) + i] = part(value.gradient[d]);
      if (order >= Order::laplacian) data[2][n * place + i] = part(value.laplacian);
    });
    put_back(walkers, order, data);
  }
  void add_records(std::vector<app::Row>& records) const override { sums_.add_records(records); }

private:
  const std::vector<SplineOrbital>& orbital_;
  BlochSums sums_;
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

const char* kernel_of_orbitals(const System& system) {
  return system.crystal() ? "qmc.orbitals_blip" : system.molecule->slater() ? "qmc.orbitals_slater" : "qmc.orbitals_gaussian";
}

std::unique_ptr<Orbitals> make_orbitals(const System& system, const Implementation& how, const Device& device, int spin, int64_t npos,
                                        int64_t capacity) {
  if (!system.crystal()) return std::make_unique<OrbitalsOfShells>(system, how, device, spin, npos, capacity);
  if (system.molecule->crystal->spin[static_cast<size_t>(spin)]->plain())
    return std::make_unique<PlainSplines>(system, how, device, spin, npos, capacity);
  return std::make_unique<BlochSplines>(system, how, device, spin, npos, capacity);
}

}  // namespace suite::vmc
