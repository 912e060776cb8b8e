// SPDX-License-Identifier: BSD-3-Clause
// suite/gpu/properties.hpp - part of gpu.hpp: what a kernel asks of its device.
#pragma once

#include <cstddef>

namespace suite::gpu {

struct Properties {
  int multiprocessors;
  int warp;                 // 32, or 64 on AMD's CDNA
  size_t shared_per_block;  // bytes that a block can have at most
};

}  // namespace suite::gpu
