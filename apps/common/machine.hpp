// SPDX-License-Identifier: BSD-3-Clause
// The machine the program runs on, and the threads it uses.
#pragma once

#include <cstdint>
#include <string>

namespace suite::app {

struct Machine {
  std::string name, cpu, simd, system;  // host name, "AMD EPYC 9B45", "AVX-512", "Linux 6.1 x86_64"
  int cores = 1;                        // available to this process
  uint64_t memory_B = 0;                // installed memory, or the limit of its control groups (memory.hpp)
};
Machine machine();

// Sets the threads of CPU kernels in an OpenMP runtime loaded already and in those loaded later; ranks_here processes share the
// machine's cores if the user did not set the number of threads.
void use_threads(int threads, int ranks_here);
int threads_in_use();
int ranks_on_this_machine();  // ranks of this run; 1 without a launcher

double wall_s();                      // monotonic
double cpu_s();                       // summed over all threads of this process
// Seconds during which existing threads of this process were runnable but had no core because other programs used them. NaN if the
// system does not report it (/proc/self/task/*/schedstat).
double waited_s();
// Waiting time as a fraction of the runnable time: 0 on an idle machine. NaN if unknown.
double waited_share(double waited_s, double cpu_s);
constexpr double waits_noticeably = 0.05;
std::string utc_time(bool for_name);  // "2026-01-31T12:00:00Z", or "20260131T120000Z"

}  // namespace suite::app
