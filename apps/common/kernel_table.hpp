// SPDX-License-Identifier: BSD-3-Clause
// Looking things up in what a kernel says of itself.
#pragma once

#include <cstring>

#include <suite/abi.h>

namespace suite::app {

// Of an argument; 0 when there is none of that name.
inline double tolerance_of(const suite_kernel_table& table, const char* argument) {
  for (uint32_t i = 0; i < table.argument_count; ++i)
    if (std::strcmp(table.arguments[i].name, argument) == 0) return table.arguments[i].tolerance;
  return 0;
}

inline bool has_parameter(const suite_kernel_table& table, const char* name) {
  for (uint32_t i = 0; i < table.parameter_count; ++i)
    if (std::strcmp(table.parameters[i].name, name) == 0) return true;
  return false;
}

}  // namespace suite::app
