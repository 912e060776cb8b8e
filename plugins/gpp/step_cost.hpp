// SPDX-License-Identifier: BSD-3-Clause
// Operations and traffic of the published steps of gpp.sigma (ladder.cpp, .cl, .cu), counted by hand as they
// are written; a test runs the arithmetic with a type that counts. Conventions and tables:
// docs/performance/gpp.sigma.steps.md.
#pragma once

#include <algorithm>

#include "gpp.hpp"
#include "steps.hpp"

namespace suite::gpp {

// How an implementation carries a step out.
struct StepStyle {
  bool masked;        // both branches are evaluated and one is chosen, as vectors do; else one, A
  bool by_rows;       // from v3 on rows go together: v(G') conj(M_m(G')) is made once for all of them,
  bool sums_of_rows;  // and so is the product of their sum with f_n'
  int64_t energies;   // up to v3: as many energies share P
  bool bands_apart;   // v9: 16 threads share the bands, instead of blocks of 16 bands
};

namespace step_cost_detail {

// As a GPU carries them out: a seed and three FMA; for the last two a product and two FMA more.
inline constexpr double reciprocal = 6, division = 11, root = 11;
inline constexpr double complex_product = 6, size_squared = 3, size = size_squared + root;

constexpr bool simplified(int step) { return step >= 6; }
constexpr bool squared(int step) { return step >= 8; }

// Complex: Smith's, of which vectors evaluate both cases; the conjugate and a reciprocal from v7 on.
constexpr double quotient(int step, bool masked) {
  if (step >= 7) return size_squared + reciprocal + complex_product + 2;
  return 3 * division + 2 + (masked ? 8 : 4);
}

// ssx and sch of one term with x < 0; x^2 and what depends on the pair (G,G') alone is made before.
constexpr double term(int step, bool masked) {
  // What the quotient of each branch is made of.
  const double in_a = 1, in_b = 2 * complex_product + 1 + 2;
  double flops = 1 + quotient(step, masked);  // D, delta
  flops += masked || simplified(step) ? 2 * size_squared : 2 * size;
  if (!simplified(step)) flops += 2 * complex_product + size + 1;  // w^2, w^2 I; the cutoff
  flops += in_a + quotient(step, masked) + complex_product;        // ssx, sch
  if (masked) flops += in_b + (simplified(step) ? 0 : quotient(step, masked));
  return flops + (squared(step) ? size_squared : size);
}

}  // namespace step_cost_detail

// P = v M_n conj(M_m), per triple (n',G',G) or, from v4 on, per term.
constexpr double product_flops(int step, const StepStyle& style) { return step >= 3 && style.by_rows ? 6 : 8; }
// ssx and sch, and the two sums that they go into.
constexpr double term_flops(int step, const StepStyle& style) {
  using namespace step_cost_detail;
  return term(step, style.masked) + 2 * complex_product + 4 + (step >= 3 && style.sums_of_rows ? 0 : 2);
}

// The cost of a variant; that of `best` is the kernel's own. The bytes are what the innermost loops load:
// what stays in a thread's registers, and what all rows of a vector or block have in common (M_m, x, f),
// counts nothing. Blocks of M_n that are read again while they are in cache (v9) count once.
inline int step_cost(const StepStyle& style, int64_t variant, const suite_array* arguments, suite_cost* cost) {
  if (variant == best_variant) return Sigma::cost(arguments, cost);
  const int step = step_of(static_cast<int>(variant));
  const Sigma c(arguments);
  const int64_t nw = c.nw(), ntband = c.ntband();
  const auto pairs = static_cast<double>(c.ncouls()) * static_cast<double>(c.ngpown());
  const auto bands = static_cast<double>(ntband), external = static_cast<double>(c.nex());
  // How often the loops over n', G' and G are gone through for one external band.
  const auto sweeps = static_cast<double>(step < 4 ? (nw + style.energies - 1) / style.energies : nw);
  const double triples = pairs * bands * external;
  cost->flops = triples * (sweeps * product_flops(step, style) + static_cast<double>(nw) * term_flops(step, style));

  constexpr int64_t band_block = 16;
  const double element = c.is_real() ? 8 : 16, pair = 16 + element;
  const int64_t blocks = style.bands_apart ? std::min(band_block, ntband) : (ntband + band_block - 1) / band_block;
  const double rows = static_cast<double>(c.ncouls()) * bands * external * element;
  cost->bytes = sweeps * (step == 1   ? triples * (pair + element)
                          : step == 9 ? pairs * external * static_cast<double>(blocks) * pair + rows
                                      : pairs * external * pair + triples * element);
  return SUITE_OK;
}

}  // namespace suite::gpp
