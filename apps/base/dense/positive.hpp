// SPDX-License-Identifier: BSD-3-Clause
// Inverses of dense matrices: Hermitian positive definite ones, for double and std::complex<double>, and general ones.
#pragma once

#include <complex>
#include <cstdint>

namespace suite::app {

// Replaces a(n,n), column-major, of which only the lower triangle is read, by its inverse. False, and a is spoilt, where it is not positive definite. By
// tiles that the threads share; the result does not depend on their number.
template <class T> bool invert_positive(T* a, int64_t n);

// The same for any complex matrix; false where it is singular to working precision.
bool invert_general(std::complex<double>* a, int64_t n);

}  // namespace suite::app
