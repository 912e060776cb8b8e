// SPDX-License-Identifier: BSD-3-Clause
#include "text.hpp"

#include <algorithm>
#include <cstdio>

#include <suite/abi.h>

namespace suite::core {

std::string quoted(std::string_view name) {
  constexpr size_t longest = 80;
  std::string text = "'";
  for (char c : name.substr(0, longest)) text += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  if (name.size() > longest) {
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0x80)) text.pop_back();
    text += "...";
  }
  return text + "'";
}

// Levenshtein's distance; two rows of the table are enough.
static size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

std::string did_you_mean(std::string_view asked, const std::vector<std::string>& known) {
  constexpr size_t longest = 64;  // nobody means a name by a longer word
  if (asked.empty() || asked.size() > longest) return "";
  const std::string* best = nullptr;
  size_t least = 1 + std::max<size_t>(1, asked.size() / 3);
  for (const auto& name : known) {
    const size_t d = distance(asked, name);
    if (d < least && d < name.size()) best = &name, least = d;
  }
  return best ? "; did you mean '" + *best + "'?" : "";
}

std::string known_names(std::string_view asked, const std::vector<std::string>& known) {
  if (known.empty()) return "";
  const std::string near = did_you_mean(asked, known);
  return (near.empty() ? "; there are: " : near + " There are: ") + joined(known, ", ");
}

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i) (text += i ? between : std::string_view()) += parts[i];
  return text;
}

std::string bytes_text(uint64_t bytes) {
  const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  while (value >= 1024 && unit + 1 < std::size(units)) value /= 1024, ++unit;
  char text[32];
  std::snprintf(text, sizeof text, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
  return text;
}

std::string fitted(std::string sentence) {
  constexpr size_t capacity = sizeof(suite_error::message) - 1;
  if (sentence.size() <= capacity) return sentence;
  size_t end = capacity - 3;
  while (end > 0 && (static_cast<unsigned char>(sentence[end]) & 0xc0) == 0x80) --end;
  sentence.resize(end);
  return sentence + "...";
}

const char* type_name(int32_t type) {
  switch (type) {
    case SUITE_INT32: return "int32";
    case SUITE_INT64: return "int64";
    case SUITE_REAL32: return "real32";
    case SUITE_REAL64: return "real64";
    case SUITE_COMPLEX64: return "complex64";
    case SUITE_COMPLEX128: return "complex128";
    default: return "unknown type";
  }
}

size_t type_size(int32_t type) {
  switch (type) {
    case SUITE_INT32:
    case SUITE_REAL32: return 4;
    case SUITE_INT64:
    case SUITE_REAL64:
    case SUITE_COMPLEX64: return 8;
    case SUITE_COMPLEX128: return 16;
    default: return 0;
  }
}

bool is_complex(int32_t type) { return type == SUITE_COMPLEX64 || type == SUITE_COMPLEX128; }

std::string type_text(int32_t type_or_set) {
  if (!(type_or_set & SUITE_TYPE_SET)) return type_name(type_or_set);
  std::vector<std::string> names;
  for (int32_t t = SUITE_INT32; t <= SUITE_COMPLEX128; ++t)
    if (type_or_set & (1 << t)) names.push_back(type_name(t));
  return joined(names, " or ");
}

const char* status_name(int status) {
  switch (status) {
    case SUITE_OK: return "ok";
    case SUITE_INVALID_ARGUMENT: return "invalid argument";
    case SUITE_UNSUPPORTED: return "unsupported";
    case SUITE_NOT_FOUND: return "not found";
    case SUITE_OUT_OF_MEMORY: return "out of memory";
    case SUITE_DEVICE_ERROR: return "device error";
    case SUITE_INTERNAL: return "internal error";
    default: return "unknown status";
  }
}

}  // namespace suite::core
