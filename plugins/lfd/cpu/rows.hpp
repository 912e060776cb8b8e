// SPDX-License-Identifier: BSD-3-Clause
// Rows of interleaved complex numbers: the orbitals at one point of psi(Norb,Nz,Ny,Nx). A product with c + i
// s is c x + s J x, where J exchanges re and im and takes the sign; a row of factors comes as two rows of
// reals, c twice and s with both signs.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "../call.hpp"
#include "lanes.hpp"

namespace suite::lfd {

// (im, re) for every (re, im).
template <class V> inline V exchange_parts(V x) {
  constexpr int n = sizeof(V) / sizeof x[0];
  return [&]<int... l>(std::integer_sequence<int, l...>) {
    return __builtin_shufflevector(x, x, (l ^ 1)...);
  }(std::make_integer_sequence<int, n>{});
}
template <class T> inline Vector<T> alternating(T s) {
  Vector<T> v;
  for (int l = 0; l < lanes<T>; ++l) v[l] = l & 1 ? s : -s;
  return v;
}

// f(vector type, offset) over n reals: whole vectors, then pairs.
template <class T, class F> [[gnu::always_inline]] inline void each_vector(int64_t n, F&& f) {
  typedef T Pair __attribute__((vector_size(2 * sizeof(T))));
  int64_t i = 0;
  for (; i + lanes<T> <= n; i += lanes<T>) f(Vector<T>{}, i);
  for (; i < n; i += 2) f(Pair{}, i);
}
template <class V, class T> [[gnu::always_inline]] inline V load_as(const T* from) {
  V v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

// Factors of the orbitals, one row of reals and one of imaginary parts with both signs.
template <class T> struct FactorRows {
  std::vector<T> re, im;
  explicit FactorRows(int64_t norb) : re(static_cast<size_t>(2 * norb)), im(re.size()) {}
  void set(int64_t n, double c, double s) {
    re[2 * n] = re[2 * n + 1] = static_cast<T>(c);
    im[2 * n] = static_cast<T>(-s);
    im[2 * n + 1] = static_cast<T>(s);
  }
};

// size e^{i (A+k)_d r} for all orbitals.
template <class T>
FactorRows<T> bloch_factors(int64_t norb, const double* A, const double* k, int d, double r, std::complex<double> size = 1) {
  FactorRows<T> rows(norb);
  for (int64_t n = 0; n < norb; ++n) {
    const double angle = ((A ? A[d] : 0) + (k ? k[3 * n + d] : 0)) * r;
    const std::complex<double> factor(std::cos(angle), std::sin(angle));
    rows.set(n, size.real() * factor.real() - size.imag() * factor.imag(), size.real() * factor.imag() + size.imag() * factor.real());
  }
  return rows;
}

}  // namespace suite::lfd
