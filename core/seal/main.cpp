// SPDX-License-Identifier: BSD-3-Clause
// suite-seal FILE...: appends the seal to plugins, or renews it after strip or an RPATH edit. The build runs
// it.
#include <sys/stat.h>

#include <cstdio>
#include <fstream>
#include <string>

#include <suite/plugin.hpp>

#include "../src/seal.hpp"

// Writes beside the file and renames, so that a process that has the old plugin mapped keeps the old one.
static void seal_file(const std::string& path) {
  constexpr uint64_t largest = uint64_t(4) << 30;
  const auto bytes = suite::core::sealed(suite::core::File(path, largest));
  const std::string fresh = path + ".sealing";
  {
    std::ofstream out(fresh, std::ios::binary | std::ios::trunc);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) throw suite::Failure(SUITE_INTERNAL, "cannot be written");
  }
  // The loader refuses plugins that others may write, whatever the umask was.
  struct stat info;
  if (::stat(path.c_str(), &info) != 0 || ::chmod(fresh.c_str(), info.st_mode & 0755) != 0 || std::rename(fresh.c_str(), path.c_str()) != 0)
    throw suite::Failure(SUITE_INTERNAL, "cannot be replaced");
}

int main(int count, char** arguments) {
  if (count < 2) {
    std::fprintf(stderr, "usage: suite-seal PLUGIN.so...\n");
    return 2;
  }
  int result = 0;
  for (int i = 1; i < count; ++i) {
    try {
      seal_file(arguments[i]);
    } catch (const std::exception& e) {
      std::fprintf(stderr, "suite-seal: %s %s\n", arguments[i], e.what());
      result = 6;
    }
  }
  return result;
}
