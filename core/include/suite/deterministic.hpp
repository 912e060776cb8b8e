// SPDX-License-Identifier: BSD-3-Clause
// suite/deterministic.hpp - whether the user wants the same bits whatever the number of threads and processes, for
// libraries, plugins and programs alike. Since 0.1.
#pragma once

#include <cstdlib>
#include <cstring>

namespace suite {

// SUITE_DETERMINISTIC=1 in the environment, which `suite run --deterministic` sets.
inline bool deterministic_wanted() {
  const char* const wanted = std::getenv("SUITE_DETERMINISTIC");
  return wanted && *wanted && std::strcmp(wanted, "0") != 0;
}

}  // namespace suite
