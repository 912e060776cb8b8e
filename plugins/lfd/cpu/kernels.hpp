// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of this folder have in common.
#pragma once

#include <suite/cpu/threads.hpp>

#include "../call.hpp"

namespace suite::lfd {

using cpu::threads_parameter, cpu::team_size, cpu::in_parallel;

// Complex numbers as pairs (re, im).
template <class T> T* pairs(std::complex<T>* z) { return reinterpret_cast<T*>(z); }
template <class T> const T* pairs(const std::complex<T>* z) { return reinterpret_cast<const T*>(z); }

}  // namespace suite::lfd
