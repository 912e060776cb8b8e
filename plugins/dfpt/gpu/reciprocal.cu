// SPDX-License-Identifier: BSD-3-Clause
// dfpt.reciprocal on a GPU: a thread for each pair of plane waves and direction, then one for each point. All
// threads of a warp read the same factors, which costs one access; along a line the phases are rotated.
#include <suite/gpu/numbers.hpp>

#include "../device/reciprocal.hpp"
#include "../plane_waves.hpp"
#include "call.hpp"

namespace suite::dfpt {
namespace {

using gpu::unit;
using Complex = gpu::Complex<double>;

struct Pairs {
  const double *pairs, *atom_coords, *moments;
  Complex* factors;  // P and Q
  int64_t n_pairs, n_atoms, n_dir;
  int n_lm;
};

// sum_a e^(-i G.R_a) sum_lm moments (-i)^l/(2l-1)!! |G|^l Y_lm
template <int l_max> __device__ __forceinline__ Complex structure_factor(const Pairs& f, const Vector& G, int64_t d) {
  const double length = ::sqrt(G.x * G.x + G.y * G.y + G.z * G.z);
  double Y[components(l_max)], power = 1;
  harmonics_along<l_max>(G, length, length == 0, Y);
  SUITE_GPU_UNROLL
  for (int l = 1; l <= l_max; ++l) {
    power *= length;
    SUITE_GPU_UNROLL
    for (int lm = l * l; lm < components(l); ++lm) Y[lm] *= power * multipole_factor(l);
  }
  Complex sum{0, 0};
  for (int64_t a = 0; a < f.n_atoms; ++a) {
    const double *const R = f.atom_coords + 3 * a, *const M = f.moments + f.n_lm * (a + f.n_atoms * d);
    double even = 0, odd = 0;
    SUITE_GPU_UNROLL
    for (int l = 0; l <= l_max; ++l) {
      SUITE_GPU_UNROLL
      for (int lm = l * l; lm < components(l); ++lm)
        if (lm < f.n_lm) (l % 2 ? odd : even) += M[lm] * Y[lm];
    }
    const Complex part = unit(-(G.x * R[0] + G.y * R[1] + G.z * R[2])) * Complex{even, -odd};
    sum = sum + part;
  }
  return sum;
}

template <int l_max> __global__ void __launch_bounds__(block_threads) make_factors(Pairs f) {
  const int64_t item = int64_t{blockIdx.x} * block_threads + thread();
  if (item >= f.n_pairs * f.n_dir) return;
  const int64_t pair = item % f.n_pairs, d = item / f.n_pairs;
  const double *const x = f.pairs + 8 * pair, up = x[6], down = x[7];
  Complex S[2] = {{0, 0}, {0, 0}};
  for (int side = 0; side < 2; ++side) {
    const double sign = side == 0 ? 1 : -1, weight = side == 0 ? up : down;
    if (weight == 0) continue;
    const Complex s = structure_factor<l_max>(f, {x[0] + sign * x[3], x[1] + sign * x[4], x[2] + sign * x[5]}, d);
    S[side] = {weight * s.re, weight * s.im};
  }
  Complex* const to = f.factors + 2 * (d + f.n_dir * pair);
  to[0] = S[0] + S[1];
  to[1] = {S[1].im - S[0].im, S[0].re - S[1].re};
}

void launch_factors(const device::Queue& queue, int64_t items, const double* pairs, const double* atom_coords, const double* moments,
                    double* factors, int64_t n_pairs, int64_t n_atoms, int64_t n_dir, int32_t l_max) {
  const Pairs f{pairs, atom_coords, moments, reinterpret_cast<Complex*>(factors), n_pairs, n_atoms, n_dir, components(l_max)};
  const auto kernel = l_max <= 4 ? make_factors<4> : make_factors<8>;
  SUITE_GPU_LAUNCH(kernel, grid_of((items + block_threads - 1) / block_threads), block_threads, 0, queue.stream(), f);
}

struct Lines {
  const double *coords, *reciprocal;
  const int32_t* lines;
  const Complex* factors;
  double* potential;
  int64_t n_lines, n_points, n_dir;
};

// The part of one line in each of `dirs` directions, without its own phase.
template <int dirs> struct LineSum {
  Complex sum[dirs];
  __device__ __forceinline__ void add(const Complex* factors, int64_t n_dir, int count, Complex step) {
    SUITE_GPU_UNROLL
    for (int q = 0; q < dirs; ++q) sum[q] = {0, 0};
    Complex phase{1, 0};
    for (int k = 0; k < count; ++k, factors += 2 * n_dir) {
      SUITE_GPU_UNROLL
      for (int q = 0; q < dirs; ++q) {
        const Complex P = factors[2 * q], Q = factors[2 * q + 1];
        sum[q].re += P.re * phase.re + Q.re * phase.im;
        sum[q].im += P.im * phase.re + Q.im * phase.im;
      }
      phase = phase * step;
    }
  }
};

template <int dirs> __global__ void __launch_bounds__(block_threads) add_lines(Lines f, int first) {
  const int64_t p = int64_t{blockIdx.x} * block_threads + thread();
  if (p >= f.n_points) return;
  const double* const r = f.coords + 3 * p;
  double angle[3];
  SUITE_GPU_UNROLL
  for (int i = 0; i < 3; ++i) angle[i] = f.reciprocal[3 * i] * r[0] + f.reciprocal[3 * i + 1] * r[1] + f.reciprocal[3 * i + 2] * r[2];
  const Complex second = unit(angle[1]), third = unit(angle[2]);
  double sum[dirs] = {};
  Complex along{1, 0};
  int g1 = -1, g2 = 0;
  for (int64_t i = 0; i < f.n_lines; ++i) {
    const int32_t* const line = f.lines + 4 * i;
    // The next line of the same g_1 is one rotation away as a rule.
    if (line[0] == g1 && line[1] == g2 + 1) along = along * second;
    else along = unit(line[0] * angle[0] + line[1] * angle[1]);
    g1 = line[0];
    g2 = line[1];
    LineSum<dirs> of_line;
    of_line.add(f.factors + 2 * (first + f.n_dir * line[2]), f.n_dir, line[3], third);
    SUITE_GPU_UNROLL
    for (int q = 0; q < dirs; ++q) sum[q] += along.re * of_line.sum[q].re - along.im * of_line.sum[q].im;
  }
  SUITE_GPU_UNROLL
  for (int q = 0; q < dirs; ++q) f.potential[p + f.n_points * (first + q)] += sum[q];
}

void launch_lines(const device::Queue& queue, int64_t n_points, const double* coords, const double* reciprocal, const int32_t* lines,
                  const double* factors, double* potential, int64_t n_lines, int64_t, int64_t n_dir) {
  const Lines f{coords, reciprocal, lines, reinterpret_cast<const Complex*>(factors), potential, n_lines, n_points, n_dir};
  by_directions(n_dir, [&](auto dirs, int first) {
    SUITE_GPU_LAUNCH(add_lines<decltype(dirs)::value>, grid_of((n_points + block_threads - 1) / block_threads), block_threads, 0,
                     queue.stream(), f, first);
  });
}

}  // namespace

PairFactors pair_factors() { return {launch_factors}; }
LineSums line_sums() { return {launch_lines}; }

}  // namespace suite::dfpt
