// SPDX-License-Identifier: BSD-3-Clause
// What gw.chi sums: the pairs that count, their factors at each frequency, and the owned columns.
#pragma once

#include <cstdint>
#include <vector>

#include "gw.hpp"

namespace suite::gw {

// A product of matrices, chi += sum over the pairs of factor M_p(G) conj(M_p(G')). Real factors make a Hermitian matrix. With real
// M a complex frequency is two real products, of which the second goes into chi_imaginary.
struct ChiProduct {
  int64_t frequency = 0;
  bool imaginary = false;         // into chi_imaginary
  bool hermitian = true;          // the factors are real
  std::vector<double> factor;     // of each pair that counts: one number if hermitian, else real and imaginary part
};

struct ChiSums {
  std::vector<int32_t> pairs;     // that count, from 0
  std::vector<ChiProduct> products;
  std::vector<int32_t> columns;   // G' of each owned column, from 0; -1: padding
  bool square = false;            // the columns are all G in their order: half of a Hermitian matrix is enough
  int64_t count() const { return static_cast<int64_t>(pairs.size()); }
};

// delta, weight, z and indigp are on the host. Throws where they cannot be meant.
ChiSums make_chi_sums(const Chi& c);

// The columns alone; they are constant.
void set_columns(const Chi& c, ChiSums& sums);

// Throws where there are more pairs than their numbers count.
void check_number_of_pairs(const Chi& c);

// Throws where z and the arrays that chi goes into do not fit each other, or a frequency meets a pair's pole. The first alone looks at
// what is set, not at numbers.
void check_frequency_arrays(const Chi& c);
void check_frequencies(const Chi& c);

// Nearer to its pole than this, relative to delta^2, a term has lost the digits that the tolerance asks for.
inline constexpr double nearest_to_a_pole = 1e-12;

// z(i), 0 where it is unset.
inline std::complex<double> frequency_of(const Chi& c, int64_t i) { return c.z ? c.z(i) : std::complex<double>(0); }

}  // namespace suite::gw
