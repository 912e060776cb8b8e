// SPDX-License-Identifier: BSD-3-Clause
// Subscripts and lengths of arrays on the host.
#pragma once

#include <cstddef>
#include <cstdint>

namespace suite::dfpt {

inline constexpr size_t at(int64_t i) { return static_cast<size_t>(i); }
inline constexpr int64_t rounded(int64_t n, int64_t to) { return (n + to - 1) / to * to; }

}  // namespace suite::dfpt
