// SPDX-License-Identifier: BSD-3-Clause
#include "caches.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>

#include <fmt/core.h>

#include "common/io.hpp"

namespace suite::app {
namespace {

// "48K", "1024K", "32M"; 0 for anything else.
double size_of(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const double unit = *end == 'K' ? 1024 : *end == 'M' ? 1024.0 * 1024 : *end == '\0' ? 1 : 0;
  return number > 0 ? number * unit : 0;
}

// Number of CPUs in a list such as "0-3,8".
int count_of_list(const std::string& text) {
  std::istringstream stream(text);
  int count = 0;
  for (std::string part; std::getline(stream, part, ',');) {
    const size_t dash = part.find('-');
    const int from = std::atoi(part.c_str());
    count += dash == std::string::npos ? 1 : std::max(1, std::atoi(part.c_str() + dash + 1) - from + 1);
  }
  return std::max(1, count);
}

}  // namespace

std::vector<Cache> cpu_caches(const std::filesystem::path& cpu) {
  std::vector<Cache> caches;
  for (int index = 0; index < 16; ++index) {
    const auto folder = cpu / "cache" / fmt::format("index{}", index);
    const std::string type = first_line(folder / "type");
    if (type != "Data" && type != "Unified") continue;
    const Cache cache{std::atoi(first_line(folder / "level").c_str()), size_of(first_line(folder / "size")),
                      count_of_list(first_line(folder / "shared_cpu_list"))};
    if (cache.level > 0 && cache.size_B > 0) caches.push_back(cache);
  }
  std::sort(caches.begin(), caches.end(), [](const Cache& a, const Cache& b) { return a.level < b.level; });
  return caches;
}

}  // namespace suite::app
