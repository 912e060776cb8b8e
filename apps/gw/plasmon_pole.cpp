// SPDX-License-Identifier: BSD-3-Clause
// Complex form: Zhang, Tomanek, Cohen, Louie, Hybertsen, Phys. Rev. B 40, 3162 (1989); real form: Hybertsen
// and Louie, Phys. Rev. B 34, 5390 (1986); two frequencies: Godby and Needs, Phys. Rev. Lett. 62, 1169
// (1989). The thresholds are BerkeleyGW's.
#include "plasmon_pole.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include <fmt/core.h>

#include <suite/plugin.hpp>

namespace suite::gw {
namespace {

using Complex = std::complex<double>;
constexpr double small = 1e-6;         // of I, of Omega^2 in eV^2, of |z| in eV^2, of cos(arg z)
constexpr double static_limit = 1e12;  // eV; every I w/(x-w) is -I then

// Where w^2 is negative there is no pole, and the mode says what stands in for it.
Complex invalid_pole(Complex w2, int mode) {
  switch (mode) {
    case 0: return 0;
    case 1: return std::sqrt(w2);
    case 2: return 2 * rydberg_eV;
    default: return static_limit;
  }
}

// w of Omega^2 = z I, where z = |z| exp(i phi) gives w^2 = |z|/cos(phi) = |z|^2/Re z; in the real form w^2 =
// z. Written with z I* I = Omega^2 I* to avoid the division by a small I.
struct Pole {
  Complex w;
  bool valid = true;
};
Pole pole(Complex omega2, Complex I, bool real_flavour, int mode) {
  const double overlap = omega2.real() * I.real() + omega2.imag() * I.imag();  // Re z |I|^2
  const double norm_I = std::norm(I), norm_omega = std::norm(omega2);
  double w2 = overlap / norm_I;
  if (!real_flavour) {
    if (norm_omega < small * small * norm_I) return {};                      // |z|
    if (overlap * overlap < small * small * norm_omega * norm_I) return {};  // |cos phi|
    w2 = norm_omega / overlap;
  }
  return w2 < 0 ? Pole{invalid_pole(w2, mode), false} : Pole{std::sqrt(w2)};
}

Complex strength(const PlasmonPoleInput& input, const Complex* eps_inverse, int ig, int igp) {
  return (ig == igp ? 1.0 : 0.0) - eps_inverse[ig + static_cast<size_t>(igp) * input.ncouls];
}

void count(PoleCount& all, double weight, bool valid) {
  ++all.pairs;
  all.weight += weight;
  if (valid) return;
  ++all.invalid;
  all.invalid_weight += weight;
}

void check(const PlasmonPoleInput& input) {
  if (input.invalid_gpp_mode < 0 || input.invalid_gpp_mode > 3)
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("invalid_gpp_mode is {}; it can be 0, 1, 2 or 3", input.invalid_gpp_mode));
}

}  // namespace

Density::Density(std::span<const Miller> G, std::span<const std::complex<double>> rho) : g_(G.begin(), G.end()) {
  if (G.size() != rho.size())
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("the density has {} values for {} G vectors", rho.size(), G.size()));
  constexpr int largest = 1000;  // no file of this world needs a larger box
  for (const auto& g : G)
    for (int i = 0; i < 3; ++i) {
      if (std::abs(g[i]) > largest)
        throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("the density has a G vector with component {}", g[i]));
      reach_[i] = std::max(reach_[i], std::abs(g[i]));
    }
  if (G.empty()) return;
  box_.resize(static_cast<size_t>(2 * reach_[0] + 1) * (2 * reach_[1] + 1) * (2 * reach_[2] + 1));
  for (size_t i = 0; i < G.size(); ++i) {
    const auto& g = G[i];
    box_[(static_cast<size_t>(g[0] + reach_[0]) * (2 * reach_[1] + 1) + (g[1] + reach_[1])) * (2 * reach_[2] + 1) + (g[2] + reach_[2])] =
        rho[i];
  }
  electrons_ = at({0, 0, 0}).real();
}

PoleCount hybertsen_louie(const PlasmonPoleInput& input, Complex* I_eps, Complex* wtilde) {
  check(input);
  PoleCount counted;
  const int n = input.ncouls;
  const double electrons = input.rho ? input.rho->electrons() : 0;
  if (!(electrons > 0) || !(input.volume > 0))
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("the plasmon-pole model needs a positive density and "
                                                      "volume; they are {:f} electrons in {:f} bohr^3",
                                                      electrons, input.volume));
  // plasma frequency squared, 4 pi n in Ha^2, and what multiplies rho(G-G') (q+G).(q+G') v(q+G)
  const double plasma2 = rydberg_eV * rydberg_eV * 16 * std::numbers::pi * electrons / input.volume;
  const double factor = plasma2 / (electrons * 8 * std::numbers::pi);
  std::vector<Vector3> x(n), bx(n);  // q+G and bdot (q+G)
  int zero = -1;
  for (int ig = 0; ig < n; ++ig) {
    for (int i = 0; i < 3; ++i) x[ig][i] = input.G[ig][i] + (input.q_is_zero ? 0.0 : input.q[i]);
    for (int i = 0; i < 3; ++i) bx[ig][i] = input.bdot[i][0] * x[ig][0] + input.bdot[i][1] * x[ig][1] + input.bdot[i][2] * x[ig][2];
    if (input.q_is_zero && input.G[ig] == Miller{0, 0, 0}) zero = ig;
  }
  for (int igp = 0; igp < n; ++igp)
    for (int ig = 0; ig < n; ++ig) {
      const size_t at = ig + static_cast<size_t>(igp) * n;
      I_eps[at] = wtilde[at] = 0;
      const Complex I = strength(input, input.eps_inverse, ig, igp);
      if (std::norm(I) < small * small) continue;
      I_eps[at] = I;
      Complex omega2;
      if (ig == zero) {  // q+G = 0: the product of v and the dot product has the limit of its diagonal only
        omega2 = igp == zero ? plasma2 : 0;
      } else {
        const Miller& a = input.G[ig];
        const Miller& b = input.G[igp];
        const double product = x[igp][0] * bx[ig][0] + x[igp][1] * bx[ig][1] + x[igp][2] * bx[ig][2];
        omega2 = factor * product * input.vcoul[ig] * input.rho->at({a[0] - b[0], a[1] - b[1], a[2] - b[2]});
      }
      if (std::norm(omega2) < small * small) continue;
      const Pole found = pole(omega2, I, input.real_flavour, input.invalid_gpp_mode);
      wtilde[at] = found.w;
      count(counted, std::abs(I) * input.vcoul[igp], found.valid);
    }
  return counted;
}

PoleCount godby_needs(const PlasmonPoleInput& input, const Complex* eps_inverse_imaginary, double plasmon_eV, Complex* I_eps,
                      Complex* wtilde) {
  check(input);
  PoleCount counted;
  const int n = input.ncouls;
  for (int igp = 0; igp < n; ++igp)
    for (int ig = 0; ig < n; ++ig) {
      const size_t at = ig + static_cast<size_t>(igp) * n;
      I_eps[at] = wtilde[at] = 0;
      const Complex I = strength(input, input.eps_inverse, ig, igp);
      const Complex I2 = strength(input, eps_inverse_imaginary, ig, igp);
      if (std::norm(I) < small * small && std::norm(I2) < small * small) continue;
      I_eps[at] = I;
      // I(i p) = I w^2/(w^2 + p^2). Without inversion symmetry I and I2 have different phases and the
      // quotient is complex; its real part counts.
      const Complex w2 = plasmon_eV * plasmon_eV * I2 / (I - I2);
      if (!std::isfinite(w2.real()) || !std::isfinite(w2.imag())) wtilde[at] = static_limit;  // no decay with frequency at all
      else wtilde[at] = w2.real() < 0 ? invalid_pole(w2, input.invalid_gpp_mode) : std::sqrt(w2.real());
      count(counted, std::abs(I) * input.vcoul[igp], !(w2.real() < 0));
    }
  return counted;
}

}  // namespace suite::gw
