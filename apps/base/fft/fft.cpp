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
  if (!p)
    throw Failure(SUITE_OUT_OF_MEMORY, fmt::format("out of memory: cannot allocate {} MiB for functions on a grid", count / 65536 + 1));
  return ComplexBuffer(static_cast<std::complex<double>*>(p));
}

// FFTW_ESTIMATE is reproducible: FFTW_MEASURE may choose different plans in different processes, so that results on different numbers
// of ranks would differ in the last bits.
Transform::Transform(const std::array<int, 3>& grid, Exponent exponent) : grid_(grid) {
  const auto buffer = allocate_complex(size());
  auto* data = reinterpret_cast<fftw_complex*>(buffer.get());
  plan_ = fftw_plan_dft_3d(grid[0], grid[1], grid[2], data, data, exponent == Exponent::plus ? FFTW_BACKWARD : FFTW_FORWARD, FFTW_ESTIMATE);
  if (!plan_) throw Failure(SUITE_INTERNAL, fmt::format("FFTW could not plan a grid of {} x {} x {}", grid[0], grid[1], grid[2]));
}

Transform::~Transform() { fftw_destroy_plan(static_cast<fftw_plan>(plan_)); }

void Transform::operator()(std::complex<double>* aligned) const {
  auto* data = reinterpret_cast<fftw_complex*>(aligned);
  fftw_execute_dft(static_cast<fftw_plan>(plan_), data, data);
}

}  // namespace suite::app
