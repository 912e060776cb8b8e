// SPDX-License-Identifier: BSD-3-Clause
// Vectors with their lengths, as qmc.closest_images and qmc.ion_distances return them: four numbers for each lane.
#pragma once

#include "frame.hpp"

namespace suite::qmc {

// The four numbers of each lane, one lane after the other.
inline void store_fours(double* to, Vector x, Vector y, Vector z, Vector r, int64_t n) {
  Vector xy[2], zr[2];
  interleave(x, y, xy[0], xy[1]);
  interleave(z, r, zr[0], zr[1]);
  double four[4 * lanes];
  for (int half = 0; half < 2; ++half) {
    // Pairs (x,y) of lanes/2 electrons beside pairs (z,r) of the same.
#if defined(__AVX512F__)
    store(four + 16 * half, __builtin_shufflevector(xy[half], zr[half], 0, 1, 8, 9, 2, 3, 10, 11));
    store(four + 16 * half + 8, __builtin_shufflevector(xy[half], zr[half], 4, 5, 12, 13, 6, 7, 14, 15));
#elif defined(__AVX2__)
    store(four + 8 * half, __builtin_shufflevector(xy[half], zr[half], 0, 1, 4, 5));
    store(four + 8 * half + 4, __builtin_shufflevector(xy[half], zr[half], 2, 3, 6, 7));
#else
    store(four + 4 * half, xy[half]);
    store(four + 4 * half + 2, zr[half]);
#endif
  }
  if (n >= lanes) std::memcpy(to, four, sizeof four);
  else std::memcpy(to, four, static_cast<size_t>(n) * 4 * sizeof(double));
}

// A vector of the frame and its length, for the first n lanes.
class ToFours {
public:
  ToFours(const Frame& frame, bool turned) : m_(frame.from), unit_(frame.unit), turned_(turned) {}
  void operator()(double* to, Three d, int64_t n) const {
    const Vector r = root(square_of(d)) * unit_;
    if (turned_)
      d = {m_[0][0] * d.x + m_[0][1] * d.y + m_[0][2] * d.z, m_[1][0] * d.x + m_[1][1] * d.y + m_[1][2] * d.z,
           m_[2][0] * d.x + m_[2][1] * d.y + m_[2][2] * d.z};
    else d = {d.x * unit_, d.y * unit_, d.z * unit_};
    store_fours(to, d.x, d.y, d.z, r, n);
  }

private:
  const double (&m_)[3][3];
  double unit_;
  bool turned_;
};

}  // namespace suite::qmc
