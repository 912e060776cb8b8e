// SPDX-License-Identifier: BSD-3-Clause
// The processor's caches, as Linux describes them.
#pragma once

#include <filesystem>
#include <vector>

namespace suite::app {

struct Cache {
  int level = 0;
  double size_B = 0;
  int shared_by = 1;  // processors that use this one
};

// Of one processor, data and unified ones, from the smallest on; none where the system does not say.
std::vector<Cache> processor_caches(const std::filesystem::path& cpu = "/sys/devices/system/cpu/cpu0");

}  // namespace suite::app
