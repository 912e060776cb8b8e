// SPDX-License-Identifier: BSD-3-Clause
// Fourier transforms of the lines of a block, all in its shared memory: Stockham's order of the stages, so
// that nothing is reordered at the end. Lines are neighbours there, which reads and writes without bank
// conflicts and gives all threads of a group of lines the same factors.
#pragma once

#include "../device/mtxel.hpp"

#include <suite/gpu/numbers.hpp>

namespace suite::gw {

using Z = gpu::Complex<double>;

inline constexpr int block_threads = 128;

__device__ __forceinline__ Z minus(Z a, Z b) { return {a.re - b.re, a.im - b.im}; }
__device__ __forceinline__ Z plus_i(Z a, Z b) { return {a.re - b.im, a.im + b.re}; }
__device__ __forceinline__ Z minus_i(Z a, Z b) { return {a.re + b.im, a.im - b.re}; }

template <int radix>
__device__ __forceinline__ double cosine(int q) {
  if constexpr (radix == 3) return -0.5;
  if constexpr (radix == 5) return q == 1 ? 0.30901699437494742410 : -0.80901699437494742410;
  return q == 1 ? 0.62348980185873353053 : q == 2 ? -0.22252093395631440429 : -0.90096886790241912624;
}
template <int radix>
__device__ __forceinline__ double sine(int q) {
  if constexpr (radix == 3) return 0.86602540378443864676;
  if constexpr (radix == 5) return q == 1 ? 0.95105651629515357212 : 0.58778525229247312917;
  return q == 1 ? 0.78183148246802980871 : q == 2 ? 0.97492791218182360702 : 0.43388373911755812048;
}

template <int radix>
__device__ __forceinline__ void butterfly(Z (&z)[radix]) {
  if constexpr (radix == 2) {
    const Z a = z[0];
    z[0] = a + z[1];
    z[1] = minus(a, z[1]);
  } else if constexpr (radix == 4) {
    const Z a = z[0] + z[2], b = minus(z[0], z[2]), c = z[1] + z[3], d = minus(z[1], z[3]);
    z[0] = a + c;
    z[1] = plus_i(b, d);
    z[2] = minus(a, c);
    z[3] = minus_i(b, d);
  } else {
    // Sums of pairs of points go with cosines, differences with sines.
    constexpr int pairs = radix / 2;
    const Z first = z[0];
    Z sum[pairs], difference[pairs];
    SUITE_GPU_UNROLL
    for (int q = 0; q < pairs; ++q) {
      sum[q] = z[q + 1] + z[radix - 1 - q];
      difference[q] = minus(z[q + 1], z[radix - 1 - q]);
      z[0] = z[0] + sum[q];
    }
    SUITE_GPU_UNROLL
    for (int k = 1; k <= pairs; ++k) {
      Z even = first, odd = {0, 0};
      SUITE_GPU_UNROLL
      for (int q = 1; q <= pairs; ++q) {
        const int turn = k * q % radix, folded = turn <= pairs ? turn : radix - turn;
        const double c = cosine<radix>(folded),
                     s = turn <= pairs ? sine<radix>(folded) : -sine<radix>(folded);
        even = {even.re + c * sum[q - 1].re, even.im + c * sum[q - 1].im};
        odd = {odd.re + s * difference[q - 1].re, odd.im + s * difference[q - 1].im};
      }
      z[k] = plus_i(even, odd);
      z[radix - k] = minus_i(even, odd);
    }
  }
}

// What the threads of a block know of their pass; `together`: lines of a block.
struct Lines {
  Words words;
  Roots roots;
  int n, together;
  int64_t lines, all;  // of a panel, of all panels
};

template <int radix>
__device__ __forceinline__ void stage(const Lines& f, int done, const Z* in, Z* out) {
  const int far = f.n / radix, turn = f.n / (done * radix);
  for (int w = static_cast<int>(threadIdx.x); w < f.together * far; w += block_threads) {
    const int line = w % f.together, i = w / f.together, k = i % done, b = i / done;
    Z z[radix];
    SUITE_GPU_UNROLL
    for (int q = 0; q < radix; ++q) {
      z[q] = in[(i + q * far) * f.together + line];
      if (q > 0 && k > 0) z[q] = z[q] * Z{f.roots[2 * (q * k * turn)], f.roots[2 * (q * k * turn) + 1]};
    }
    butterfly<radix>(z);
    SUITE_GPU_UNROLL
    for (int q = 0; q < radix; ++q) out[(k + done * (radix * b + q)) * f.together + line] = z[q];
  }
}

// Of the lines in `line`, n x together, behind which there is as much memory; where they are afterwards.
__device__ inline const Z* transformed(const Lines& f, Z* line) {
  Z *from = line, *to = line + f.n * f.together;
  int done = 1;
  for (int s = 0; s < f.words[word::stages]; ++s) {
    __syncthreads();
    const int radix = f.words[word::radix + s];
    if (radix == 2) stage<2>(f, done, from, to);
    if (radix == 3) stage<3>(f, done, from, to);
    if (radix == 4) stage<4>(f, done, from, to);
    if (radix == 5) stage<5>(f, done, from, to);
    if (radix == 7) stage<7>(f, done, from, to);
    done *= radix;
    Z* const last = from;
    from = to;
    to = last;
  }
  __syncthreads();
  return from;
}

// f(line of the block, panel, outer, inner, element) for the listed elements of the block's lines, shared by
// its threads: neighbours take neighbouring lines where these lie side by side, else neighbouring elements.
template <class F>
__device__ __forceinline__ void each_element(const Lines& f, int first_list, int most, int64_t stride,
                                             F&& g) {
  const int longest = f.words[most], inner = f.words[word::inner];
  const bool lines_first = stride == 1;
  for (int w = static_cast<int>(threadIdx.x); w < f.together * longest; w += block_threads) {
    const int line = lines_first ? w % f.together : w / longest,
              e = lines_first ? w / f.together : w % longest;
    const int64_t l = int64_t{blockIdx.x} * f.together + line;
    if (l >= f.all) continue;
    const int64_t panel = l / f.lines, o = l % f.lines / inner, i = l % f.lines % inner;
    const int32_t* const list = f.words + f.words[first_list];
    const int element = list[o] + e;
    if (element >= list[o + 1]) continue;
    const int32_t position = f.words[f.words[first_list + 1] + element];
    const int64_t at = f.words[f.words[first_list + 2] + element] + i * stride;
    g(line, panel, position, at);
  }
}

// Loads with load(panel, at), transforms, and gives the results to store(panel, at, z).
template <class Load, class Store>
__device__ __forceinline__ void pass(const Lines& f, Z* shared, Load&& load, Store&& store) {
  for (int w = static_cast<int>(threadIdx.x); w < f.n * f.together; w += block_threads) shared[w] = {0, 0};
  __syncthreads();
  each_element(f, word::first_in, word::most_in, f.words[word::in_stride],
               [&](int line, int64_t panel, int32_t position, int64_t at) {
                 shared[position * f.together + line] = load(panel, at);
               });
  const Z* const result = transformed(f, shared);
  each_element(f, word::first_out, word::most_out, f.words[word::out_stride],
               [&](int line, int64_t panel, int32_t position, int64_t at) {
                 store(panel, at, result[position * f.together + line]);
               });
}

}  // namespace suite::gw
