// SPDX-License-Identifier: BSD-3-Clause
// Tables of powers of exp(i b_d.r), one position at a time, as the source document has them: for the steps
// that go over pairs. Numbers of a table lie `step` apart, real parts first.
#pragma once

#include "waves.hpp"

namespace suite::qmc {

class Powers {
public:
  explicit Powers(const WaveList& waves) : waves_(waves) {
    for (int d = 0; d < 3; ++d) {
      first_[d] = count_ + waves.top(d);
      count_ += 2 * waves.top(d) + 1;
    }
  }
  int64_t count() const { return count_; }

  void fill(const double* r, double* re, double* im, int64_t step = 1) const {
    double turns[3];
    waves_.turns(r, turns);
    for (int d = 0; d < 3; ++d) {
      const double phase = 6.283185307179586477 * (turns[d] - std::nearbyint(turns[d]));
      const double c = std::cos(phase), s = std::sin(phase);
      double x = 1, y = 0;
      for (int64_t n = 0; n <= waves_.top(d); ++n) {
        re[(first_[d] + n) * step] = re[(first_[d] - n) * step] = x;
        im[(first_[d] + n) * step] = y;
        im[(first_[d] - n) * step] = -y;
        const double old = x;
        x = old * c - y * s;
        y = old * s + y * c;
      }
    }
  }
  // Where the three factors of the g-th wave are found.
  void places(int64_t g, int64_t* at) const {
    for (int d = 0; d < 3; ++d) at[d] = first_[d] + waves_.n(g)[d];
  }
  static void product(const double* re, const double* im, const int64_t* at, double& c, double& s, int64_t step = 1) {
    const double a = re[at[0] * step], b = im[at[0] * step], e = re[at[1] * step], f = im[at[1] * step], x = re[at[2] * step],
                 y = im[at[2] * step];
    const double u = a * e - b * f, v = a * f + b * e;
    c = u * x - v * y;
    s = u * y + v * x;
  }
  // Sums of the g-th wave over positions begin .. end - 1 of a table of `step` positions, times their weights
  // where given.
  void sum_wave(const double* re, const double* im, int64_t g, int64_t begin, int64_t end, int64_t step, const double* weight,
                double& cosines, double& sines) const {
    int64_t at[3];
    places(g, at);
    double c = 0, s = 0;
#pragma omp simd reduction(+ : c, s)
    for (int64_t j = begin; j < end; ++j) {
      double x, y;
      product(re + j, im + j, at, x, y, step);
      const double w = weight ? weight[j] : 1.0;
      c += w * x;
      s += w * y;
    }
    cosines = c;
    sines = s;
  }

private:
  const WaveList& waves_;
  int64_t first_[3] = {0, 0, 0}, count_ = 0;  // where the power 0 of each direction lies
};

}  // namespace suite::qmc
