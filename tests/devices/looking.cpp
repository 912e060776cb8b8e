// SPDX-License-Identifier: BSD-3-Clause
// Looking at all plugins, as `suite list` does, loads no runtime of a device: that would cost every host the
// runtime's start, and fail where it is not installed.
#include <cstdio>
#include <fstream>
#include <set>
#include <string>

#include <suite/suite.hpp>

static std::set<std::string> loaded_runtimes() {
  std::set<std::string> found;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    for (const char* runtime : {"libamdhip64", "libhsa-runtime64", "libcuda.so", "libpocl", "libLLVM"})
      if (line.find(runtime) != line.npos) found.insert(runtime);
  return found;
}

int main() {
  int plugins = 0;
  suite_visit([](void* count, const char*, const suite_plugin* plugin, const char*) { *static_cast<int*>(count) += plugin != nullptr; },
              &plugins);
  const auto found = loaded_runtimes();
  for (const auto& runtime : found) std::printf("%s is loaded with a plugin\n", runtime.c_str());
  std::printf("%d plugins seen\n", plugins);
  return plugins == 0 || !found.empty();
}
