// SPDX-License-Identifier: BSD-3-Clause
#include "fft.hpp"

#include <fftw3.h>

#include <algorithm>
#include <limits>
#include <string>

#include <fmt/core.h>

#include <suite/plugin.hpp>

namespace suite::app {

void FreeAligned::operator()(void* p) const { fftw_free(p); }

ComplexBuffer allocate_complex(size_t count) {
  auto* p = count < std::numeric_limits<size_t>::max() / 64 ? fftw_malloc(count * sizeof(std::complex<double>)) : nullptr;
  if (!p) throw Failure(SUITE_OUT_OF_MEMORY, fmt::format("no memory for {} MiB of functions on a grid", count / 65536 + 1));
  return ComplexBuffer(static_cast<std::complex<double>*>(p));
}

// FFTW_ESTIMATE always finds the same plan: FFTW_MEASURE may choose another one in another process, and then
// runs on different numbers of ranks would differ in the last bits.
Transform::Transform(const std::array<int, 3>& grid, Exponent exponent) : grid_(grid) {
  const auto buffer = allocate_complex(size());
  auto* data = reinterpret_cast<fftw_complex*>(buffer.get());
  plan_ = fftw_plan_dft_3d(grid[0], grid[1], grid[2], data, data, exponent == Exponent::plus ? FFTW_BACKWARD : FFTW_FORWARD, FFTW_ESTIMATE);
  if (!plan_) throw Failure(SUITE_INTERNAL, fmt::format("FFTW has no plan for a grid of {} x {} x {}", grid[0], grid[1], grid[2]));
}

Transform::~Transform() { fftw_destroy_plan(static_cast<fftw_plan>(plan_)); }

void Transform::operator()(std::complex<double>* aligned) const {
  auto* data = reinterpret_cast<fftw_complex*>(aligned);
  fftw_execute_dft(static_cast<fftw_plan>(plan_), data, data);
}

// Up to 32 FFTW has unrolled code for 1 to 16, 20, 25 and 32 points, which is worth more points: with one
// thread 20^3 takes 11 us and 18^3 35 us, 25^3 39 us and 24^3 67 us. Beyond, factors 2, 3 and 5.
int fast_size(int n) {
  for (int unrolled : {20, 25, 32})
    if (n > 16 && n <= unrolled) return unrolled;
  for (int m = std::max(n, 1);; ++m) {
    int rest = m;
    for (int p : {2, 3, 5})
      while (rest % p == 0) rest /= p;
    if (rest == 1) return m;
  }
}

}  // namespace suite::app
