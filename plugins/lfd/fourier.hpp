// SPDX-License-Identifier: BSD-3-Clause
// The kinetic energy of plane waves, kinetic = fourier of lfd.propagate and lfd.calc_energy, and the stages of the
// transform that takes a line of N points to them, for CPUs and devices.
//
// With kappa = A + k the wave m of a line has 1/2 (q + kappa)^2, q = 2 pi m/(N h), m = -N/2 .. N/2. The waves N/2 and
// -N/2 are the same numbers on the grid: theirs is the mean of both, 1/2 (q^2 + kappa^2), so that conjugation still
// maps kappa to -kappa.
//
// A transform of N = r_1 r_2 .. takes a stage for each factor. That of radix r works on pieces of `length` points, q =
// length/r:
//   out[f q + j] = sum_m W^{(N/length) f (m q + j)} in[m q + j],   W = e^{-2 pi i/N},   f, m < r,  j < q
// and leaves r pieces of q points, each with a part of the waves. Nothing is put in order: the factors of the waves are
// (LinePlan::wave), and the way back takes the same stages from the last to the first, with W*.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numbers>
#include <vector>

#include "functional.hpp"

namespace suite::lfd {

struct LineWave {
  double q = 0, slope = 0;  // slope: q in the linear term, 0 for the wave N/2

  SUITE_HOST_DEVICE double energy(double kappa) const { return 0.5 * (q * q + kappa * (2 * slope + kappa)); }
  SUITE_HOST_DEVICE double velocity(double kappa) const { return slope + kappa; }  // d energy/d kappa
};
// m = 0 .. n-1, as a transform counts. One point has no kinetic energy and no wave.
inline LineWave line_wave(int64_t m, int64_t n, double h) {
  const double q = 2 * std::numbers::pi * static_cast<double>(2 * m > n ? m - n : m) / (static_cast<double>(n) * h);
  return {q, 2 * m == n ? 0 : q};
}

struct LineStage {
  int radix, length;
};

struct LinePlan {
  int n = 1;
  std::vector<LineStage> stages;
  std::vector<int> wave{0};  // m at each place behind the stages

  LinePlan() = default;
  // Factors 2 to 5 in rising order, 4 before 2; what is left of N, a product of larger primes, is one stage, the last.
  explicit LinePlan(int64_t points) : n(static_cast<int>(points)), wave(static_cast<size_t>(points)) {
    int rest = n;
    std::vector<int> factors;
    for (const int r : {4, 2, 3, 5})
      for (; rest % r == 0; rest /= r) factors.push_back(r);
    std::sort(factors.begin(), factors.end());
    if (rest > 1) factors.push_back(rest);
    int length = n;
    for (const int r : factors) {
      stages.push_back({r, length});
      length /= r;
    }
    for (int place = 0; place < n; ++place) {
      int at = place, step = 1;
      for (const auto& [radix, of] : stages) {
        wave[place] += at / (of / radix) * step;
        at %= of / radix;
        step *= radix;
      }
    }
  }
};

}  // namespace suite::lfd
