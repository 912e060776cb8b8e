// SPDX-License-Identifier: BSD-3-Clause
#include "near_nuclei.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "crystal/crystal.hpp"

namespace suite::vmc {
namespace {

double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Point minus(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

}  // namespace

Proposal::Proposal(const Molecule& m, const Point& from, const Point& gradient, double tau) : tau_(tau) {
  double nearest = std::numeric_limits<double>::infinity();
  size_t ion = 0;
  for (size_t a = 0; a < m.charge.size(); ++a) {
    const Point R{m.rion[3 * a], m.rion[3 * a + 1], m.rion[3 * a + 2]};
    Point away = minus(from, R);
    if (m.crystal) qmc::closest_image(m.crystal->lattice.images, away[0], away[1], away[2]);
    if (const double square = dot(away, away); square < nearest) nearest = square, ion = a, nucleus_ = m.crystal ? minus(from, away) : R;
  }
  const bool cusp = m.bare(ion);  // a pseudopotential is smooth: there is nothing to jump to, and plain drift is right
  const double Z = m.charge[ion], z = std::sqrt(nearest), v2 = dot(gradient, gradient), v = std::sqrt(v2);
  const Point offset = minus(from, nucleus_);
  Point axis{0, 0, 1};
  if (z > 0) axis = {offset[0] / z, offset[1] / z, offset[2] / z};
  // Towards the nucleus (cosine -1) the drift is hardly limited, so that it is felt there.
  const double cosine = v > 0 ? dot(gradient, axis) / v : 0, Zz2 = Z * Z * nearest;
  const double a = cusp ? 0.5 * (1 + cosine) + Zz2 / (10 * (4 + Zz2)) : 0.5;
  const double factor = 2 / (1 + std::sqrt(1 + 2 * a * v2 * tau));
  const double along = factor * dot(gradient, axis);
  Point across;
  for (size_t d = 0; d < 3; ++d) across[d] = factor * gradient[d] - along * axis[d];
  // The drift along the axis stops at the nucleus, and what is across it shrinks on the way there.
  const double end = cusp ? std::max(z + along * tau, 0.0) : z + along * tau;
  const double shrink = !cusp ? 1 : z + end > 0 ? 2 * end / (z + end) : 0;
  for (size_t d = 0; d < 3; ++d) drifted_[d] = nucleus_[d] + end * axis[d] + shrink * tau * across[d];
  zeta_ = std::sqrt(Z * Z + 1 / tau);
  if (cusp) in_cusp_ = 0.5 * std::erfc((z + along * tau) / std::sqrt(2 * tau));
}

Proposal::Move Proposal::draw(int64_t seed, int64_t stream, int64_t sweep, int64_t electron) const {
  Move move;
  const qmc::Words choice = qmc::draw(seed, stream, sweep, electron, 1);
  if (qmc::uniform(choice.w[2], choice.w[3]) < in_cusp_) {
    const qmc::Words one = qmc::draw(seed, stream, sweep, electron, 2), two = qmc::draw(seed, stream, sweep, electron, 3);
    // r^2 exp(-2 zeta r) is the density of a sum of three exponential times.
    const double r = -std::log(qmc::open_uniform(one.w[0]) * qmc::open_uniform(one.w[1]) * qmc::open_uniform(one.w[2])) / (2 * zeta_);
    const double cosine = 2 * qmc::open_uniform(one.w[3]) - 1, sine = std::sqrt(1 - cosine * cosine);
    double x = 0, y = 0;
    qmc::turn_by(qmc::open_uniform(two.w[0]), x, y);
    move.to = {nucleus_[0] + r * sine * x, nucleus_[1] + r * sine * y, nucleus_[2] + r * cosine};
  } else {
    double g[3];
    qmc::move_gaussians(seed, stream, sweep, electron, g);
    for (size_t d = 0; d < 3; ++d) move.to[d] = drifted_[d] + std::sqrt(tau_) * g[d];
  }
  const Point step = minus(move.to, drifted_);
  move.squared = dot(step, step);
  return move;
}

double Proposal::density(const Point& to) const {
  constexpr double pi = std::numbers::pi;
  const Point step = minus(to, drifted_), away = minus(to, nucleus_);
  const double gaussian = std::exp(-dot(step, step) / (2 * tau_)) / std::pow(2 * pi * tau_, 1.5);
  return (1 - in_cusp_) * gaussian + in_cusp_ * zeta_ * zeta_ * zeta_ / pi * std::exp(-2 * zeta_ * std::sqrt(dot(away, away)));
}

}  // namespace suite::vmc
