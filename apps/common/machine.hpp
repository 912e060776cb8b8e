// SPDX-License-Identifier: BSD-3-Clause
// The machine that the program runs on, and the threads it uses.
#pragma once

#include <cstdint>
#include <string>

namespace suite::app {

struct Machine {
  std::string name, cpu, simd, system;  // host name, "AMD EPYC 9B45", "AVX-512", "Linux 6.1 x86_64"
  int cores = 1;                        // that this process may use
  uint64_t memory_B = 0;                // installed, or what its control groups allow (memory.hpp)
};
Machine machine();

// Threads of the CPU kernels. use_threads acts on an OpenMP runtime that is loaded already and on those loaded later;
// ranks_here processes share the machine's cores where the user did not say how many threads to use.
void use_threads(int threads, int ranks_here);
int threads_in_use();
int ranks_on_this_machine();  // of this run; 1 without a launcher

double wall_s();                      // monotonic
double cpu_s();                       // of all threads of this process
// Seconds for which threads of this process could have run and had no core, because other programs had them; of the threads
// that there are now. NaN where the system does not tell (/proc/self/task/*/schedstat).
double waited_s();
// The share of waiting in the time for which threads could run: 0 on a quiet machine. NaN where it is not known.
double waited_share(double waited_s, double cpu_s);
constexpr double waits_noticeably = 0.05;
std::string utc_time(bool for_name);  // "2026-01-31T12:00:00Z", or "20260131T120000Z"

}  // namespace suite::app
