// SPDX-License-Identifier: BSD-3-Clause
#include "starter_from_files.hpp"

namespace suite::app {

std::string value_of(const std::filesystem::path& file, const std::filesystem::path& folder) {
  const std::filesystem::path from = folder.empty() ? std::filesystem::path(".") : folder;
  std::string quoted;
  for (const char c : (file.is_absolute() ? file : std::filesystem::proximate(file, from)).generic_string())
    quoted += (c == '\\' || c == '"' ? "\\" : "") + std::string(1, c);
  return '"' + quoted + '"';
}

}  // namespace suite::app
