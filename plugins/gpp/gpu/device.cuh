// SPDX-License-Identifier: BSD-3-Clause
// What the device code of gpp.sigma shares: numbers, the reciprocal, sums over a block.
#pragma once

#include <cstdint>

#include <suite/gpu.hpp>

namespace suite::gpp {

// A number of one flavour (real with inversion symmetry, or complex) in one precision; complex ones are aligned so
// that a thread loads them in one piece.
template <class R, bool Real> struct Number;
template <class R> struct Number<R, true> {
  R re;
};
template <class R> struct alignas(2 * sizeof(R)) Number<R, false> {
  R re, im;
};
using Z = Number<double, false>;

// a b + c, in one instruction where there is one.
template <class R> __device__ __forceinline__ R fused(R a, R b, R c) {
#if defined(SUITE_GPU_EMULATED)
  return a * b + c;
#else
  return ::fma(a, b, c);
#endif
}

// a conj(m)
template <class R> __device__ __forceinline__ Number<R, true> product(Number<R, true> a, Number<R, true> m) { return {a.re * m.re}; }
template <class R> __device__ __forceinline__ Number<R, false> product(Number<R, false> a, Number<R, false> m) {
  return {fused(a.im, m.im, a.re * m.re), fused(a.im, m.re, -(a.re * m.im))};
}

// to += P r, for real r.
template <class R> __device__ __forceinline__ void add(Number<R, true>& to, Number<R, true> P, R r) { to.re += P.re * r; }
template <class R> __device__ __forceinline__ void add(Number<R, false>& to, Number<R, false> P, R r) {
  to.re += P.re * r;
  to.im += P.im * r;
}

// (re, im) += z c
__device__ __forceinline__ void add_product(double* to, Number<double, true> z, Number<double, true> c) { to[0] += z.re * c.re; }
__device__ __forceinline__ void add_product(double* to, Number<double, false> z, Number<double, false> c) {
  to[0] += z.re * c.re - z.im * c.im;
  to[1] += z.re * c.im + z.im * c.re;
}

template <class R> __device__ __forceinline__ Number<R, true> operator*(Number<R, true> a, R b) { return {a.re * b}; }
template <class R> __device__ __forceinline__ Number<R, false> operator*(Number<R, false> a, R b) { return {a.re * b, a.im * b}; }

// 1/d to rounding, for |d| from 1e-300 to 1e300. The hardware's estimate has 20 bits or more, so that one step of third
// order, y (1 + e + e^2) with e = 1 - d y, does: one fused multiply-add less than two of Newton's.
__device__ __forceinline__ double reciprocal(double d) {
  const double y = gpu::rough_reciprocal(d);
  const double e = ::fma(-d, y, 1.0);
  return ::fma(y, ::fma(e, e, e), y);
}
// 1/d to one unit of the last place, for |d| from 1e-37 to 8e36: one step of Newton's after the hardware's estimate, instead of the
// branches of a division.
__device__ __forceinline__ float reciprocal(float d) {
  const float y = gpu::rough_reciprocal(d);
  return fused(y, fused(-d, y, 1.0f), y);
}

// |d| > limit, for limit >= 0: numbers of one sign are ordered as the integers that their bits make, so that the units
// for double precision need not compare.
__device__ __forceinline__ bool exceeds(double d, double limit) {
  return (__builtin_bit_cast(int64_t, d) & INT64_MAX) > __builtin_bit_cast(int64_t, limit);
}

// Beyond this D^3 would overflow, and no factor differs from its limit.
inline constexpr double largest_x = 1e90;

// x = E - E_n' of the model, never closer to zero than 1e-12.
__device__ __forceinline__ double x_of(const double* wx, int64_t i) {
  const double x = wx[i];
  if (x < 1e-12 && x > -1e-12) return 1e-12;
  return x > largest_x ? largest_x : x < -largest_x ? -largest_x : x;
}

// Sums `value` over the block, always in the same order; `write(n, sum)` gets them.
template <int N, int Threads, class Write> __device__ __forceinline__ void block_sum(const double (&value)[N], Write write) {
  constexpr int parts = 16;
  static_assert(Threads % parts == 0);
  __shared__ double all[N][Threads], some[N][parts];
  const int thread = static_cast<int>(threadIdx.x);
  __syncthreads();  // the last sums may still be read
  SUITE_GPU_UNROLL
  for (int n = 0; n < N; ++n) all[n][thread] = value[n];
  __syncthreads();
  for (int i = thread; i < N * parts; i += Threads) {
    double sum = 0;
    for (int j = i % parts; j < Threads; j += parts) sum += all[i / parts][j];
    some[i / parts][i % parts] = sum;
  }
  __syncthreads();
  for (int n = thread; n < N; n += Threads) {
    double sum = 0;
    for (int j = 0; j < parts; ++j) sum += some[n][j];
    write(n, sum);
  }
}

}  // namespace suite::gpp
