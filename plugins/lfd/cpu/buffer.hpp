// SPDX-License-Identifier: BSD-3-Clause
// Working memory and threads, under the family's name.
#pragma once

#include <suite/cpu/buffer.hpp>
#include <suite/cpu/threads.hpp>

namespace suite::lfd {

using cpu::Team;

template <class T> struct Buffer : cpu::Buffer<T> {
  Buffer() : cpu::Buffer<T>("lfd") {}
};

}  // namespace suite::lfd
