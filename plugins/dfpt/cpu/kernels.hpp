// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of this folder have in common.
#pragma once

#include <suite/cpu/buffer.hpp>
#include <suite/cpu/doubles.hpp>
#include <suite/cpu/threads.hpp>

#include "../call.hpp"
#include "../extents.hpp"

namespace suite::dfpt {

using cpu::fill;
using cpu::load;
using cpu::load_first;
using cpu::store;
using cpu::store_first;
using Vector = cpu::Doubles;
using Mask = cpu::Bits;
inline constexpr int lanes = cpu::doubles;

using Numbers = std::vector<double>;
using Integers = std::vector<int32_t>;

inline double real(int64_t n) { return static_cast<double>(n); }

}  // namespace suite::dfpt
