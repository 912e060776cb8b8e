// SPDX-License-Identifier: BSD-3-Clause
// What SUITE_CAPTURE, SUITE_CAPTURE_LIMIT, SUITE_CAPTURE_SKIP and SUITE_CAPTURE_KERNEL ask for, and what this
// process has captured so far.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "capture_module.h"

namespace suite::core {

struct CaptureSettings {
  std::string folder;                  // as it is found from anywhere: a host may change its own
  long skip = 0, calls = 4;            // of each kernel
  uint64_t bytes = uint64_t(4) << 30;  // of all captures together
  const suite_capture_module* module = nullptr;
};
// For calls of this kernel; nothing where they are not asked for. Makes the folder and loads the module.
// Throws a Failure that names the variable.
std::optional<CaptureSettings> capture_settings(const std::string& kernel);

// One run's right to be captured.
struct Admission {
  std::string kernel;
  uint64_t bytes = 0;
  long call = 0;  // which run of the kernel in this process, from 1
  bool granted = false;
};
Admission admit(const CaptureSettings& settings, const std::string& kernel, uint64_t bytes);
// It was not used.
void give_back(Admission& admission);
// Nothing more is captured by this process.
void stop_captures(const char* why) noexcept;

// What the user should know of it, one line each.
std::vector<std::string> capture_warnings();

}  // namespace suite::core
