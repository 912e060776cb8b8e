// SPDX-License-Identifier: BSD-3-Clause
#include "starter_from_files.hpp"

namespace suite::app {

std::string value_of(const std::filesystem::path& file, const std::filesystem::path& folder) {
  // By names alone: links stay what they are called.
  const auto whole = [](const std::filesystem::path& path) { return std::filesystem::absolute(path).lexically_normal(); };
  const std::filesystem::path from = whole(folder.empty() ? std::filesystem::path(".") : folder);
  std::string quoted;
  for (const char c : (file.is_absolute() ? file : whole(file).lexically_proximate(from)).generic_string())
    quoted += (c == '\\' || c == '"' ? "\\" : "") + std::string(1, c);
  return '"' + quoted + '"';
}

}  // namespace suite::app
