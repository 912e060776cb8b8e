// SPDX-License-Identifier: BSD-3-Clause
// Fourier transforms of a line of points, of as many bands at a time as a vector has lanes: no shuffles, and
// every line of a grid costs the same, whatever its stride was. Stockham's order of the stages (Van Loan,
// Computational Frameworks for the FFT, 1992), radices 2 to 7.
#pragma once

#include <numbers>
#include <vector>

#include <suite/cpu/doubles.hpp>

#include "../plan.hpp"

namespace suite::gw {

using cpu::Doubles;
inline constexpr int lanes = cpu::doubles;

// A complex number of each of `lanes` bands.
struct Z {
  Doubles re, im;
};
// In whole vectors: g++ copies the struct in pieces of 16 bytes, and stalls where they are read together.
inline Z read(const Z* from) { return {from->re, from->im}; }
inline Z operator+(Z a, Z b) { return {a.re + b.re, a.im + b.im}; }
inline Z operator-(Z a, Z b) { return {a.re - b.re, a.im - b.im}; }
inline Z operator*(double s, Z a) { return {s * a.re, s * a.im}; }
inline Z i_times(Z a) { return {-a.im, a.re}; }
inline Z times(Z a, double re, double im) { return {re * a.re - im * a.im, re * a.im + im * a.re}; }

template <int radix> inline void butterfly(Z (&z)[radix]) {
  if constexpr (radix == 2) {
    const Z a = z[0];
    z[0] = a + z[1];
    z[1] = a - z[1];
  } else if constexpr (radix == 4) {
    const Z a = z[0] + z[2], b = z[0] - z[2], c = z[1] + z[3], d = i_times(z[1] - z[3]);
    z[0] = a + c;
    z[1] = b + d;
    z[2] = a - c;
    z[3] = b - d;
  } else {
    // Pairs of points q, radix - q: their sums go with cosines, their differences with sines.
    constexpr int half = radix / 2;
    Z sum[half], difference[half];
    for (int q = 0; q < half; ++q) {
      sum[q] = z[q + 1] + z[radix - 1 - q];
      difference[q] = z[q + 1] - z[radix - 1 - q];
    }
    static constexpr double cosine[3][4] = {{1, -0.5, 0, 0},
                                            {1, 0.30901699437494742410, -0.80901699437494742410, 0},
                                            {1, 0.62348980185873353053, -0.22252093395631440429, -0.90096886790241912624}};
    static constexpr double sine[3][4] = {{0, 0.86602540378443864676, 0, 0},
                                          {0, 0.95105651629515357212, 0.58778525229247312917, 0},
                                          {0, 0.78183148246802980871, 0.97492791218182360702, 0.43388373911755812048}};
    constexpr int which = radix == 3 ? 0 : radix == 5 ? 1 : 2;
    const Z first = z[0];
    for (int q = 0; q < half; ++q) z[0] = z[0] + sum[q];
    for (int k = 1; k <= half; ++k) {
      Z even = first, odd{};
      for (int q = 1; q <= half; ++q) {
        const int turn = k * q % radix, folded = turn <= half ? turn : radix - turn;
        const double s = turn <= half ? sine[which][folded] : -sine[which][folded];
        even = even + cosine[which][folded] * sum[q - 1];
        odd = odd + s * difference[q - 1];
      }
      z[k] = even + i_times(odd);
      z[radix - k] = even - i_times(odd);
    }
  }
}

class Lines {
public:
  explicit Lines(int n) : n_(n), stages_(has_stages(n) ? stages_of(n) : std::vector<int>{}), roots_(roots_of_unity(n)) {
    int done = 1;
    for (const int r : stages_) {
      for (int k = 1; k < done; ++k)
        for (int q = 1; q < r; ++q)
          for (int part = 0; part < 2; ++part) twiddles_.push_back(roots_[2 * (q * k * (n / (done * r))) + part]);
      done *= r;
    }
  }
  int n() const { return n_; }
  const std::vector<double>& roots() const { return roots_; }

  // sum_j in[j] exp(+2 pi i j k/n), in `in` itself, a or b; in may be a.
  const Z* operator()(const Z* in, Z* a, Z* b) const {
    const double* w = twiddles_.data();
    Z* to = in == a ? b : a;
    int done = 1;
    for (const int r : stages_) {
      switch (r) {
        case 2: stage<2>(in, to, done, w); break;
        case 3: stage<3>(in, to, done, w); break;
        case 4: stage<4>(in, to, done, w); break;
        case 5: stage<5>(in, to, done, w); break;
        default: stage<7>(in, to, done, w);
      }
      w += 2 * (done - 1) * (r - 1);
      done *= r;
      in = to;
      to = in == a ? b : a;
    }
    return in;
  }

private:
  template <int radix> void stage(const Z* __restrict__ in, Z* __restrict__ out, int done, const double* w) const {
    const int far = n_ / radix, blocks = far / done;
    for (int b = 0; b < blocks; ++b) {
      Z z[radix];
      for (int q = 0; q < radix; ++q) z[q] = in[done * b + q * far];
      butterfly<radix>(z);
      for (int q = 0; q < radix; ++q) out[done * (radix * b + q)] = z[q];
    }
    for (int k = 1; k < done; ++k, w += 2 * (radix - 1))
      for (int b = 0; b < blocks; ++b) {
        Z z[radix];
        z[0] = in[k + done * b];
        for (int q = 1; q < radix; ++q) z[q] = times(in[k + done * b + q * far], w[2 * q - 2], w[2 * q - 1]);
        butterfly<radix>(z);
        for (int q = 0; q < radix; ++q) out[k + done * (radix * b + q)] = z[q];
      }
  }

  int n_;
  std::vector<int> stages_;
  std::vector<double> roots_, twiddles_;
};

}  // namespace suite::gw
