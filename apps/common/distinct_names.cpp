// SPDX-License-Identifier: BSD-3-Clause
#include "distinct_names.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

namespace suite::app {
namespace {

// The last count components: "b/c.so" of "/a/b/c.so" for 2; the whole path if it has no more.
std::string last_parts(const std::string& path, size_t count) {
  size_t from = path.size();
  for (; count > 0 && from != 0 && from != std::string::npos; --count) from = path.rfind('/', from - 1);
  return from == 0 || from == std::string::npos ? path : path.substr(from + 1);
}

}  // namespace

std::map<std::string, std::string> distinct_names(const std::vector<std::string>& paths) {
  std::map<std::string, std::string> plain;  // "./a.so" and "a.so" are the same file
  std::set<std::string> files;
  for (const auto& path : paths)
    files.insert(plain[path] = path.find('/') == std::string::npos ? path : std::filesystem::path(path).lexically_normal().string());
  std::map<std::string, std::string> names;
  for (const auto& [path, file] : plain) {
    const auto alone = [&, file = file](size_t count) {
      const std::string name = last_parts(file, count);
      return std::none_of(files.begin(), files.end(),
                          [&](const std::string& other) { return other != file && last_parts(other, count) == name; });
    };
    const auto most = static_cast<size_t>(std::count(file.begin(), file.end(), '/')) + 1;
    size_t count = 1;
    while (count < most && !alone(count)) ++count;
    names[path] = last_parts(file, count);
  }
  return names;
}

}  // namespace suite::app
