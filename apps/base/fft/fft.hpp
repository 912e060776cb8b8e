// SPDX-License-Identifier: BSD-3-Clause
// Three-dimensional Fourier transforms with FFTW.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <memory>

namespace suite::app {

struct FreeAligned {
  void operator()(void* p) const;
};
using ComplexBuffer = std::unique_ptr<std::complex<double>[], FreeAligned>;
// Allocates uninitialised memory with FFTW's alignment. Throws Failure with the number of bytes if out of memory.
ComplexBuffer allocate_complex(size_t count);

enum class Exponent { minus, plus };

// Computes sum_G f(G) exp(+iGr) (plus) or sum_r f(r) exp(-iGr) (minus) in place, without normalisation; the third grid index is fastest.
class Transform {
public:
  explicit Transform(const std::array<int, 3>& grid, Exponent exponent = Exponent::plus);
  ~Transform();
  Transform(const Transform&) = delete;
  Transform& operator=(const Transform&) = delete;
  const std::array<int, 3>& grid() const { return grid_; }
  size_t size() const { return static_cast<size_t>(grid_[0]) * grid_[1] * grid_[2]; }
  void operator()(std::complex<double>* aligned) const;  // thread-safe
  // Index of G on the grid, negative components wrapped around.
  size_t index(const std::array<int, 3>& g) const {
    size_t at = 0;
    for (int i = 0; i < 3; ++i) {
      const int r = g[i] % grid_[i];
      at = at * grid_[i] + (r < 0 ? r + grid_[i] : r);
    }
    return at;
  }

private:
  std::array<int, 3> grid_;
  void* plan_ = nullptr;
};

}  // namespace suite::app
