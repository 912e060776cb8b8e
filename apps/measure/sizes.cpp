// SPDX-License-Identifier: BSD-3-Clause
#include "sizes.hpp"

#include <algorithm>
#include <map>
#include <sstream>

namespace suite::app {

const std::vector<suite_array>& arguments_of(const suite_kernel_table& table, const std::string& size) {
  static std::map<std::pair<std::string, std::string>, std::vector<suite_array>> known;
  auto& arguments = known[{table.kernel, size}];
  if (!arguments.empty()) return arguments;
  std::vector<suite_array> fresh(table.argument_count);
  for (auto& a : fresh) a.rank = -1;
  suite_error error{};
  // An unknown size is a user error, whatever status the kernel reports.
  if (table.generate(size.c_str(), 1, fresh.data(), &error) != SUITE_OK) throw Failure(SUITE_INVALID_ARGUMENT, error.message);
  return arguments = fresh;
}

double memory_B(const std::vector<suite_array>& arguments) {
  double sum = 0;
  for (const auto& a : arguments)
    if (a.rank >= 0) sum += static_cast<double>(count_of(a)) * static_cast<double>(suite_type_size(a.type));
  return sum;
}

std::vector<std::pair<std::string, int64_t>> named_extents(const suite_kernel_table& table, const std::vector<suite_array>& arguments) {
  std::vector<std::pair<std::string, int64_t>> extents;
  for (uint32_t i = 0; i < table.argument_count; ++i) {
    const auto names = extents_in(table.arguments[i].shape);
    for (int d = 0; d < arguments[i].rank; ++d) {
      const std::string& name = names[static_cast<size_t>(d)];
      const bool plain = name.find_first_of("+*-") == std::string::npos && name.find_first_not_of("0123456789") != std::string::npos;
      if (plain && std::none_of(extents.begin(), extents.end(), [&](const auto& known) { return known.first == name; }))
        extents.emplace_back(name, arguments[i].extent[d]);
    }
  }
  return extents;
}

}  // namespace suite::app
