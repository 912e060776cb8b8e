// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of this folder have in common.
#pragma once

#include <suite/cpu/threads.hpp>

#include "../call.hpp"

namespace suite::lfd {

using cpu::threads_parameter, cpu::team_size, cpu::in_parallel;

template <class T>
const T* numbers(const suite_array& array) {
  return static_cast<const T*>(array.data);
}
template <class T>
T* results(const suite_array& array) {
  return static_cast<T*>(array.data);
}

}  // namespace suite::lfd
