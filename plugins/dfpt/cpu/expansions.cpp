// SPDX-License-Identifier: BSD-3-Clause
#include "expansions.hpp"

namespace suite::dfpt {
namespace {

typedef int64_t EightBits __attribute__((vector_size(64)));

// i times a complex number; its conjugate.
Eight times_i(const Eight& v) {
  const Eight turned = __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3);
  const EightBits minus = {INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN, 0, 0, 0, 0};
  return (Eight)((EightBits)turned ^ minus);
}
Eight conjugate(const Eight& v) {
  const EightBits minus = {0, 0, 0, 0, INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN};
  return (Eight)((EightBits)v ^ minus);
}

// From m >= 0 to all m.
void complete(Scalars& h, int order) {
  for (int l = 1; l <= order; ++l)
    for (int m = 1; m <= l; ++m) {
      const double sign = m % 2 ? -1 : 1;
      h.re[whole_place(l, -m)] = sign * h.re[whole_place(l, m)];
      h.im[whole_place(l, -m)] = -sign * h.im[whole_place(l, m)];
    }
}
void complete(const Eight* half, int order, Eight* whole) {
  for (int l = 0; l <= order; ++l)
    for (int m = 0; m <= l; ++m) {
      const Eight v = half[half_place(l, m)];
      whole[whole_place(l, m)] = v;
      if (m > 0) whole[whole_place(l, -m)] = m % 2 ? -conjugate(v) : conjugate(v);
    }
}

// first(m, .) from m-1; climb(l, m, below, two_below) from l-1 and l-2.
template <class Next, class Climb> void columns(int order, double re, double im, Scalars& h, Next&& next, Climb&& climb) {
  for (int m = 0; m <= order; ++m) {
    if (m > 0) next(m, re, im);
    double re1 = 0, im1 = 0, re2 = re, im2 = im;
    h.re[whole_place(m, m)] = re;
    h.im[whole_place(m, m)] = im;
    for (int l = m + 1; l <= order; ++l) {
      double along = 0, back = 0;
      climb(l, m, along, back);
      const double up_re = along * re2 - back * re1, up_im = along * im2 - back * im1;
      re1 = re2;
      im1 = im2;
      h.re[whole_place(l, m)] = re2 = up_re;
      h.im[whole_place(l, m)] = im2 = up_im;
    }
  }
}

}  // namespace

void regular(const double* r, int order, Scalars& R) {
  const double r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  columns(
      order, 1, 0, R,
      [r](int m, double& re, double& im) {
        const double up = (re * r[0] - im * r[1]) / (2 * m);
        im = (re * r[1] + im * r[0]) / (2 * m);
        re = up;
      },
      [r, r2](int l, int m, double& along, double& back) {
        const double over = 1.0 / ((l + m) * (l - m));
        along = (2 * l - 1) * r[2] * over;
        back = r2 * over;
      });
  complete(R, order);
}

void irregular(const double* r, int order, Scalars& I) {
  const double over = 1 / (r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
  columns(
      order, std::sqrt(over), 0, I,
      [r, over](int m, double& re, double& im) {
        const double factor = (2 * m - 1) * over, up = (re * r[0] - im * r[1]) * factor;
        im = (re * r[1] + im * r[0]) * factor;
        re = up;
      },
      [r, over](int l, int m, double& along, double& back) {
        along = (2 * l - 1) * r[2] * over;
        back = ((l - 1) * (l - 1) - m * m) * over;
      });
  complete(I, order);
}

// Y_lm = sqrt(2) N_lm P_lm cos or sin (m phi), N_lm^2 = (2l+1)/(4 pi) (l-m)!/(l+m)!.
void read_moments(const double* moments, int64_t next, int many, int l_max, Eight* M) {
  constexpr double four_pi = 12.566370614359172954;
  for (int l = 0; l <= l_max; ++l)
    for (int m = 0; m <= l; ++m) {
      double up = 1, down = 1;  // (l+m)! and (l-m)!
      for (int k = 2; k <= l + m; ++k) up *= k;
      for (int k = 2; k <= l - m; ++k) down *= k;
      const double factor = std::sqrt((2 * l + 1) / (four_pi * up * down) * (m > 0 ? 0.5 : 1.0));
      Eight v{};
      for (int q = 0; q < many; ++q) {
        v[q] = factor * moments[next * q + l * l + l + m];
        if (m > 0) v[4 + q] = factor * moments[next * q + l * l + l - m];
      }
      M[half_place(l, m)] = v;
    }
}

void add_multipole(const double* by, const Eight* from, int from_order, Eight* to, int order) {
  Scalars R;
  regular(by, order, R);
  Eight M[whole_count(most_order)], turned[whole_count(most_order)];
  complete(from, from_order, M);
  for (int64_t i = 0; i < whole_count(from_order); ++i) turned[i] = times_i(M[i]);
  for (int l = 0; l <= order; ++l)
    for (int m = 0; m <= l; ++m) {
      Eight a{}, b{};
      for (int j = 0; j <= std::min(l, from_order); ++j)
        for (int k = std::max(-j, m - (l - j)); k <= std::min(j, m + (l - j)); ++k) {
          const int64_t at_R = whole_place(l - j, m - k), at_M = whole_place(j, k);
          a += M[at_M] * R.re[at_R];
          b += turned[at_M] * R.im[at_R];
        }
      to[half_place(l, m)] += a + b;
    }
}

// conj(M) I = Re I conj(M) + Im I (i conj(M)).
void add_local(const double* by, const Eight* M, int source_order, Eight* L, int order) {
  Scalars I;
  irregular(by, order + source_order, I);
  Eight straight[whole_count(most_order)], turned[whole_count(most_order)];
  complete(M, source_order, straight);
  for (int64_t i = 0; i < whole_count(source_order); ++i) {
    straight[i] = conjugate(straight[i]);
    turned[i] = times_i(straight[i]);
  }
  for (int j = 0; j <= order; ++j)
    for (int k = 0; k <= j; ++k) {
      Eight a{}, b{}, c{}, d{};
      for (int l = 0; l <= source_order; ++l) {
        const int64_t first = whole_place(l + j, k);
        int64_t at_M = whole_place(l, -l);
        const double *re = I.re + first - l, *im = I.im + first - l;
        a += straight[at_M] * re[0];
        b += turned[at_M] * im[0];
        for (int m = 1; m <= 2 * l; m += 2) {
          c += straight[at_M + m] * re[m];
          d += turned[at_M + m] * im[m];
          a += straight[at_M + m + 1] * re[m + 1];
          b += turned[at_M + m + 1] * im[m + 1];
        }
      }
      const Eight sum = (a + c) + (b + d);
      L[half_place(j, k)] += j % 2 ? -sum : sum;
    }
}

void add_moved(const double* by, const Eight* from, int from_order, Eight* to, int order) {
  Scalars R;
  regular(by, from_order, R);
  Eight L[whole_count(most_order)], turned[whole_count(most_order)];
  complete(from, from_order, L);
  for (int64_t i = 0; i < whole_count(from_order); ++i) turned[i] = -times_i(L[i]);
  for (int l = 0; l <= order; ++l)
    for (int m = 0; m <= l; ++m) {
      Eight a{}, b{};
      for (int j = l; j <= from_order; ++j)
        for (int k = std::max(-j, m - (j - l)); k <= std::min(j, m + (j - l)); ++k) {
          const int64_t at_R = whole_place(j - l, k - m), at_L = whole_place(j, k);
          a += L[at_L] * R.re[at_R];
          b += turned[at_L] * R.im[at_R];
        }
      to[half_place(l, m)] += a + b;
    }
}

namespace {

template <int many>
void potential_of(const double* centre, const Eight* L, int order, const double* x, const double* y, const double* z, int64_t points,
                  double* potential, int64_t stride) {
  for (int64_t p = 0; p < points; p += lanes) {
    const Vector dx = load(x + p) - centre[0], dy = load(y + p) - centre[1], dz = load(z + p) - centre[2];
    const Vector r2 = dx * dx + dy * dy + dz * dz;
    Vector sums[many] = {}, re = fill(1.0), im{};
    for (int m = 0; m <= order; ++m) {
      if (m > 0) {
        const double over = 1.0 / (2 * m);
        const Vector up = (re * dx - im * dy) * over;
        im = (re * dy + im * dx) * over;
        re = up;
      }
      // R_lm = Q_l (re + i im) with Q of the column; conj(R) L has the real part Q (re Re L + im Im L).
      Vector one{}, two = fill(m > 0 ? 2.0 : 1.0), in_re[many], in_im[many];
      for (int q = 0; q < many; ++q) {
        const Eight v = L[half_place(m, m)];
        in_re[q] = two * v[q];
        in_im[q] = two * v[4 + q];
      }
      for (int l = m + 1; l <= order; ++l) {
        const double over = 1.0 / ((l + m) * (l - m));
        const Vector up = (dz * two * (2 * l - 1.0) - r2 * one) * over;
        one = two;
        two = up;
        const Eight v = L[half_place(l, m)];
        for (int q = 0; q < many; ++q) {
          in_re[q] += up * v[q];
          in_im[q] += up * v[4 + q];
        }
      }
      for (int q = 0; q < many; ++q) sums[q] += re * in_re[q] + im * in_im[q];
    }
    for (int q = 0; q < many; ++q) store(potential + stride * q + p, load(potential + stride * q + p) + sums[q]);
  }
}

}  // namespace

void add_potential(const double* centre, const Eight* L, int order, const double* x, const double* y, const double* z, int64_t points,
                   int many, double* potential, int64_t stride) {
  (many == 3 ? potential_of<3> : many == 2 ? potential_of<2> : potential_of<1>)(centre, L, order, x, y, z, points, potential, stride);
}

}  // namespace suite::dfpt
