// SPDX-License-Identifier: BSD-3-Clause
// A number that counts what is done with it, by the conventions of the families' costs: an addition or a
// multiplication 1, a division, a root, an exponential, a logarithm, a sine with its cosine or an error
// function 20; a division by a constant is a multiplication.
#pragma once

#include <cmath>

namespace suite::test {

struct Counted {
  double value = 0;
  constexpr Counted() = default;
  constexpr Counted(double x) : value(x) {}
  static inline double flops = 0;
  static Counted done(double value, double flops_of_it) {
    flops += flops_of_it;
    return value;
  }
  Counted& operator+=(Counted b) { return *this = done(value + b.value, 1); }
  Counted& operator-=(Counted b) { return *this = done(value - b.value, 1); }
  Counted& operator*=(Counted b) { return *this = done(value * b.value, 1); }
};
inline Counted operator+(Counted a, Counted b) { return Counted::done(a.value + b.value, 1); }
inline Counted operator-(Counted a, Counted b) { return Counted::done(a.value - b.value, 1); }
inline Counted operator*(Counted a, Counted b) { return Counted::done(a.value * b.value, 1); }
inline Counted operator/(Counted a, Counted b) { return Counted::done(a.value / b.value, 20); }
inline Counted operator/(Counted a, int b) { return Counted::done(a.value / b, 1); }  // by a constant
inline Counted operator-(Counted a) { return -a.value; }
inline bool operator<(Counted a, Counted b) { return a.value < b.value; }
inline bool operator>=(Counted a, Counted b) { return a.value >= b.value; }
inline Counted sqrt(Counted a) { return Counted::done(std::sqrt(a.value), 20); }
inline Counted inverse_sqrt(Counted a) { return Counted::done(1 / std::sqrt(a.value), 20); }
inline Counted exp(Counted a) { return Counted::done(std::exp(a.value), 20); }
inline Counted log(Counted a) { return Counted::done(std::log(a.value), 20); }
inline Counted erfc(Counted a) { return Counted::done(std::erfc(a.value), 20); }
inline Counted nearest(Counted a) { return Counted::done(std::nearbyint(a.value), 1); }

struct CountedComplex {
  Counted re, im;
};
inline CountedComplex operator*(CountedComplex a, CountedComplex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
inline CountedComplex operator+(CountedComplex a, CountedComplex b) { return {a.re + b.re, a.im + b.im}; }
inline CountedComplex operator-(CountedComplex a, CountedComplex b) { return {a.re - b.re, a.im - b.im}; }

// What f does.
template <class F> double flops_of(F&& f) {
  Counted::flops = 0;
  f();
  return Counted::flops;
}

}  // namespace suite::test
