// SPDX-License-Identifier: BSD-3-Clause
// suite/layout.hpp - the named data layouts. Outside, arrays are contiguous, first index fastest, complex interleaved;
// an implementation may name another layout for an argument (suite_kernel_table.layouts) and the core converts, or it
// calls pack() in its own prepare(). Names, combined with '+' in this order:
//   "interleaved"   as outside
//   "transposed"    the first two indices swapped
//   "blocked(n)"    the first index cut into blocks of n, zero-padded: [e0/n] slowest, then the other indices in their
//                   order, the n lanes fastest
//   "split"         complex only: real and imaginary parts in separate planes; with blocked(n) in separate lanes of a block
#pragma once

#include <cstdint>
#include <string_view>

#include <suite/plugin.hpp>

namespace suite::layout {

struct Layout {
  bool transposed = false, split = false;
  int64_t block = 0;  // 0: not blocked
  bool plain() const { return !transposed && !split && block == 0; }
};

}  // namespace suite::layout
