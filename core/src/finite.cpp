// SPDX-License-Identifier: BSD-3-Clause
#include "finite.hpp"

#include <algorithm>
#include <cstring>

#include <suite/plugin.hpp>

#include "text.hpp"

namespace suite::core {
namespace {

// Integer arithmetic on the exponent: it vectorises, and cannot trip a host that traps floating-point
// exceptions. Adding one to an exponent of all ones carries into the sign bit, which the mask has cleared.
template <class Word, Word exponent, Word one> int64_t first_bad(const void* data, int64_t count) {
  const auto* words = static_cast<const Word*>(data);
  constexpr int64_t chunk = 4096;
  constexpr Word sign = Word(1) << (8 * sizeof(Word) - 1);
  for (int64_t from = 0; from < count; from += chunk) {
    const int64_t to = std::min(count, from + chunk);
    Word seen = 0;
    for (int64_t i = from; i < to; ++i) seen |= (words[i] & exponent) + one;
    if (!(seen & sign)) continue;
    for (int64_t i = from; i < to; ++i)
      if (((words[i] & exponent) + one) & sign) return i;
  }
  return -1;
}

}  // namespace

std::string not_finite(const suite_array& array, const char* name) {
  int64_t count = is_complex(array.type) ? 2 : 1;
  for (int d = 0; d < array.rank; ++d) count *= array.extent[d];
  int64_t at = -1;
  bool nan = false;
  if (array.type == SUITE_REAL64 || array.type == SUITE_COMPLEX128) {
    at = first_bad<uint64_t, 0x7ff0000000000000, 0x0010000000000000>(array.data, count);
    if (at >= 0) nan = (static_cast<const uint64_t*>(array.data)[at] & 0x000fffffffffffff) != 0;
  } else if (array.type == SUITE_REAL32 || array.type == SUITE_COMPLEX64) {
    at = first_bad<uint32_t, 0x7f800000, 0x00800000>(array.data, count);
    if (at >= 0) nan = (static_cast<const uint32_t*>(array.data)[at] & 0x007fffff) != 0;
  }
  if (at < 0) return "";
  std::string text = name;
  if (is_complex(array.type)) at /= 2;
  for (int d = 0; d < array.rank; ++d) {
    text += concat(d == 0 ? "(" : ",", at % array.extent[d] + 1);
    at /= array.extent[d];
  }
  return text + (array.rank > 0 ? ")" : "") + (nan ? " is NaN" : " is infinite");
}

}  // namespace suite::core
