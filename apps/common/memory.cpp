// SPDX-License-Identifier: BSD-3-Clause
#include "memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sys/sysinfo.h>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "machine.hpp"
#include "quantities.hpp"

namespace suite::app {

namespace fs = std::filesystem;

namespace {

constexpr uint64_t no_limit = std::numeric_limits<uint64_t>::max();

// The lowest limit of a group "/batch/job_7" and the groups above it, as far as they are visible inside a container. "max", which
// version 2 writes for no limit, is not a number; version 1 writes a very large one.
uint64_t least_limit(const fs::path& mount, std::string group, const char* file) {
  if (group.empty() || group.front() != '/') group.clear();
  for (uint64_t least = no_limit;; group.resize(group.rfind('/'))) {
    std::ifstream in(mount.string() + group + "/" + file);
    uint64_t bytes = 0;
    if (in >> bytes) least = std::min(least, bytes);
    if (group.empty()) return least;
  }
}

// Lines of /proc/self/cgroup: "0::/batch/job_7" (version 2), "9:cpu,memory:/batch/job_7" (version 1).
uint64_t limit_of_groups(const fs::path& root) {
  const fs::path mounts = root / "sys/fs/cgroup";
  std::ifstream groups(root / "proc/self/cgroup");
  uint64_t least = no_limit;
  for (std::string line; std::getline(groups, line);) {
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",", group = line.substr(second + 1);
    if (controllers == ",,") least = std::min(least, least_limit(mounts, group, "memory.max"));
    if (controllers.find(",memory,") != std::string::npos)
      least = std::min(least, least_limit(mounts / "memory", group, "memory.limit_in_bytes"));
  }
  return least;
}

}  // namespace

uint64_t allowed_memory_B(const fs::path& root) {
  struct sysinfo info {};
  const uint64_t installed = sysinfo(&info) == 0 ? static_cast<uint64_t>(info.totalram) * info.mem_unit : 0;
  return std::min(installed, limit_of_groups(root));
}

double memory_share_B() { return static_cast<double>(allowed_memory_B()) / ranks_on_this_machine(); }

void require_memory(double bytes, const std::string& need, const std::string& advice) {
  if (bytes <= usable_memory * memory_share_B()) return;
  const int here = ranks_on_this_machine();
  throw Failure(SUITE_OUT_OF_MEMORY, need + (here > 1 ? fmt::format(" in each of {} processes", here) : "") + " and this machine has " +
                                         bytes_text(static_cast<double>(allowed_memory_B())) + ": " + advice);
}

void begin_peak_memory() { std::ofstream("/proc/self/clear_refs") << 5; }

double peak_memory_B() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmHWM:", 0) == 0) return 1024 * std::strtod(line.c_str() + 6, nullptr);
  return 0;
}

}  // namespace suite::app
