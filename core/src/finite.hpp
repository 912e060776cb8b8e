// SPDX-License-Identifier: BSD-3-Clause
// NaN and infinities in the arrays that a host hands over.
#pragma once

#include <string>

#include <suite/abi.h>

namespace suite::core {

// "wx_array(3,7,1) is NaN" (indices from 1), or nothing. Host arrays only; integers are always fine.
std::string not_finite(const suite_array& array, const char* name);

}  // namespace suite::core
