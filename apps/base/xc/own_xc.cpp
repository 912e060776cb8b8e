// SPDX-License-Identifier: BSD-3-Clause
#include "xc.hpp"

#include <cmath>
#include <numbers>

namespace suite::app {
namespace {

using std::numbers::pi;

// Correlation energy per electron with its first two derivatives with respect to r_s.
struct Correlation {
  double e, d, dd;
};

Correlation perdew_wang(double rs) {
  constexpr double a = 0.0310907, a1 = 0.21370, b1 = 7.5957, b2 = 3.5876, b3 = 1.6382, b4 = 0.49294;
  const double s = std::sqrt(rs);
  const double p = -2 * a * (1 + a1 * rs), dp = -2 * a * a1;
  const double q = 2 * a * s * (b1 + s * (b2 + s * (b3 + s * b4)));
  const double dq = a * (b1 / s + 2 * b2 + 3 * b3 * s + 4 * b4 * rs);
  const double ddq = a * (-0.5 * b1 / (s * rs) + 1.5 * b3 / s + 4 * b4);
  const double below = q * (q + 1);
  const double log = std::log1p(1 / q), dlog = -dq / below;
  const double ddlog = -ddq / below + dq * dq * (2 * q + 1) / (below * below);
  return {p * log, dp * log + p * dlog, 2 * dp * dlog + p * ddlog};
}

Correlation perdew_zunger(double rs) {
  if (rs < 1) {
    constexpr double a = 0.0311, b = -0.048, c = 0.0020, d = -0.0116;
    const double log = std::log(rs);
    return {a * log + b + c * rs * log + d * rs, a / rs + c * log + c + d, -a / (rs * rs) + c / rs};
  }
  constexpr double gamma = -0.1423, b1 = 1.0529, b2 = 0.3334;
  const double s = std::sqrt(rs), below = 1 + b1 * s + b2 * rs;
  const double dbelow = 0.5 * b1 / s + b2, ddbelow = -0.25 * b1 / (s * rs);
  return {gamma / below, -gamma * dbelow / (below * below), gamma * (2 * dbelow * dbelow / below - ddbelow) / (below * below)};
}

// Differentiates with respect to x = sqrt(r_s) first: the derivatives of the arc tangents are rational, with 4 X in the denominator.
Correlation vosko_wilk_nusair(double rs) {
  constexpr double a = 0.0310907, x0 = -0.10498, b = 3.72744, c = 12.9352;
  const double x = std::sqrt(rs), X = x * x + b * x + c, X0 = x0 * x0 + b * x0 + c;
  const double Q = std::sqrt(4 * c - b * b), k = b * x0 / X0, y = 2 * x + b, atan = std::atan(Q / y);
  const double e = a * (std::log(x * x / X) + 2 * b / Q * atan - k * (std::log((x - x0) * (x - x0) / X) + 2 * (b + 2 * x0) / Q * atan));
  const double n1 = y + b, n2 = y + b + 2 * x0;
  const double dx = a * (2 / x - n1 / X - k * (2 / (x - x0) - n2 / X));
  const double ddx = a * (-2 / (x * x) - (2 - n1 * y / X) / X - k * (-2 / ((x - x0) * (x - x0)) - (2 - n2 * y / X) / X));
  return {e, dx / (2 * x), (ddx - dx / x) / (4 * rs)};
}

Correlation correlation(Xc xc, double rs) {
  switch (xc) {
    case Xc::pz81: return perdew_zunger(rs);
    case Xc::vwn5: return vosko_wilk_nusair(rs);
    default: break;
  }
  return perdew_wang(rs);
}

}  // namespace

XcValues own_exchange_correlation(Xc xc, double density) {
  if (!(density >= 1e-24)) return {0, 0, 0};
  const double rs = std::cbrt(3 / (4 * pi * density));
  const double ex = -0.75 * std::cbrt(3 / pi * density), vx = 4.0 / 3 * ex;
  const Correlation c = correlation(xc, rs);
  return {ex + c.e, vx + c.e - rs / 3 * c.d, (vx - rs * (2.0 / 3 * c.d - rs / 3 * c.dd)) / (3 * density)};
}

}  // namespace suite::app
