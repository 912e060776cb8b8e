// SPDX-License-Identifier: BSD-3-Clause
#include "idle_threads.hpp"

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "common/machine.hpp"

namespace suite::app {
namespace {

enum class Others { sleep, run, unknown };

// Reads the state letter after the name in /proc/self/task/*/stat.
Others other_threads() {
  const std::string me = std::to_string(::gettid());
  std::error_code none;
  std::filesystem::directory_iterator task("/proc/self/task", none);
  if (none) return Others::unknown;
  for (const std::filesystem::directory_iterator end; task != end; task.increment(none)) {
    if (task->path().filename() == me) continue;
    std::string line;
    std::getline(std::ifstream(task->path() / "stat"), line);  // empty: the thread has ended
    const size_t name_end = line.rfind(") ");
    if (name_end != line.npos && line.compare(name_end + 2, 1, "R") == 0) return Others::run;
    if (none) return Others::unknown;
  }
  return Others::sleep;
}

}  // namespace

bool wait_for_idle_threads(double longest_s) {
  const double begin = wall_s();
  for (;;) {
    const Others others = other_threads();
    if (others != Others::run) return others == Others::sleep;
    if (wall_s() - begin > longest_s) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

}  // namespace suite::app
