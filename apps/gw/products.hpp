// SPDX-License-Identifier: BSD-3-Clause
// Products of matrices by one thread, for threads that share work by other means.
#pragma once

#include <cstdint>

namespace suite::gw {

// c(n,m) += a(n,k) b(k,m), column-major, without gaps.
void add_product(int64_t n, int64_t k, int64_t m, const double* a, const double* b, double* c);

}  // namespace suite::gw
