// SPDX-License-Identifier: BSD-3-Clause
// The inverse of a matrix that need not be Hermitian.
#pragma once

#include <complex>
#include <cstdint>

namespace suite::app {

// Replaces a(n,n), column-major, by its inverse. False where it is singular to working precision; a is lost then.
bool invert_general(std::complex<double>* a, int64_t n);

}  // namespace suite::app
