// SPDX-License-Identifier: BSD-3-Clause
// suite/gpu/properties.hpp - part of gpu.hpp: the device properties that kernels need.
#pragma once

#include <cstddef>

namespace suite::gpu {

struct Properties {
  int multiprocessors;
  int warp;                 // 32, or 64 on AMD's CDNA
  size_t shared_per_block;  // maximum bytes per block
};

}  // namespace suite::gpu
