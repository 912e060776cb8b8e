// SPDX-License-Identifier: BSD-3-Clause
// Numbers and elements in the sentences of this family.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace suite::dfpt {

inline std::string text_of(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", x);
  return text;
}
inline std::string text_of(int64_t n) { return std::to_string(n); }
inline std::string text_of(int32_t n) { return std::to_string(n); }

// name(i) for an index from 0.
inline std::string element(const char* name, int64_t i) { return std::string(name) + "(" + text_of(i + 1) + ")"; }
inline std::string element(const char* name, int64_t i, int64_t j) {
  return std::string(name) + "(" + text_of(i + 1) + "," + text_of(j + 1) + ")";
}

}  // namespace suite::dfpt
