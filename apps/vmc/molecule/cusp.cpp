// SPDX-License-Identifier: BSD-3-Clause
#include "cusp.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <suite/qmc/shells.hpp>
#include <suite/qmc/solid_harmonics.hpp>
#include <suite/qmc/sphere_rule.hpp>

namespace suite::vmc {
namespace {

constexpr double negligible = 1e-7;  // bohr^-3/2: an orbital that is smaller at a nucleus has a node there, and no cusp

// The local energy of s electrons in atoms in units of Z^2, up to a constant: the fit of Ma et al.
double ideal_energy(double r) {
  constexpr double c[] = {3.25819, -15.0126, 33.7308, -42.8705, 31.2276, -12.1316, 1.94692};
  double sum = 0;
  for (int k = 6; k >= 0; --k) sum = sum * r + c[k];
  return sum * r * r;
}

// How far from the ideal the local energy of an s part minus its shift, f, is at r; curvature: lap f/f. The nucleus attracts it with a charge
// Z_eff that makes up for the rest of the orbital.
double excess(double curvature, double Z_eff, double Z, double r) { return -0.5 * curvature - Z_eff / r - Z * Z * ideal_energy(r); }
double effective_charge(const OrbitalAtNucleus& of, double shift, double at_nucleus) {
  return of.Z * (1 + (of.rest + shift) / (at_nucleus - shift));
}

// The cusp that has this value at the nucleus.
Cusp cusp_through(const OrbitalAtNucleus& of, double R, double shift, double at_nucleus) {
  const Radial end = of.s_part(R);
  const double f = end.value - shift, slope = end.slope / f, second = (end.laplacian - 2 * end.slope / R) / f - slope * slope;
  Cusp cusp{R, shift, std::copysign(1.0, f), {}};
  cusp.p[0] = std::log(std::abs(at_nucleus - shift));
  cusp.p[1] = -effective_charge(of, shift, at_nucleus);
  // What the terms of r^2, r^3 and r^4 must add at R: to p, R p' and R^2 p''.
  const double a = std::log(std::abs(f)) - cusp.p[0] - cusp.p[1] * R, b = R * (slope - cusp.p[1]), c = R * R * second;
  cusp.p[2] = (6 * a - 3 * b + 0.5 * c) / (R * R);
  cusp.p[3] = (-8 * a + 5 * b - c) / (R * R * R);
  cusp.p[4] = (3 * a - 2 * b + 0.5 * c) / (R * R * R * R);
  return cusp;
}

double worst_excess(const OrbitalAtNucleus& of, const Cusp& cusp) {
  constexpr int points = 200;
  const double Z_eff = -cusp.p[1];
  const double end = excess(cusp.curvature(cusp.radius), Z_eff, of.Z, cusp.radius);
  double worst = 0;
  for (int k = 0; k < points; ++k) {
    const double r = cusp.radius * std::max<double>(k, 1e-3) / points;  // at the nucleus itself infinities cancel
    worst = std::max(worst, std::abs(excess(cusp.curvature(r), Z_eff, of.Z, r) - end));
  }
  return worst;
}

bool has_node(const OrbitalAtNucleus& of, double shift, double radius) {
  constexpr int points = 200;
  const double at_nucleus = of.s_part(0).value - shift;
  for (int k = 0; k <= points; ++k)
    if (!((of.s_part(radius * k / points).value - shift) * at_nucleus > 0)) return true;
  return false;
}

// Where the local energy of the s part, come from `largest`, leaves the ideal by Z^2/50.
double radius_of(const OrbitalAtNucleus& of, double shift, double largest) {
  constexpr int points = 200;
  const double Z_eff = effective_charge(of, shift, of.s_part(0).value);
  const auto at = [&](double r) {
    const Radial f = of.s_part(r);
    return excess(f.laplacian / (f.value - shift), Z_eff, of.Z, r);
  };
  const double end = at(largest);
  for (int k = points - 1; k > 1; --k) {
    const double r = largest * k / points;
    if (!(std::abs(at(r) - end) < of.Z * of.Z / 50)) return r;
  }
  return largest / points;
}

}  // namespace

Radial OrbitalAtNucleus::s_part(double r) const {
  Radial f;
  for (size_t k = 0; k < exponent.size(); ++k) {
    const double g = exponent[k], value = coefficient[k] * std::exp(-g * r * r);
    f.value += value;
    f.slope -= 2 * g * r * value;
    f.laplacian += (4 * g * r * r - 6) * g * value;
  }
  return f;
}

double Cusp::slope(double r) const { return p[1] + r * (2 * p[2] + r * (3 * p[3] + r * 4 * p[4])); }

double Cusp::curvature(double r) const {
  const double first = slope(r), second = 2 * p[2] + r * (6 * p[3] + r * 12 * p[4]);
  return second + first * first + 2 * first / r;
}

Radial Cusp::at(double r) const {
  const double value = sign * std::exp(p[0] + r * (p[1] + r * (p[2] + r * (p[3] + r * p[4]))));
  return {shift + value, value * slope(r), value * curvature(r)};
}

Cusp best_cusp_within(const OrbitalAtNucleus& of, double radius, double shift) {
  const double at_nucleus = of.s_part(0).value - shift;
  const auto with = [&](double factor) { return cusp_through(of, radius, shift, shift + factor * at_nucleus); };
  const auto badness = [&](double factor) { return worst_excess(of, with(factor)); };
  // The best of factors from 0.5 to 2, and then by golden section between its neighbours.
  constexpr double ratio = 1.01, golden = 0.6180339887498949;
  constexpr int most = 70, sections = 50;
  int best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int k = -most; k <= most; ++k)
    if (const double found = badness(std::pow(ratio, k)); found < least) least = found, best = k;
  double low = std::pow(ratio, best - 1), high = std::pow(ratio, best + 1);
  for (int k = 0; k < sections; ++k) {
    const double a = high - golden * (high - low), b = low + golden * (high - low);
    if (badness(a) < badness(b)) high = b;
    else low = a;
  }
  return with(0.5 * (low + high));
}

Cusp best_cusp(const OrbitalAtNucleus& of, double largest) {
  const double s = of.s_part(0).value, all = s + of.rest;
  if (!(std::abs(all) > negligible)) return {};
  // Where most of the orbital comes from elsewhere, the s part is taken together with the rest, as if that were constant.
  std::array<double, 2> shifts{0, -of.rest};
  if (std::abs(s) < 0.5 * std::abs(all)) std::swap(shifts[0], shifts[1]);
  for (double most = std::min(largest, 1 / of.Z);; most /= 2)
    for (const double shift : shifts)
      if (!has_node(of, shift, most)) return best_cusp_within(of, radius_of(of, shift, most), shift);
}

CuspCorrection::CuspCorrection(const Molecule& m, int spin)
    : molecule_(m), mo_(m.mo[static_cast<size_t>(spin)]), n_(mo_.size() / static_cast<size_t>(m.nao())) {
  if (!m.cusps) return;
  for (size_t ion = 0; ion < m.charge.size(); ++ion) {
    if (!m.bare(ion)) continue;
    Sphere sphere{ion, 0, {}, std::vector<std::vector<double>>(n_), {}};
    size_t ao = 0;
    for (size_t s = 0; s < m.shell_l.size(); ao += static_cast<size_t>(2 * m.shell_l[s] + 1), ++s) {
      if (m.shell_l[s] != 0 || m.shell_ion[s] != static_cast<int32_t>(ion) + 1) continue;
      for (auto k = static_cast<size_t>(m.shell_first[s] - 1); k < static_cast<size_t>(m.shell_first[s + 1] - 1); ++k) {
        sphere.exponent.push_back(m.exponent[k]);
        for (size_t i = 0; i < n_; ++i) sphere.coefficient[i].push_back(m.coefficient[k] * mo_[ao + static_cast<size_t>(m.nao()) * i]);
      }
    }
    double largest = std::numeric_limits<double>::infinity();
    for (size_t other = 0; other < m.charge.size(); ++other)
      if (other != ion) largest = std::min(largest, 0.5 * distance(sphere, &m.rion[3 * other]));
    for (size_t i = 0; i < n_; ++i) {
      sphere.cusp.push_back(best_cusp(orbital(sphere, i), largest));
      sphere.radius = std::max(sphere.radius, sphere.cusp.back().radius);
    }
    if (sphere.radius > 0) spheres_.push_back(std::move(sphere));
  }
}

OrbitalAtNucleus CuspCorrection::orbital(const Sphere& sphere, size_t i) const {
  return {sphere.exponent, sphere.coefficient[i], of_other_ions(sphere.ion, &molecule_.rion[3 * sphere.ion])[i],
          molecule_.charge[sphere.ion]};
}

double CuspCorrection::distance(const Sphere& sphere, const double* r) const {
  const double* const R = &molecule_.rion[3 * sphere.ion];
  return std::hypot(r[0] - R[0], r[1] - R[1], r[2] - R[2]);
}

std::vector<double> CuspCorrection::of_other_ions(size_t ion, const double* r) const {
  const Molecule& m = molecule_;
  std::vector<double> sum(n_, 0.0);
  size_t ao = 0;
  for (size_t s = 0; s < m.shell_l.size(); ++s) {
    const int l = m.shell_l[s];
    const size_t functions = static_cast<size_t>(2 * l + 1), first = ao;
    ao += functions;
    if (m.shell_ion[s] == static_cast<int32_t>(ion) + 1) continue;
    const double* const R = &m.rion[3 * static_cast<size_t>(m.shell_ion[s] - 1)];
    const double x = r[0] - R[0], y = r[1] - R[1], z = r[2] - R[2], r2 = x * x + y * y + z * z;
    double radial = 0, harmonic[qmc::harmonics_to(qmc::largest_l)];
    for (auto k = static_cast<size_t>(m.shell_first[s] - 1); k < static_cast<size_t>(m.shell_first[s + 1] - 1); ++k)
      radial += m.coefficient[k] * std::exp(-m.exponent[k] * r2);
    qmc::by_l(l, [&](auto top) { qmc::solid_harmonics<top()>(x, y, z, r2, harmonic); });
    for (size_t k = 0; k < functions; ++k) {
      const double value = radial * harmonic[static_cast<size_t>(l * l) + k] * qmc::harmonic_norm(l, static_cast<int64_t>(k));
      for (size_t i = 0; i < n_; ++i) sum[i] += value * mo_[first + k + static_cast<size_t>(m.nao()) * i];
    }
  }
  return sum;
}

Radial CuspCorrection::change(const Sphere& sphere, size_t i, double r) const {
  if (!(r < sphere.cusp[i].radius)) return {};
  const Radial now = sphere.cusp[i].at(r), before = OrbitalAtNucleus{sphere.exponent, sphere.coefficient[i]}.s_part(r);
  return {now.value - before.value, now.slope - before.slope, now.laplacian - before.laplacian};
}

bool CuspCorrection::reaches(std::span<const double> r) const {
  for (const Sphere& sphere : spheres_)
    for (size_t k = 0; k < r.size(); k += 3)
      if (distance(sphere, &r[k]) < sphere.radius) return true;
  return false;
}

void CuspCorrection::add(std::span<const double> r, double* phi, double* dphi, double* d2phi) const {
  for (const Sphere& sphere : spheres_) {
    const double* const R = &molecule_.rion[3 * sphere.ion];
    for (size_t k = 0; k < r.size() / 3; ++k) {
      const double from = distance(sphere, &r[3 * k]);
      if (!(from < sphere.radius)) continue;
      for (size_t i = 0; i < n_; ++i) {
        const Radial here = change(sphere, i, from);
        phi[i + n_ * k] += here.value;
        for (size_t d = 0; d < 3 && dphi && from > 0; ++d) dphi[i + n_ * (d + 3 * k)] += here.slope * (r[3 * k + d] - R[d]) / from;
        if (d2phi) d2phi[i + n_ * k] += here.laplacian;
      }
    }
  }
}

// A change is spherical and ends smoothly at its radius, so that only the mean of an orbital over directions counts, and by parts the
// integral of its gradient times that of a change is minus that of the orbital times the Laplacian of the change.
Integrals CuspCorrection::corrected(Integrals integrals) const {
  constexpr int intervals = 128;  // by Simpson's rule
  const qmc::SphereRule rule = qmc::sphere_rule(50);
  std::vector<double> mean(n_);
  std::vector<Radial> changes(n_);
  for (const Sphere& sphere : spheres_)
    for (int k = 1; k < intervals; ++k) {
      const double r = sphere.radius * k / intervals;
      const double weight = 4 * std::numbers::pi * r * r * sphere.radius / intervals * (k % 2 ? 4 : 2) / 3;
      for (size_t i = 0; i < n_; ++i) {
        mean[i] = OrbitalAtNucleus{sphere.exponent, sphere.coefficient[i]}.s_part(r).value;
        changes[i] = change(sphere, i, r);
      }
      for (size_t q = 0; q < rule.point.size(); ++q) {
        double at[3];
        for (size_t d = 0; d < 3; ++d) at[d] = molecule_.rion[3 * sphere.ion + d] + r * rule.point[q][d];
        const auto others = of_other_ions(sphere.ion, at);
        for (size_t i = 0; i < n_; ++i) mean[i] += rule.weight[q] * others[i];
      }
      for (size_t j = 0; j < n_; ++j)
        for (size_t i = 0; i < n_; ++i) {
          const Radial &a = changes[i], &b = changes[j];
          integrals.overlap[i + n_ * j] += weight * (mean[i] * b.value + a.value * mean[j] + a.value * b.value);
          integrals.kinetic[i + n_ * j] -= 0.5 * weight * (mean[i] * b.laplacian + a.laplacian * mean[j] - a.slope * b.slope);
        }
    }
  return integrals;
}

}  // namespace suite::vmc
