// SPDX-License-Identifier: BSD-3-Clause
// kin_prop in the forms of the source document (its slides "Electron field solver"), with the signs of
// lfd.hpp:
//   psi_i' = al psi_i + bl[i] psi_{i-1} + bu[i] psi_{i+1},  all old values
#include <algorithm>
#include <complex>

#include "ladder.hpp"

namespace suite::lfd {
namespace {

// Orbitals outermost, a work array, the direction chosen point by point.
template <class T> void kin_original(T* all, T* work, const OrbitalFirst& at, const Grid& g, int d, const LineCoefficients<T>& c) {
  const int64_t to_next = 2 * at.stride(d);
  for (int64_t n = 0; n < g.norb; ++n) {
    for (int64_t i = 1; i <= g.n[0]; ++i)
      for (int64_t j = 1; j <= g.n[1]; ++j)
        for (int64_t k = 1; k <= g.n[2]; ++k) {
          const int64_t q = d == 0 ? i : d == 1 ? j : k, p = 2 * at.at(n, i, j, k);
          const T *const bl = &c.bl[2 * q], *const bu = &c.bu[2 * q];
          T w[2];
          w[0] = c.al[0] * all[p] - c.al[1] * all[p + 1];
          w[1] = c.al[0] * all[p + 1] + c.al[1] * all[p];
          w[0] += bl[0] * all[p - to_next] - bl[1] * all[p - to_next + 1];
          w[1] += bl[0] * all[p - to_next + 1] + bl[1] * all[p - to_next];
          w[0] += bu[0] * all[p + to_next] - bu[1] * all[p + to_next + 1];
          w[1] += bu[0] * all[p + to_next + 1] + bu[1] * all[p + to_next];
          for (int s = 0; s < 2; ++s) work[2 * at.at(0, i, j, k) + s] = w[s];
        }
    for (int64_t i = 1; i <= g.n[0]; ++i)
      for (int64_t j = 1; j <= g.n[1]; ++j)
        for (int64_t k = 1; k <= g.n[2]; ++k)
          for (int s = 0; s < 2; ++s) all[2 * at.at(n, i, j, k) + s] = work[2 * at.at(0, i, j, k) + s];
  }
}

// The same with one loop nest for each direction, so that the innermost loop becomes vectors.
template <int d, class T> void kin_specialised(T* all, T* work, const OrbitalFirst& at, const Grid& g, const LineCoefficients<T>& c) {
  const int64_t to_next = 2 * at.stride(d), nz = g.n[2];
  const T a0 = c.al[0], a1 = c.al[1];
  for (int64_t n = 0; n < g.norb; ++n) {
    for (int64_t i = 1; i <= g.n[0]; ++i)
      for (int64_t j = 1; j <= g.n[1]; ++j) {
        const T* const psi = all + 2 * at.at(n, i, j, 0);
        T* const wrk = work + 2 * at.at(0, i, j, 0);
        const T* const bl = c.bl.data() + (d == 0 ? 2 * i : d == 1 ? 2 * j : 0);
        const T* const bu = c.bu.data() + (d == 0 ? 2 * i : d == 1 ? 2 * j : 0);
#pragma omp simd
        for (int64_t k = 1; k <= nz; ++k) {
          const int64_t p = 2 * k, q = d == 2 ? 2 * k : 0;
          wrk[p] = a0 * psi[p] - a1 * psi[p + 1] + bl[q] * psi[p - to_next] - bl[q + 1] * psi[p - to_next + 1] + bu[q] * psi[p + to_next] -
                   bu[q + 1] * psi[p + to_next + 1];
          wrk[p + 1] = a0 * psi[p + 1] + a1 * psi[p] + bl[q] * psi[p - to_next + 1] + bl[q + 1] * psi[p - to_next] +
                       bu[q] * psi[p + to_next + 1] + bu[q + 1] * psi[p + to_next];
        }
      }
    for (int64_t i = 1; i <= g.n[0]; ++i)
      for (int64_t j = 1; j <= g.n[1]; ++j) std::copy_n(work + 2 * at.at(0, i, j, 1), 2 * nz, all + 2 * at.at(n, i, j, 1));
  }
}

// Orbitals innermost; the work array holds one line for all of them.
template <class T> void kin_reordered(T* all, T* work, const OrbitalLast& at, const Grid& g, int d, const LineCoefficients<T>& c) {
  const int64_t row = 2 * g.norb, to_next = 2 * at.stride(d), length = g.n[d];
  const int e = d == 0 ? 1 : 0, f = d == 2 ? 1 : 2;
  const int64_t across[] = {2 * at.stride(0), 2 * at.stride(1), 2 * at.stride(2)};
  const T a0 = c.al[0], a1 = c.al[1];
  for (int64_t a = 1; a <= g.n[e]; ++a)
    for (int64_t b = 1; b <= g.n[f]; ++b) {
      T* const line = all + a * across[e] + b * across[f];
      for (int64_t i = 1; i <= length; ++i) {
        const T *const psi = line + i * to_next, *const lower = psi - to_next, *const upper = psi + to_next;
        const T l0 = c.bl[2 * i], l1 = c.bl[2 * i + 1], u0 = c.bu[2 * i], u1 = c.bu[2 * i + 1];
        T* const wrk = work + i * row;
#pragma omp simd
        for (int64_t n = 0; n < row; n += 2) {
          wrk[n] = a0 * psi[n] - a1 * psi[n + 1] + l0 * lower[n] - l1 * lower[n + 1] + u0 * upper[n] - u1 * upper[n + 1];
          wrk[n + 1] = a0 * psi[n + 1] + a1 * psi[n] + l0 * lower[n + 1] + l1 * lower[n] + u0 * upper[n + 1] + u1 * upper[n];
        }
      }
      for (int64_t i = 1; i <= length; ++i) std::copy_n(work + i * row, row, line + i * to_next);
    }
}

// psi_old keeps the one row that the next point still needs.
template <class T> void kin_scratch_free(T* all, T* work, const OrbitalLast& at, const Grid& g, int d, const LineCoefficients<T>& c) {
  const int64_t row = 2 * g.norb, to_next = 2 * at.stride(d), length = g.n[d];
  const int e = d == 0 ? 1 : 0, f = d == 2 ? 1 : 2;
  const int64_t across[] = {2 * at.stride(0), 2 * at.stride(1), 2 * at.stride(2)};
  const T a0 = c.al[0], a1 = c.al[1];
  T* const old = work;
  for (int64_t a = 1; a <= g.n[e]; ++a)
    for (int64_t b = 1; b <= g.n[f]; ++b) {
      T* const line = all + a * across[e] + b * across[f];
      std::copy_n(line, row, old);
      for (int64_t i = 1; i <= length; ++i) {
        T* const psi = line + i * to_next;
        const T* const upper = psi + to_next;
        const T l0 = c.bl[2 * i], l1 = c.bl[2 * i + 1], u0 = c.bu[2 * i], u1 = c.bu[2 * i + 1];
#pragma omp simd
        for (int64_t n = 0; n < row; n += 2) {
          const T x = psi[n], y = psi[n + 1];
          const T w0 = a0 * x - a1 * y + l0 * old[n] - l1 * old[n + 1] + u0 * upper[n] - u1 * upper[n + 1];
          const T w1 = a0 * y + a1 * x + l0 * old[n + 1] + l1 * old[n] + u0 * upper[n + 1] + u1 * upper[n];
          old[n] = x;
          old[n + 1] = y;
          psi[n] = w0;
          psi[n + 1] = w1;
        }
      }
    }
}

// psi and psi_old as arrays of std::complex. From `offloaded` on, all lines in parallel.
template <class T>
void kin_complex_1d(T* all, T* work, const OrbitalLast& at, const Grid& g, int d, const LineCoefficients<T>& c, int threads) {
  using Complex = std::complex<T>;
  const int64_t norb = g.norb, to_next = at.stride(d), length = g.n[d];
  const int e = d == 0 ? 1 : 0, f = d == 2 ? 1 : 2;
  const Complex al(c.al[0], c.al[1]);
  const auto *const bl = reinterpret_cast<const Complex*>(c.bl.data()), *const bu = reinterpret_cast<const Complex*>(c.bu.data());
#pragma omp parallel for collapse(2) num_threads(threads) if (threads > 1)
  for (int64_t a = 1; a <= g.n[e]; ++a)
    for (int64_t b = 1; b <= g.n[f]; ++b) {
      Complex* const line = reinterpret_cast<Complex*>(all) + a * at.stride(e) + b * at.stride(f);
      Complex* const old = reinterpret_cast<Complex*>(work) + omp_get_thread_num() * (norb + 8);
      std::copy_n(line, norb, old);
      for (int64_t i = 1; i <= length; ++i) {
        Complex* const psi = line + i * to_next;
        const Complex* const upper = psi + to_next;
        const Complex below = bl[i], above = bu[i];
#pragma omp simd
        for (int64_t n = 0; n < norb; ++n) {
          // By parts: g++ makes no vectors of whole std::complex that are copied or handed to an operator.
          const T x = psi[n].real(), y = psi[n].imag();
          const T re = al.real() * x - al.imag() * y + below.real() * old[n].real() - below.imag() * old[n].imag() +
                       above.real() * upper[n].real() - above.imag() * upper[n].imag();
          const T im = al.real() * y + al.imag() * x + below.real() * old[n].imag() + below.imag() * old[n].real() +
                       above.real() * upper[n].imag() + above.imag() * upper[n].real();
          old[n].real(x), old[n].imag(y);
          psi[n].real(re), psi[n].imag(im);
        }
      }
    }
}

}  // namespace

template <class T>
void kin_prop(Step variant, int, T* psi, T* wrk, const OrbitalFirst& at, const Grid& g, int d, const LineCoefficients<T>& c) {
  if (variant == Step::original) return kin_original(psi, wrk, at, g, d, c);
  if (d == 0) return kin_specialised<0>(psi, wrk, at, g, c);
  if (d == 1) return kin_specialised<1>(psi, wrk, at, g, c);
  kin_specialised<2>(psi, wrk, at, g, c);
}

template <class T>
void kin_prop(Step variant, int threads, T* psi, T* wrk, const OrbitalLast& at, const Grid& g, int d, const LineCoefficients<T>& c) {
  if (variant == Step::reordered) return kin_reordered(psi, wrk, at, g, d, c);
  if (variant == Step::scratch_free) return kin_scratch_free(psi, wrk, at, g, d, c);
  kin_complex_1d(psi, wrk, at, g, d, c, threads);
}

#define SUITE_LFD_KIN_PROP(T, Layout) template void kin_prop(Step, int, T*, T*, const Layout&, const Grid&, int, const LineCoefficients<T>&)
SUITE_LFD_KIN_PROP(float, OrbitalFirst);
SUITE_LFD_KIN_PROP(double, OrbitalFirst);
SUITE_LFD_KIN_PROP(float, OrbitalLast);
SUITE_LFD_KIN_PROP(double, OrbitalLast);

}  // namespace suite::lfd
