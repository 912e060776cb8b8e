// SPDX-License-Identifier: BSD-3-Clause
// Exchange and correlation of points [begin,end) as vectors: no call of a library inside the loop.
#pragma once

#include <cstdint>

#include "../lfd.hpp"

namespace suite::lfd {

// vxc, and exc where it is given; `none` writes zeros.
template <class T> void exchange_correlation_of(Functional functional, const T* rho, T* vxc, T* exc, int64_t begin, int64_t end);

extern template void exchange_correlation_of(Functional, const float*, float*, float*, int64_t, int64_t);
extern template void exchange_correlation_of(Functional, const double*, double*, double*, int64_t, int64_t);

}  // namespace suite::lfd
