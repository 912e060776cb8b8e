// SPDX-License-Identifier: BSD-3-Clause
// The memory that a run may take, and runs that need more.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace suite::app {

// Bytes of this machine, or fewer where a control group (v1 or v2) of this process or one above it sets a
// limit: that of a container or of a batch job. Beyond it a process is killed, whatever the machine has free.
// root: where proc and sys are.
uint64_t allowed_memory_B(const std::filesystem::path& root = "/");

// Of that, for each of the run's processes on this machine.
double memory_share_B();

// Failure (SUITE_OUT_OF_MEMORY) where so many bytes are more than a process's share, less what the system
// needs:
// "<need> in each of 4 processes and this machine has 23.5 GiB: <advice>".
void require_memory(double bytes, const std::string& need, const std::string& advice);
inline constexpr double usable_memory = 0.95;  // of the share

// The most that this process has had in memory since begin_peak_memory(), or since it was started where the system
// cannot begin again; 0 where it does not say.
void begin_peak_memory();
double peak_memory_B();

}  // namespace suite::app
