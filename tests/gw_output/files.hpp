// SPDX-License-Identifier: BSD-3-Clause
// Small files for tests, and the message a call fails with.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <suite/plugin.hpp>

namespace test {

inline const std::filesystem::path source = SUITE_SOURCE_DIR;  // of the repository

class TemporaryFile {
public:
  TemporaryFile(const std::string& name, const std::string& text)
      : folder_(std::filesystem::temp_directory_path() / ("suite_gw_output_" + std::to_string(::getpid()))), path_(folder_ / name) {
    std::filesystem::create_directories(folder_);
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path folder_, path_;
};

inline std::string read(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

template <class F> std::string failure(F&& call) {
  try {
    call();
  } catch (const suite::Failure& f) { return f.what(); }
  return "no failure";
}

}  // namespace test
