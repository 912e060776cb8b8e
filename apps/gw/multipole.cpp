// SPDX-License-Identifier: BSD-3-Clause
#include "multipole.hpp"

#include <algorithm>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define SUITE_POLE_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define SUITE_POLE_CLONES
#endif

namespace suite::gw {

namespace {

constexpr double nearest2 = 1e-8;  // of (x - W)^2, eV^2: keeps a pole on the real axis finite

// sum_G M(G) R(G)/(x - s W(G)) of one pole: real parts of W, imaginary ones, then those of R follow each other. mi: null where M is real.
SUITE_POLE_CLONES void add_pole(int64_t n, const double* __restrict pole, const double* __restrict mr, const double* __restrict mi,
                                double x, double s, double* __restrict sum) {
  const double *wr = pole, *wi = pole + n, *rr = pole + 2 * n, *ri = pole + 3 * n;
  double real = 0, imaginary = 0;
  if (mi) {
#pragma omp simd reduction(+ : real, imaginary)
    for (int64_t i = 0; i < n; ++i) {
      const double dr = x - s * wr[i], di = -s * wi[i], inverse = 1 / (dr * dr + di * di + nearest2);
      const double fr = (rr[i] * dr + ri[i] * di) * inverse, fi = (ri[i] * dr - rr[i] * di) * inverse;
      real += mr[i] * fr - mi[i] * fi;
      imaginary += mr[i] * fi + mi[i] * fr;
    }
  } else {
#pragma omp simd reduction(+ : real, imaginary)
    for (int64_t i = 0; i < n; ++i) {
      const double dr = x - s * wr[i], di = -s * wi[i], scaled = mr[i] / (dr * dr + di * di + nearest2);
      real += (rr[i] * dr + ri[i] * di) * scaled;
      imaginary += (ri[i] * dr - rr[i] * di) * scaled;
    }
  }
  sum[0] += real;
  sum[1] += imaginary;
}

}  // namespace

void MultipoleSelfEnergy::run(const Plan::Item& item, SigmaArguments& a, std::span<ElementTerms> terms) {
  using Complex = std::complex<double>;
  std::vector<BandPair> pairs = pairs_of(plan_, item, a);
  const ScreenedElements elements(a);
  const size_t nb = elements.nbands, rows = elements.rows, columns = elements.columns, npole = a.screening.poles_of_pair;
  // Energies of a pair and n' one after the other, of both signs of W.
  std::vector<size_t> begin{0};
  for (const BandPair& pair : pairs)
    for (size_t n1 = 0; n1 < nb; ++n1) begin.push_back(begin.back() + pair.energies());
  std::vector<Complex> above(begin.back()), below(begin.back());  // with x - W, and x + W
  double sums = 0;
  // A column's poles stay in the first cache while all bands of a thread take them.
#pragma omp parallel for schedule(dynamic, 4) reduction(+ : sums)
  for (size_t chunk = 0; chunk < (begin.size() + 15) / 16; ++chunk)
    for (size_t column = 0; column < columns; ++column)
      for (size_t at = 16 * chunk; at < std::min(16 * chunk + 16, begin.size() - 1); ++at) {
        const size_t n1 = at % nb;
        const BandPair& pair = pairs[at / nb];
        const size_t bra = (static_cast<size_t>(pair.n) * nb + n1) * rows, ket = (static_cast<size_t>(pair.m) * nb + n1) * columns + column;
        const double* const mr = elements.bra.real.data() + bra;
        const double* const mi = elements.bra.imaginary.empty() ? nullptr : elements.bra.imaginary.data() + bra;
        const Complex factor{elements.ket.real[ket], mi ? elements.ket.imaginary[ket] : 0.0};
        const bool occupied = a.occupation[n1] != 0;
        for (size_t i = 0; i < pair.energies(); ++i) {
          const double x = pair.x[n1 * pair.energies() + i];
          double minus[2] = {0, 0}, plus[2] = {0, 0};
          for (size_t p = 0; p < npole; ++p) {
            const double* const pole = a.screening.multipoles.data() + (column * npole + p) * 4 * rows;
            add_pole(static_cast<int64_t>(rows), pole, mr, mi, x, 1, minus);
            if (occupied) add_pole(static_cast<int64_t>(rows), pole, mr, mi, x, -1, plus);
          }
          above[begin[at] + i] += factor * Complex(minus[0], minus[1]);
          below[begin[at] + i] += factor * Complex(plus[0], plus[1]);
          sums += occupied ? 2 : 1;
        }
      }
  iterations_ += sums * static_cast<double>(rows * npole);
  for (size_t at = 0; at + 1 < begin.size(); ++at) {
    BandPair& pair = pairs[at / nb];
    for (size_t i = 0; i < pair.energies(); ++i) {
      pair.ch[i] -= above[begin[at] + i];
      pair.sx[i] += a.occupation[at % nb] * (above[begin[at] + i] - below[begin[at] + i]);
    }
  }
  if (plan_.settings.static_bands()) add_static(a, elements, pairs);
  put_pairs(pairs, a, terms);
}

void MultipoleSelfEnergy::add_static(const SigmaArguments& a, const ScreenedElements& elements, std::vector<BandPair>& pairs) const {
  const Parts matrix(a.screening.I_eps);
  for (int m = 0; m < a.nex; ++m) {
    const std::vector<size_t> blocks = elements.blocks_of(m);
    const Parts screened = elements.screen(matrix, elements.select(blocks), blocks.size());
    for (BandPair& pair : pairs)
      for (size_t n1 = 0; pair.m == m && n1 < elements.nbands; ++n1)
        pair.static_ch -= 0.5 * elements.dot(static_cast<size_t>(pair.n) * elements.nbands + n1, screened, n1);
  }
}

}  // namespace suite::gw
