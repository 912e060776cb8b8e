// SPDX-License-Identifier: BSD-3-Clause
// All backends and a kernel plugin of each in one process, in many orders: a fresh process each, since
// nothing is ever unloaded. What has no device here must say so; what has one must compute.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include <suite/suite.hpp>

namespace {

std::vector<std::string> backends() {
  std::vector<std::string> names;
  const std::string prefix = "suite_backend_";
  for (const auto& entry : std::filesystem::directory_iterator(BACKEND_FOLDER)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(prefix) && name.ends_with(".so")) names.push_back(name.substr(prefix.size(), name.size() - prefix.size() - 3));
  }
  std::sort(names.begin(), names.end());
  return names;
}

// Runs the probe where there is one and a device; returns what went wrong.
std::string try_backend(const std::string& name) {
  suite_device* device = nullptr;
  suite_error error{};
  if (suite_device_open(name.c_str(), &device, &error) != SUITE_OK)
    return std::string(error.message).find(name) == std::string::npos ? "no reason for " + name + " is given" : "";
  const std::string file = PROBE_FOLDER "/suite_probe_" + name + ".so";
  std::string wrong;
  if (std::filesystem::exists(file)) try {
      suite::Kernel probe("probe.words", file);
      probe.generate("small", 1);
      probe.run();
    } catch (const suite::Failure& failure) { wrong = failure.what(); }
  suite_device_close(device);
  return wrong;
}

// The exit status of a process that opens the backends in this order.
int run_order(const std::vector<std::string>& order) {
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child == 0) {
    for (const std::string& name : order)
      if (const std::string wrong = try_backend(name); !wrong.empty()) {
        std::printf("  %s\n", wrong.c_str());
        std::fflush(stdout);
        ::_exit(1);
      }
    ::exit(0);  // with all that runs at a normal end
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child) return -1;
  return status;
}

}  // namespace

int main() {
  std::vector<std::string> order = backends();
  constexpr unsigned seed = 3;
  constexpr int shuffled = 8;
  std::mt19937 random(seed);
  int failed = 0;
  for (int turn = 0; turn < shuffled + 2; ++turn) {
    if (turn == 1) std::reverse(order.begin(), order.end());
    if (turn > 1) std::shuffle(order.begin(), order.end(), random);
    std::string text;
    for (const std::string& name : order) text += " " + name;
    const int status = run_order(order);
    std::printf("%s%s\n", status == 0 ? "fine:  " : "FAILED:", text.c_str());
    failed += status != 0;
  }
  return failed > 0 || order.empty();
}
