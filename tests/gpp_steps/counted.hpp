// SPDX-License-Identifier: BSD-3-Clause
// A number that counts what is done with it, by the conventions of docs/performance/gpp.sigma.steps.md.
#pragma once

#include <cmath>

namespace {

struct Counted {
  Counted(double x = 0) : value(x) {}
  double value;
  static inline double flops = 0;
};

Counted counted(double value, double flops) {
  Counted::flops += flops;
  return value;
}

Counted operator-(Counted a) { return -a.value; }
Counted operator+(Counted a, Counted b) { return counted(a.value + b.value, 1); }
Counted operator-(Counted a, Counted b) { return counted(a.value - b.value, 1); }
Counted operator*(Counted a, Counted b) { return counted(a.value * b.value, 1); }
Counted operator/(Counted a, Counted b) { return counted(a.value / b.value, 11); }
Counted operator/(double one, Counted b) { return counted(one / b.value, one == 1 ? 6 : 11); }
[[maybe_unused]] Counted sqrt(Counted a) { return counted(std::sqrt(a.value), 11); }
[[maybe_unused]] Counted root(Counted a) { return sqrt(a); }
[[maybe_unused]] Counted fabs(Counted a) { return std::fabs(a.value); }
[[maybe_unused]] bool operator<(Counted a, Counted b) { return a.value < b.value; }
[[maybe_unused]] bool operator>(Counted a, Counted b) { return a.value > b.value; }
[[maybe_unused]] bool operator<=(Counted a, Counted b) { return a.value <= b.value; }
[[maybe_unused]] bool operator>=(Counted a, Counted b) { return a.value >= b.value; }

// A term of an empty band in branch A: x < 0, |D| beyond gamma.
constexpr double x = -30, cut = 4, broadening = 0.5;
constexpr double w[2] = {8, 0.5}, I[2] = {0.3, -0.1};

}  // namespace
