// SPDX-License-Identifier: BSD-3-Clause
// What the host code of this plugin's parts ask of each other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "../gpp.hpp"

#include "device.cuh"

namespace suite::gpp {

// Matrix elements as numbers on the device: real and imaginary parts interleaved in the complex flavour.
template <class Argument> const double* numbers_of(const Argument& argument) { return gpu::device_data<const double>(argument.array()); }

// Complex numbers on the device.
template <class Argument> Z* complex_of(const Argument& argument) { return gpu::device_data<Z>(argument.array()); }

// w and I of a call, on the device. I has real or complex numbers, as the call's flavour is.
struct PoleArrays {
  const Z* w;
  const void* I;
};
inline PoleArrays poles_of(const Screening& call) { return {complex_of(call.wtilde_array), call.I_eps_array.array().data}; }

using gpu::blocks_for, gpu::check_addresses;

inline constexpr int64_t most_blocks = int64_t{1} << 30;
inline constexpr int64_t small_block = 128;  // threads of a block whose kernel wants no other number
inline int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

// The owned columns that count, padded to whole groups by -1; made by ColumnList (columns.hpp).
struct Columns {
  int64_t count = 0;  // without padding
  int64_t padded = 0;
  const int *igp = nullptr, *g = nullptr;  // column of wtilde and I, row of aqsm; both from 0, on the device
};

}  // namespace suite::gpp
