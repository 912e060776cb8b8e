// SPDX-License-Identifier: BSD-3-Clause
// Three-dimensional Fourier transforms by FFTW.
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
// Aligned as FFTW likes it; not initialised. Fails with the number of bytes where there is no memory.
ComplexBuffer allocate_complex(size_t count);

enum class Exponent { minus, plus };

// sum_G f(G) exp(+iGr), or sum_r f(r) exp(-iGr), on a grid, in place, without a factor; the third index of
// the grid is fastest.
class Transform {
public:
  explicit Transform(const std::array<int, 3>& grid, Exponent exponent = Exponent::plus);
  ~Transform();
  Transform(const Transform&) = delete;
  Transform& operator=(const Transform&) = delete;
  const std::array<int, 3>& grid() const { return grid_; }
  size_t size() const { return static_cast<size_t>(grid_[0]) * grid_[1] * grid_[2]; }
  void operator()(std::complex<double>* aligned) const;  // thread-safe
  // Where G lies on the grid, folded back.
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
