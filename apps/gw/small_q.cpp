// SPDX-License-Identifier: BSD-3-Clause
#include "small_q.hpp"

namespace suite::gw {

SmallQPolarizability::SmallQPolarizability(const SmallQ& at, double length, double v)
    : kind_(at.kind), q2_(length * length), x_((1.0 / at.inverse_head - 1.0) / v), x_static_((1 / at.inverse_head_static - 1) / v) {}

std::complex<double> SmallQPolarizability::operator()(double q) const {
  const double q2 = q * q, share = q2 / q2_;
  if (kind_ == ScreeningKind::semiconductor || x_ == 0.0 || x_static_ == 0) return x_ * share;
  const std::complex<double> less = q2_ / x_;  // q^2/x at the small q
  const double least = q2_ / x_static_;
  if (kind_ == ScreeningKind::metal) return q2 / (less - least + least * share);
  // The square moves along the real axis as q does: the root that is `less` at the small q stays on its side.
  const std::complex<double> root = std::sqrt(less * less - least * least + least * least * share);
  return q2 / (less.real() < 0 ? -root : root);
}

}  // namespace suite::gw
