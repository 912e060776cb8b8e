// SPDX-License-Identifier: BSD-3-Clause
// suite/gpu/numbers.hpp - complex numbers and phases in kernels. Include it after gpu.hpp.
#pragma once

#include <suite/gpu.hpp>

namespace suite::gpu {

// A complex number that a thread loads in one piece.
template <class T> struct alignas(2 * sizeof(T)) Complex {
  T re, im;
};
template <class T> __device__ __forceinline__ Complex<T> operator*(Complex<T> a, Complex<T> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class T> __device__ __forceinline__ Complex<T> operator+(Complex<T> a, Complex<T> b) { return {a.re + b.re, a.im + b.im}; }
template <class T> __device__ __forceinline__ Complex<T> conjugate(Complex<T> a) { return {a.re, -a.im}; }
template <class T> __device__ __forceinline__ double norm(Complex<T> a) { return static_cast<double>(a.re * a.re + a.im * a.im); }

// e^{i angle}. In units of pi no angle is too large for the device's fast path, which needs no stack.
__device__ __forceinline__ Complex<double> unit(double angle) {
  Complex<double> z;
#if defined(SUITE_GPU_EMULATED)
  z.re = std::cos(angle);
  z.im = std::sin(angle);
#else
  ::sincospi(angle * 0.31830988618379067154, &z.im, &z.re);
#endif
  return z;
}
template <class T> __device__ __forceinline__ Complex<T> unit_as(double angle) {
  if constexpr (sizeof(T) == sizeof(double)) {
    return unit(angle);
  } else {
    Complex<float> z;
#if defined(SUITE_GPU_EMULATED)
    z.re = static_cast<float>(std::cos(angle));
    z.im = static_cast<float>(std::sin(angle));
#else
    const double turns = angle * 0.31830988618379067154;
    ::sincospif(static_cast<float>(turns - 2 * ::rint(0.5 * turns)), &z.im, &z.re);
#endif
    return z;
  }
}

}  // namespace suite::gpu
