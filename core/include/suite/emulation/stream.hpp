// SPDX-License-Identifier: BSD-3-Clause
// suite/emulation/stream.hpp - what suite_backend.native of the backend "emulated" gives to kernels.
#pragma once

#include <cstddef>

namespace suite::emulation {

struct Stream {
  int device = 0;
  int warp = 32;                // lanes; or 64
  int multiprocessors = 1;      // cores
  size_t shared_per_block = 0;  // bytes
};

}  // namespace suite::emulation
