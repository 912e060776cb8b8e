// SPDX-License-Identifier: BSD-3-Clause
#include "along_axis.hpp"

namespace suite::dfpt {
namespace {

// Real and imaginary parts do not mix when x and z are exchanged, and what is even in z becomes even in x: of the terms m' = 0..l of a real
// part, those of the parity of l + m count for m, and of an imaginary part the others. Rows of one parity of m are taken four at a time.
constexpr int most_rows = 4;
constexpr int first_real(int l, int m) { return (l + m) % 2; }
constexpr int first_imaginary(int l, int m) { return 1 + first_real(l, m); }
constexpr int count_from(int first, int last) { return first > last ? 0 : (last - first) / 2 + 1; }

// The matrices of all l in the order in which exchange() reads them: [m'][row] of a block's real parts, then of its imaginary ones.
class Exchange {
public:
  explicit Exchange(Kind kind) {
    std::vector<std::vector<long double>> below, here = {{1}};
    for (int l = 0; l <= most_order; ++l) {
      if (l > 0) here = next(l, below);
      begin_[l] = std::ssize(numbers_);
      for (int parity = 0; parity < 2; ++parity)
        for (int m = parity; m <= l; m += 2 * most_rows) add_block(kind, l, m, std::min(most_rows, count_from(m, l)), here);
      below = here;
    }
  }
  const double* of(int l) const { return numbers_.data() + begin_[l]; }

private:
  using Matrix = std::vector<std::vector<long double>>;  // D(m,m') from -l to l: R_lm with x and z exchanged is sum D R_lm'

  // By d/dz R_lm = R_(l-1)m and d/dx R_lm = (R_(l-1)(m-1) - R_(l-1)(m+1))/2 on both sides.
  static Matrix next(int l, const Matrix& D) {
    if (l == 1) return {{0.5L, -0.5L, 0.5L}, {-1, 0, 1}, {0.5L, 0.5L, 0.5L}};
    const auto old = [&](int m, int k) { return std::abs(m) < l && std::abs(k) < l ? D[at(m + l - 1)][at(k + l - 1)] : 0; };
    Matrix up(at(2 * l + 1), std::vector<long double>(at(2 * l + 1)));
    for (int m = -l; m <= l; ++m) {
      auto& row = up[at(m + l)];
      for (int k = 1 - l; k < l; ++k) row[at(k + l)] = (old(m - 1, k) - old(m + 1, k)) / 2;
      row[at(2 * l)] = row[at(2 * l - 2)] + 2 * old(m, l - 1);
      row[0] = row[2] - 2 * old(m, 1 - l);
    }
    return up;
  }
  // With (l+m)! (l-m)! for I_lm.
  static long double scale(Kind kind, int l, int m) {
    long double product = 1;
    for (int k = 2; k <= l + m && kind == Kind::irregular; ++k) product *= k;
    for (int k = 2; k <= l - m && kind == Kind::irregular; ++k) product *= k;
    return product;
  }
  void add_block(Kind kind, int l, int m, int rows, const Matrix& D) {
    for (const bool real : {true, false})
      for (int k = real ? first_real(l, m) : first_imaginary(l, m); k <= l; k += 2)
        for (int row = m; row < m + 2 * rows; row += 2) {
          const long double one = D[at(row + l)][at(l + k)], other = (k % 2 ? -1 : 1) * D[at(row + l)][at(l - k)];
          const long double sum = k == 0 ? one : real ? one + other : one - other;
          numbers_.push_back(static_cast<double>(sum * scale(kind, l, row) / scale(kind, l, k)));
        }
  }

  Numbers numbers_;
  int64_t begin_[most_order + 1];
};

const Exchange& exchange_of(Kind kind) {
  static const Exchange regular(Kind::regular), irregular(Kind::irregular);
  return kind == Kind::regular ? regular : irregular;
}

// Parts of every other term, `in` being the first one's, times `rows` rows of the matrix.
template <int rows, class Lanes> inline void multiply(const double* matrix, const Lanes* in, int count, Lanes (&sums)[most_rows]) {
  Lanes all[rows] = {};
  for (int k = 0; k < count; ++k) {
    const Lanes part = in[4 * k];
#pragma GCC unroll 4
    for (int row = 0; row < rows; ++row) all[row] += part * matrix[rows * k + row];
  }
#pragma GCC unroll 4
  for (int row = 0; row < rows; ++row) sums[row] = all[row];
}

// A block of rows m, m + 2, ...: store(m, real part, imaginary part).
template <int rows, class Lanes, class Store>
inline void exchange_rows(const double*& matrix, const Term<Lanes>* from, int l, int m, int most_m, Store&& store) {
  const int real = first_real(l, m), imaginary = first_imaginary(l, m);
  Lanes re[most_rows], im[most_rows];
  multiply<rows>(matrix, &from[real].re, count_from(real, most_m), re);
  matrix += rows * count_from(real, l);
  multiply<rows>(matrix, &from[imaginary].im, count_from(imaginary, most_m), im);
  matrix += rows * count_from(imaginary, l);
  for (int row = 0; row < rows; ++row) store(m + 2 * row, re[row], im[row]);
}

// x and z exchanged; terms of m > most_m are 0. store(number of the term, m, real part, imaginary part).
template <class Lanes, class Store> inline void exchange(Kind kind, const Term<Lanes>* from, int order, int most_m, Store&& store) {
  const double* matrix = exchange_of(kind).of(0);
  for (int l = 0; l <= order; ++l) {
    const Term<Lanes>* const terms = from + half_place(l, 0);
    const int last = std::min(l, most_m);
    const auto put = [&](int m, const Lanes& re, const Lanes& im) { store(half_place(l, m), m, re, im); };
    for (int parity = 0; parity < 2; ++parity)
      for (int m = parity; m <= l; m += 2 * most_rows) {
        const int rows = count_from(m, l);
        if (rows >= 4) exchange_rows<4>(matrix, terms, l, m, last, put);
        else if (rows == 3) exchange_rows<3>(matrix, terms, l, m, last, put);
        else if (rows == 2) exchange_rows<2>(matrix, terms, l, m, last, put);
        else exchange_rows<1>(matrix, terms, l, m, last, put);
      }
  }
}

}  // namespace

void AlongAxis::powers(double re, double im, int order, Phases& all) {
  all[0] = {1, 0};
  for (int m = 1; m <= order; ++m) all[m] = {all[m - 1].re * re - all[m - 1].im * im, all[m - 1].re * im + all[m - 1].im * re};
}

AlongAxis::AlongAxis(const double* by, int order) {
  const double x = by[0], y = by[1], z = by[2], across = std::sqrt(x * x + y * y);
  length_ = std::sqrt(x * x + y * y + z * z);
  if (across > 0) powers(y / across, x / across, order, to_yz_);
  else powers(1, 0, order, to_yz_);
  if (length_ > 0) powers(z / length_, -across / length_, order, to_axis_);
  else powers(1, 0, order, to_axis_);
}

template <class Lanes> void AlongAxis::turn(Kind kind, const Term<Lanes>* from, int order, Term<Lanes>* to) const {
  Term<Lanes> in_yz[half_count(most_order)];
  for (int l = 0; l <= order; ++l)
    for (int m = 0; m <= l; ++m) {
      const Term<Lanes>& term = from[half_place(l, m)];
      const Phase phase = to_yz_[m];
      to[half_place(l, m)] = {term.re * phase.re - term.im * phase.im, term.re * phase.im + term.im * phase.re};
    }
  exchange(kind, to, order, order, [&](int i, int m, const Lanes& re, const Lanes& im) {
    const Phase phase = to_axis_[m];
    in_yz[i] = {re * phase.re - im * phase.im, re * phase.im + im * phase.re};
  });
  exchange(kind, in_yz, order, order, [&](int i, int, const Lanes& re, const Lanes& im) { to[i] = {re, im}; });
}

template <class Lanes> void AlongAxis::add_back(Kind kind, const Term<Lanes>* from, int order, int most_m, Term<Lanes>* to) const {
  Term<Lanes> in_yz[half_count(most_order)];
  exchange(kind, from, order, most_m, [&](int i, int m, const Lanes& re, const Lanes& im) {
    const Phase phase = to_axis_[m];
    in_yz[i] = {re * phase.re + im * phase.im, im * phase.re - re * phase.im};
  });
  exchange(kind, in_yz, order, order, [&](int i, int m, const Lanes& re, const Lanes& im) {
    const Phase phase = to_yz_[m];
    to[i].re += re * phase.re + im * phase.im;
    to[i].im += im * phase.re - re * phase.im;
  });
}

template void AlongAxis::turn(Kind, const Term<double>*, int, Term<double>*) const;
template void AlongAxis::turn(Kind, const Term<Four>*, int, Term<Four>*) const;
template void AlongAxis::add_back(Kind, const Term<double>*, int, int, Term<double>*) const;
template void AlongAxis::add_back(Kind, const Term<Four>*, int, int, Term<Four>*) const;

}  // namespace suite::dfpt
