// SPDX-License-Identifier: BSD-3-Clause
// Numbers in the sentences of this family.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace suite::qmc {

inline std::string text_of(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", x);
  return text;
}
inline std::string text_of(int64_t n) { return std::to_string(n); }

}  // namespace suite::qmc
