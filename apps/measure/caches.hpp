// SPDX-License-Identifier: BSD-3-Clause
// CPU caches as reported by Linux.
#pragma once

#include <filesystem>
#include <vector>

namespace suite::app {

struct Cache {
  int level = 0;
  double size_B = 0;
  int shared_by = 1;  // number of cores that share it
};

// Data and unified caches of one core, smallest first; empty if the system does not report them.
std::vector<Cache> cpu_caches(const std::filesystem::path& cpu = "/sys/devices/system/cpu/cpu0");

}  // namespace suite::app
