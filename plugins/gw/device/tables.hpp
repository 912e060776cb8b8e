// SPDX-License-Identifier: BSD-3-Clause
// The kernels of this plugin. Functions, because a constant that other files see would be one of the device
// as well, for HIP.
#pragma once

#include <suite/plugin.hpp>

namespace suite::gw {

const suite_kernel_table* chi_table();
const suite_kernel_table* mtxel_table();
const suite_kernel_table* screening_table();

}  // namespace suite::gw
