// SPDX-License-Identifier: BSD-3-Clause
// Memory available to a run, and the check that a run fits.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace suite::app {

// Memory of this machine in bytes, or the limit of a control group (v1 or v2) of this process or one above it, as set for containers and
// batch jobs: a process beyond it is killed, however much the machine has free. root: folder that contains proc and sys.
uint64_t allowed_memory_B(const std::filesystem::path& root = "/");

// The share of allowed_memory_B() of each of the run's processes on this machine.
double memory_share_B();

// Throws Failure (SUITE_OUT_OF_MEMORY) if bytes exceeds usable_memory times a process's share:
// "<need> in each of 4 processes and this machine has 23.5 GiB: <advice>".
void require_memory(double bytes, const std::string& need, const std::string& advice);
inline constexpr double usable_memory = 0.95;  // fraction of the share; the system needs the rest

// Peak resident memory of this process since begin_peak_memory(), or since its start if the system cannot reset the counter; 0 if
// unknown.
void begin_peak_memory();
double peak_memory_B();

}  // namespace suite::app
