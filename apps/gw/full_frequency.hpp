// SPDX-License-Identifier: BSD-3-Clause
// What the models that take eps^-1 at several frequencies have in common: the pairs of external bands and their energies, and the matrix elements of one
// (k,q) in the form that products of matrices take.
#pragma once

#include <span>

#include "kernel_call.hpp"
#include "offdiag.hpp"

namespace suite::gw {

// <n|Sigma(E)|m>, n and m from the first external band of the plan. What stands for SX - X, CH, and the static sum over bands of CH; Ry.
struct BandPair {
  int n = 0, m = 0;
  std::vector<double> x;  // E - E_n', eV: energies fastest, then n'
  std::vector<std::complex<double>> sx, ch;
  std::complex<double> static_ch;
  size_t energies() const { return sx.size(); }
};
// Closer to a level of n' than this E counts as just above it, as in BerkeleyGW.
inline constexpr double at_level_eV = 1e-6;
inline double beside_level(double x) { return std::abs(x) < at_level_eV ? at_level_eV : x; }

// The diagonal ones of an item, then the elements of the settings' offdiag.
std::vector<BandPair> pairs_of(const Plan& plan, const Plan::Item& item, const SigmaArguments& arguments);
// To where gpp.sigma and gpp.sigma_offdiag put theirs.
void put_pairs(const std::vector<BandPair>& pairs, SigmaArguments& arguments, std::span<ElementTerms> terms);

// Real and imaginary parts apart; real numbers have no second.
struct Parts {
  std::vector<double> real, imaginary;
  Parts() = default;
  explicit Parts(const Numbers& numbers);
};

struct ScreenedElements {
  size_t rows = 0, columns = 0, nbands = 0;  // G, own G', n'
  Parts bra;  // M(G): G fastest, then n', then external bands
  Parts ket;  // v(G') conj M(G'), own G', in the same order

  explicit ScreenedElements(const SigmaArguments& arguments);
  // The kets of blocks (n', external band).
  Parts select(const std::vector<size_t>& blocks) const;
  // matrix(G,G') times `count` kets.
  Parts screen(const Parts& matrix, const Parts& kets, size_t count) const;
  // sum_G M(G) b(G) of block `at` of the bras and column `of` of b.
  std::complex<double> dot(size_t at, const Parts& b, size_t of) const;
  // All n' with one external band.
  std::vector<size_t> blocks_of(int external) const;
};

}  // namespace suite::gw
