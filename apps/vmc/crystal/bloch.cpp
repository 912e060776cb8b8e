// SPDX-License-Identifier: BSD-3-Clause
#include "bloch.hpp"

#include <algorithm>
#include <cmath>

#include "crystal.hpp"
#include "kernel_arguments.hpp"

namespace suite::vmc {
namespace {

using Complex = std::complex<double>;

// Without the checks for infinities that * of complex numbers has.
Complex product(Complex a, Complex b) { return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()}; }
Complex times_i(Complex a, double factor) { return {-factor * a.imag(), factor * a.real()}; }

}  // namespace

BlochSums::BlochSums(const System& system, const Implementation& how, const Device& device, int spin)
    : table_(*system.molecule->crystal->spin[static_cast<size_t>(spin)]), kernel_("qmc.orbitals_blip", how.name, how.variant, device) {
  set_splines(kernel_.kernel(), *system.molecule->crystal, spin);
  for (const SplineOrbital& orbital : table_.orbital) {
    const auto found = std::find(k_.begin(), k_.end(), orbital.k);
    wave_.push_back(static_cast<size_t>(found - k_.begin()));
    if (found == k_.end()) k_.push_back(orbital.k);
  }
  turn_.resize(k_.size());
}

void BlochSums::run_splines(const double* r, int64_t npos, int64_t walkers, Order order) {
  const int64_t n = table_.nspline;
  const auto count = static_cast<size_t>(n * npos * walkers);
  splines_.resize(count);
  if (order >= Order::gradient) gradient_.resize(3 * count);
  if (order >= Order::laplacian) laplacian_.resize(count);
  const suite_array values = describe(splines_.data(), {n, npos, walkers}), gradients = describe(gradient_.data(), {n, 3, npos, walkers}),
                    laplacians = describe(laplacian_.data(), {n, npos, walkers});
  kernel_->set("r", r, {3, npos, walkers});
  set_outputs(kernel_.kernel(), order, values, gradients, laplacians);
  kernel_.run();
  kernel_->get("phi", values);
  if (order >= Order::gradient) kernel_->get("dphi", gradients);
  if (order >= Order::laplacian) kernel_->get("d2phi", laplacians);
}

void BlochSums::turn(const double* r) {
  for (size_t w = 0; w < k_.size(); ++w) {
    const double angle = k_[w][0] * r[0] + k_[w][1] * r[1] + k_[w][2] * r[2];
    turn_[w] = {std::cos(angle), std::sin(angle)};
  }
}

BlochValue BlochSums::value_at(size_t i, size_t place, Order order) const {
  const SplineOrbital& orbital = table_.orbital[i];
  const auto n = static_cast<size_t>(table_.nspline);
  const Complex turned = turn_[wave_[i]];
  const auto of = [&](const double* splines) -> Complex {
    return {splines[orbital.real], orbital.imaginary == SplineOrbital::none ? 0 : splines[orbital.imaginary]};
  };
  BlochValue value;
  const Complex u = of(&splines_[n * place]);
  value.psi = product(turned, u);
  if (order < Order::gradient) return value;
  Complex along = 0;  // 2i k.grad u
  double square = 0;
  for (size_t d = 0; d < 3; ++d) {
    const double k = orbital.k[d];
    const Complex du = of(&gradient_[n * (3 * place + d)]);
    value.gradient[d] = product(turned, du + times_i(u, k));
    along += times_i(du, 2 * k);
    square += k * k;
  }
  if (order < Order::laplacian) return value;
  value.laplacian = product(turned, of(&laplacian_[n * place]) + along - square * u);
  return value;
}

}  // namespace suite::vmc
