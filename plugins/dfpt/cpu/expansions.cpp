// SPDX-License-Identifier: BSD-3-Clause
#include "expansions.hpp"

namespace suite::dfpt {
namespace {

// Of a direction.
double lane(const double& number, int) { return number; }
double lane(const Four& numbers, int direction) { return numbers[direction]; }

constexpr auto factorials = [] {
  std::array<double, 2 * most_order + 1> all{};
  double product = 1;
  for (size_t n = 0; n < all.size(); ++n) all[n] = product *= n == 0 ? 1 : static_cast<double>(n);
  return all;
}();

// R_lm of one vector, all m.
struct Scalars {
  double re[whole_count(most_order)], im[whole_count(most_order)];
};

// From m >= 0 to all m.
void complete(Scalars& h, int order) {
  for (int l = 1; l <= order; ++l)
    for (int m = 1; m <= l; ++m) {
      const double sign = m % 2 ? -1 : 1;
      h.re[whole_place(l, -m)] = sign * h.re[whole_place(l, m)];
      h.im[whole_place(l, -m)] = -sign * h.im[whole_place(l, m)];
    }
}
template <class Lanes> void complete(const Term<Lanes>* half, int order, Term<Lanes>* whole) {
  for (int l = 0; l <= order; ++l)
    for (int m = 0; m <= l; ++m) {
      const Term<Lanes> v = half[half_place(l, m)];
      whole[whole_place(l, m)] = v;
      if (m > 0) whole[whole_place(l, -m)] = m % 2 ? Term<Lanes>{-v.re, v.im} : Term<Lanes>{v.re, -v.im};
    }
}

void regular(const double* r, int order, Scalars& R) {
  const double r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  double re = 1, im = 0;
  for (int m = 0; m <= order; ++m) {
    if (m > 0) {
      const double up = (re * r[0] - im * r[1]) / (2 * m);
      im = (re * r[1] + im * r[0]) / (2 * m);
      re = up;
    }
    double re1 = 0, im1 = 0, re2 = re, im2 = im;
    R.re[whole_place(m, m)] = re;
    R.im[whole_place(m, m)] = im;
    for (int l = m + 1; l <= order; ++l) {
      const double over = 1.0 / ((l + m) * (l - m)), along = (2 * l - 1) * r[2] * over, back = r2 * over;
      const double up_re = along * re2 - back * re1, up_im = along * im2 - back * im1;
      re1 = re2;
      im1 = im2;
      R.re[whole_place(l, m)] = re2 = up_re;
      R.im[whole_place(l, m)] = im2 = up_im;
    }
  }
  complete(R, order);
}

}  // namespace

// Y_lm = sqrt(2) N_lm P_lm cos or sin (m phi), N_lm^2 = (2l+1)/(4 pi) (l-m)!/(l+m)!.
template <class Lanes> void read_moments(const double* moments, int64_t next, int many, int l_max, Term<Lanes>* M) {
  constexpr double four_pi = 12.566370614359172954;
  for (int l = 0; l <= l_max; ++l)
    for (int m = 0; m <= l; ++m) {
      const double factor = std::sqrt((2 * l + 1) / (four_pi * factorials[at(l + m)] * factorials[at(l - m)]) * (m > 0 ? 0.5 : 1.0));
      Term<Lanes> v{};
      for (int q = 0; q < many; ++q) {
        const double *const real = moments + next * q + l * l + l + m, *const imaginary = real - 2 * m;
        if constexpr (sizeof(Lanes) == sizeof(double)) {
          v.re = factor * *real;
          if (m > 0) v.im = factor * *imaginary;
        } else {
          v.re[q] = factor * *real;
          if (m > 0) v.im[q] = factor * *imaginary;
        }
      }
      M[half_place(l, m)] = v;
    }
}

template <class Lanes> void add_multipole(const double* by, const Term<Lanes>* from, int from_order, Term<Lanes>* to, int order) {
  Scalars R;
  regular(by, order, R);
  Term<Lanes> M[whole_count(cell_order)];
  complete(from, from_order, M);
  for (int l = 0; l <= order; ++l)
    for (int m = 0; m <= l; ++m) {
      Term<Lanes> sum{};
      for (int j = 0; j <= std::min(l, from_order); ++j)
        for (int k = std::max(-j, m - (l - j)); k <= std::min(j, m + (l - j)); ++k) {
          const double re = R.re[whole_place(l - j, m - k)], im = R.im[whole_place(l - j, m - k)];
          const Term<Lanes>& v = M[whole_place(j, k)];
          sum.re += v.re * re - v.im * im;
          sum.im += v.im * re + v.re * im;
        }
      to[half_place(l, m)].re += sum.re;
      to[half_place(l, m)].im += sum.im;
    }
}

namespace {

// to(l,m) = sum over j of factor(l,j) from(j,m) for m <= most_m, l from m to `order`; j(l): the first and the last.
template <class Lanes, class Range, class Factor>
inline void translate(const Term<Lanes>* from, Term<Lanes>* to, int order, int most_m, Range&& range, Factor&& factor) {
  for (int m = 0; m <= most_m; ++m)
    for (int l = m; l <= order; ++l) {
      Lanes re{}, im{};
      const auto [first, last] = range(l, m);
      for (int j = first; j <= last; ++j) {
        const Term<Lanes>& term = from[half_place(j, m)];
        const double f = factor(l, j);
        re += term.re * f;
        im += term.im * f;
      }
      to[half_place(l, m)] = {re, im};
    }
}

}  // namespace

template <class Lanes> void add_local(const double* by, const Term<Lanes>* M, int source_order, Term<Lanes>* L, int order) {
  const int most_m = std::min(source_order, order);
  const AlongAxis axis(by, std::max(source_order, order));
  Term<Lanes> source[half_count(cell_order)], local[half_count(most_order)];
  axis.turn(Kind::regular, M, source_order, source);
  // L_jk = (-1)^(j+k) sum_l I_(l+j)0 M_lk
  const double over = 1 / axis.length();
  double I[most_order + cell_order + 1], power = over;
  for (int n = 0; n <= order + source_order; ++n, power *= over) I[n] = factorials[at(n)] * power;
  translate(
      source, local, order, most_m, [&](int, int k) { return std::pair(k, source_order); }, [&](int j, int l) { return I[l + j]; });
  for (int j = 0; j <= order; ++j)
    for (int k = (j + 1) % 2; k <= std::min(j, most_m); k += 2) {
      Term<Lanes>& term = local[half_place(j, k)];
      term = {-term.re, -term.im};
    }
  axis.add_back(Kind::irregular, local, order, most_m, L);
}

template <class Lanes> void add_moved(const double* by, const Term<Lanes>* from, int from_order, Term<Lanes>* to, int order) {
  const AlongAxis axis(by, std::max(from_order, order));
  Term<Lanes> old[half_count(most_order)], moved[half_count(most_order)];
  axis.turn(Kind::irregular, from, from_order, old);
  double R[most_order + 1], power = 1;
  for (int n = 0; n <= from_order; ++n, power *= axis.length()) R[n] = power / factorials[at(n)];
  translate(
      old, moved, order, order, [&](int l, int) { return std::pair(l, from_order); }, [&](int l, int j) { return R[j - l]; });
  axis.add_back(Kind::irregular, moved, order, order, to);
}

namespace {

template <int many, class Lanes>
void potential_of(const double* centre, const Term<Lanes>* L, int order, const double* x, const double* y, const double* z, int64_t points,
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
        const Term<Lanes>& v = L[half_place(m, m)];
        in_re[q] = two * lane(v.re, q);
        in_im[q] = two * lane(v.im, q);
      }
      for (int l = m + 1; l <= order; ++l) {
        const double over = 1.0 / ((l + m) * (l - m));
        const Vector up = (dz * two * (2 * l - 1.0) - r2 * one) * over;
        one = two;
        two = up;
        const Term<Lanes>& v = L[half_place(l, m)];
        for (int q = 0; q < many; ++q) {
          in_re[q] += up * lane(v.re, q);
          in_im[q] += up * lane(v.im, q);
        }
      }
      for (int q = 0; q < many; ++q) sums[q] += re * in_re[q] + im * in_im[q];
    }
    for (int q = 0; q < many; ++q) store(potential + stride * q + p, load(potential + stride * q + p) + sums[q]);
  }
}

}  // namespace

template <class Lanes>
void add_potential(const double* centre, const Term<Lanes>* L, int order, const double* x, const double* y, const double* z, int64_t points,
                   int many, double* potential, int64_t stride) {
  (many == 3   ? potential_of<3, Lanes>
   : many == 2 ? potential_of<2, Lanes>
               : potential_of<1, Lanes>)(centre, L, order, x, y, z, points, potential, stride);
}

template void read_moments(const double*, int64_t, int, int, Term<double>*);
template void read_moments(const double*, int64_t, int, int, Term<Four>*);
template void add_multipole(const double*, const Term<double>*, int, Term<double>*, int);
template void add_multipole(const double*, const Term<Four>*, int, Term<Four>*, int);
template void add_local(const double*, const Term<double>*, int, Term<double>*, int);
template void add_local(const double*, const Term<Four>*, int, Term<Four>*, int);
template void add_moved(const double*, const Term<double>*, int, Term<double>*, int);
template void add_moved(const double*, const Term<Four>*, int, Term<Four>*, int);
template void add_potential(const double*, const Term<double>*, int, const double*, const double*, const double*, int64_t, int, double*,
                            int64_t);
template void add_potential(const double*, const Term<Four>*, int, const double*, const double*, const double*, int64_t, int, double*,
                            int64_t);

}  // namespace suite::dfpt
