// SPDX-License-Identifier: BSD-3-Clause
#include "contour_rule.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <suite/plugin.hpp>

namespace suite::gw {

ImaginaryIntegral::ImaginaryIntegral(ContourRule rule, std::vector<double> w) : rule_(rule), w_(std::move(w)) {
  if (w_.size() < 2 || w_[0] != 0) throw Failure(SUITE_INTERNAL, "the integral over imaginary frequencies has no grid from zero on");
  if (rule != ContourRule::spline) return;
  scale_ = w_[(w_.size() + 1) / 2];
  for (const double x : w_) t_.push_back(x / (x + scale_));
  t_.push_back(1);
}

void ImaginaryIntegral::take(const Complex* s) { rule_ == ContourRule::spline ? fit_spline(s) : cut_pieces(s); }

ImaginaryIntegral::Complex ImaginaryIntegral::at(double x) const {
  return (rule_ == ContourRule::spline ? of_spline(x) : of_pieces(x)) / std::numbers::pi;
}

// With the slopes at the nodes as unknowns: continuous second derivatives, and zero slopes at the ends.
void ImaginaryIntegral::fit_spline(const Complex* s) {
  const size_t n = w_.size();  // intervals
  const auto value = [&](size_t i) { return i < n ? s[i] : Complex{}; };
  std::vector<Complex> slope(n + 1), right(n + 1);
  std::vector<double> diagonal(n + 1);
  for (size_t i = 1; i < n; ++i) {
    const double a = 1 / (t_[i] - t_[i - 1]), b = 1 / (t_[i + 1] - t_[i]);
    diagonal[i] = 2 * (a + b);
    right[i] = 3.0 * (a * a * (value(i) - value(i - 1)) + b * b * (value(i + 1) - value(i)));
    if (i == 1) continue;
    const double factor = a / diagonal[i - 1];
    diagonal[i] -= factor * a;
    right[i] -= factor * right[i - 1];
  }
  for (size_t i = n; i-- > 1;) slope[i] = (right[i] - slope[i + 1] / (t_[i + 1] - t_[i])) / diagonal[i];
  cubics_.resize(n);
  for (size_t i = 0; i < n; ++i) {
    const double h = t_[i + 1] - t_[i];
    const Complex mean = (value(i + 1) - value(i)) / h;
    cubics_[i] = {{value(i), slope[i], (3.0 * mean - 2.0 * slope[i] - slope[i + 1]) / h, (slope[i] + slope[i + 1] - 2.0 * mean) / (h * h)}};
  }
}

// x/(x^2 + w^2) dw = x a dt / Q(t), Q = x^2 (1-t)^2 + a^2 t^2, whose integrals with powers of t are elementary.
ImaginaryIntegral::Complex ImaginaryIntegral::of_spline(double x) const {
  const double xa = x * scale_, q2 = x * x + scale_ * scale_;
  const auto q_at = [&](double t) { return x * x * (1 - t) * (1 - t) + scale_ * scale_ * t * t; };
  // Where Q is x a tan'(angle): the integral of x a/Q.
  const auto angle_at = [&](double t) { return std::atan2(q2 * t - x * x, std::abs(xa)); };
  double q = q_at(0), angle = angle_at(0);
  Complex sum = 0;
  for (size_t i = 0; i < cubics_.size(); ++i) {
    const double t = t_[i], h = t_[i + 1] - t, next_q = q_at(t_[i + 1]), next_angle = angle_at(t_[i + 1]);
    // Q = q2 u^2 + q1 u + q0 with u = t' - t
    const double q1 = 2 * (q2 * t - x * x), q0 = q;
    double moment[4];
    moment[0] = std::copysign(next_angle - angle, x);
    moment[1] = (xa * std::log(next_q / q) - q1 * moment[0]) / (2 * q2);
    moment[2] = (xa * h - q1 * moment[1] - q0 * moment[0]) / q2;
    moment[3] = (xa * h * h / 2 - q1 * moment[2] - q0 * moment[1]) / q2;
    for (int k = 0; k < 4; ++k) sum += cubics_[i].c[k] * moment[k];
    q = next_q, angle = next_angle;
  }
  return sum;
}

void ImaginaryIntegral::cut_pieces(const Complex* s) {
  const size_t n = w_.size();
  pieces_.clear();
  if (rule_ == ContourRule::constant) {
    for (size_t i = 0; i < n; ++i) {
      const double from = i ? (w_[i - 1] + w_[i]) / 2 : 0, to = i + 1 < n ? (w_[i] + w_[i + 1]) / 2 : (3 * w_[i] - w_[i - 1]) / 2;
      pieces_.push_back({from, to, {s[i], 0, 0}});
    }
    return;
  }
  // The first piece is even in w, each other the parabola through its ends and the point before.
  pieces_.push_back({0, w_[1], {s[0], 0, (s[1] - s[0]) / (w_[1] * w_[1])}});
  for (size_t i = 1; i + 1 < n; ++i) {
    const double x1 = w_[i - 1], x2 = w_[i], x3 = w_[i + 1];
    const Complex d12 = (s[i] - s[i - 1]) / (x2 - x1), d23 = (s[i + 1] - s[i]) / (x3 - x2), c2 = (d23 - d12) / (x3 - x1);
    const Complex c1 = d12 - c2 * (x1 + x2);
    pieces_.push_back({x2, x3, {s[i - 1] - c1 * x1 - c2 * x1 * x1, c1, c2}});
  }
}

ImaginaryIntegral::Complex ImaginaryIntegral::of_pieces(double x) const {
  Complex sum = 0;
  for (const Piece& p : pieces_) {
    const double angle = std::atan(p.to / x) - std::atan(p.from / x);
    sum += (p.c[0] - p.c[2] * (x * x)) * angle + p.c[2] * (x * (p.to - p.from));
    if (p.c[1] != 0.0) sum += p.c[1] * (x / 2 * std::log((x * x + p.to * p.to) / (x * x + p.from * p.from)));
  }
  return sum;
}

Between between(const std::vector<double>& w, double x) {
  if (w.size() == 1) return {};
  const size_t next = std::clamp<size_t>(static_cast<size_t>(std::upper_bound(w.begin(), w.end(), x) - w.begin()), 1, w.size() - 1);
  return {next - 1, (x - w[next - 1]) / (w[next] - w[next - 1])};
}

}  // namespace suite::gw
