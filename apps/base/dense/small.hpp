// SPDX-License-Identifier: BSD-3-Clause
// Complex problems of a few unknowns, of which there are many: no allocation.
#pragma once

#include <complex>

namespace suite::app {

inline constexpr int most_small = 24;  // rows

// x(n) with the smallest |a x - b|, a(m,n) column-major, n <= m <= most_small. Where a has a smaller rank, one of those. False where it is not finite.
bool least_squares(int m, int n, const std::complex<double>* a, const std::complex<double>* b, std::complex<double>* x);

// The roots of y^n + c[n-1] y^(n-1) + ... + c[0], n <= most_small/2. False where they are not finite.
bool polynomial_roots(int n, const std::complex<double>* c, std::complex<double>* roots);

}  // namespace suite::app
