// SPDX-License-Identifier: BSD-3-Clause
// Caches of the CPU, as Linux describes them.
#pragma once

#include <filesystem>
#include <vector>

namespace suite::app {

struct Cache {
  int level = 0;
  double size_B = 0;
  int shared_by = 1;  // number of cores that share it
};

// Of one core, data and unified ones, from the smallest on; none where the system does not say.
std::vector<Cache> cpu_caches(const std::filesystem::path& cpu = "/sys/devices/system/cpu/cpu0");

}  // namespace suite::app
