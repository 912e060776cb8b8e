// SPDX-License-Identifier: BSD-3-Clause
// The Hartree field on a GPU: its wave equation step by step, or wave by wave in the real Fourier basis
// (../spectrum.hpp), whose transforms are small dense products, one for each axis: any even N, no library.
#pragma once

#include "call.hpp"

namespace suite::lfd {

// A sum over points in a fixed order: as many slots, each the sum of one block.
inline constexpr int sum_slots = 64;
inline constexpr int sum_threads = 256;

// How the loop form runs: by one block of threads; as kernels in the queue, with or without the host waiting
// for each.
enum class LoopRun { one_block, waiting, queued };

template <class T> class FieldSolver {
public:
  enum class Form { stepwise, at_once, solution };
  explicit FieldSolver(const gpu::Queue& queue);

  // Host work and copies to the device where the numbers have changed; to be called before the others.
  void set(const Grid& grid, const FieldConstants& constants, Form form, Laplacian laplacian = Laplacian::differences);
  // Stepwise: v and w = vH + points go on by all field steps.
  void loop(T* vH, const T* rho, LoopRun how);
  void fused(T* vH, const T* rho);
  // At once: v and w are kept as waves between load_waves and finish_waves, which writes w.
  void load_waves(const T* vH);
  void closed_waves(T* v, const T* rho);
  void finish_waves(T* w);
  // v of a density.
  void solve(T* v, const T* rho);

  // Public because a kernel is instantiated with it.
  struct Constants {
    T along[3], keep;
    int n[3];
  };

private:
  struct Axes {  // of a transform: points and waves of each axis, and where its matrices lie
    int64_t points[3], waves[3], forward[3], backward[3];
    int64_t largest() const;
  };
  void make_source(const T* rho);
  void set_axes(bool doubled);
  void set_powers();
  void set_inverse(Laplacian laplacian);
  template <class Last> void forward(const T* in, double* out, const Last& last);
  void backward(const double* in, T* out);

  const gpu::Queue& queue_;
  Grid grid_;
  FieldConstants constants_;
  Constants device_{};
  Axes axes_{};
  bool axes_set_ = false, doubled_ = false, powers_set_ = false, inverse_set_ = false;
  Laplacian laplacian_ = Laplacian::differences;
  gpu::Buffer<T> source_, scratch_;
  gpu::Buffer<double> slots_, matrices_, powers_, inverse_, waves_, one_, two_;
};

extern template class FieldSolver<float>;
extern template class FieldSolver<double>;

// lfd.propagate and the sums of densities use it as well: sums of rho over all points into sum_slots slots.
template <class T> void sum_points(gpu::Stream stream, const T* values, int64_t points, double* slots);

}  // namespace suite::lfd
