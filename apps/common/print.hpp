// SPDX-License-Identifier: BSD-3-Clause
// printf into a string.
#pragma once

#include <cstdio>
#include <string>

namespace suite::app {

template <class... T>
std::string print(const char* format, T... value) {
  const int length = std::snprintf(nullptr, 0, format, value...);
  std::string text(static_cast<size_t>(length), '\0');
  std::snprintf(text.data(), text.size() + 1, format, value...);
  return text;
}

// "1 row", "3 rows".
inline std::string count_text(size_t n, const char* one, const char* many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

}  // namespace suite::app
