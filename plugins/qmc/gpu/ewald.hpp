// SPDX-License-Identifier: BSD-3-Clause
// The Ewald sums on the device.
#pragma once

#include "../ewald.hpp"
#include "pairs.cuh"

namespace suite::qmc {

struct DeviceEwald {
  double alpha, r_cut, background, xi;
  const double* images;  // x, y, z and length of each, the shortest first
  int image_count;
  const Wave* waves;
  const double* weight;
  int count;
  Powers powers;
};

// Adds charge times erfc(alpha x)/x over all images, d from the other charge to this one, closest image;
// gradient too where wanted. stops: images come by length, so that those behind the first that is too far
// need not be tried.
template <bool gradient, bool stops>
__device__ __forceinline__ void add_screened(const DeviceEwald& e, const double* d, double distance, double charge, Local& sum) {
  constexpr double two_by_root_pi = 1.1283791670955126;
  for (int k = 0; k < e.image_count; ++k) {
    const double* const R = e.images + 4 * k;
    if (stops && R[3] > e.r_cut + distance) break;
    const double v[3] = {d[0] - R[0], d[1] - R[1], d[2] - R[2]};
    const double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    if (!(square < e.r_cut * e.r_cut)) continue;
    const double x = ::sqrt(square), screened = charge * ::erfc(e.alpha * x) / x;
    sum.value += screened;
    if constexpr (gradient) {
      const double slope = (screened + charge * two_by_root_pi * e.alpha * ::exp(-e.alpha * e.alpha * square)) / square;
      SUITE_GPU_UNROLL
      for (int c = 0; c < 3; ++c) sum.gradient[c] -= slope * v[c];
    }
  }
}

// The sums of a cell, rebuilt when cell, range or tolerance change.
class EwaldTables {
public:
  explicit EwaldTables(const gpu::Queue& queue)
      : waves_(queue, "the vectors of the Ewald sum"),
        weights_(queue, "the weights of the Ewald sum"),
        images_(queue, "the images of the Ewald sum") {}

  // gvec: the caller's list, empty where there is none.
  template <class Call>
  void prepare(const gpu::Queue& queue, const Lattice& lattice, bool changed, const Call& c, double alpha_L,
               const std::vector<int32_t>& gvec = {}) {
    const double alpha = gvec.empty() ? ewald_alpha_of(c.ewald_alpha, lattice, alpha_L) : c.ewald_alpha,
                 tolerance = ewald_tolerance_of(c.ewald_tolerance);
    if (!changed && alpha == alpha_ && tolerance == tolerance_ && gvec == gvec_) return;
    sums_ = gvec.empty() ? ewald_sums(lattice, alpha, tolerance)
                         : ewald_sums_of_list(lattice, c.ewald_alpha, tolerance, gvec.data(), std::ssize(gvec) / 3);
    alpha_ = alpha;
    tolerance_ = tolerance;
    gvec_ = gvec;
    waves_.set(queue, sums_.n);
    if (sums_.g_count() > 0) weights_.upload(sums_.weight.data(), sums_.g_count());
    std::vector<double> images;
    for (int64_t k = 0; k < sums_.image_count(); ++k) {
      const double* const R = &sums_.images[static_cast<size_t>(3 * k)];
      images.insert(images.end(), R, R + 3);
      images.push_back(std::hypot(R[0], R[1], R[2]));
    }
    images_.upload(images.data(), std::ssize(images));
    queue.wait();  // `images` goes
  }

  DeviceEwald device() const {
    return {sums_.alpha,   sums_.r_cut,     sums_.background, sums_.xi,       images_.data(), static_cast<int>(sums_.image_count()),
            waves_.data(), weights_.data(), waves_.count(),   waves_.powers()};
  }

private:
  EwaldSums sums_;
  double alpha_ = 0, tolerance_ = 0;
  std::vector<int32_t> gvec_;
  WaveList waves_;
  gpu::Buffer<double> weights_, images_;
};

// About as many terms here as there, and what is fastest with O(1) for each G.
inline constexpr double balanced_alpha_L = 2.8, fastest_alpha_L = 6.5;

struct EwaldOut {
  double *energy, *field;  // may be null
};

// ewald_pairs.cu.
void ewald_over_pairs(const gpu::Queue& queue, bool split, const Reciprocal& cell, const ImageRule& rule, const DeviceEwald& e,
                      const double* charge, const Positions& at, gpu::Buffer<Complex>& tables, const EwaldOut& out);

}  // namespace suite::qmc
