// SPDX-License-Identifier: BSD-3-Clause
// The inverse of a Hermitian positive definite matrix, for double and std::complex<double>.
#pragma once

#include <cstdint>

namespace suite::app {

// Replaces a(n,n), column-major, of which only the lower triangle is read, by its inverse. False, and a is spoilt, where it is not positive definite. By
// tiles that the threads share; the result does not depend on their number.
template <class T> bool invert_positive(T* a, int64_t n);

}  // namespace suite::app
