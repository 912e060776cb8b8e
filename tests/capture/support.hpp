// SPDX-License-Identifier: BSD-3-Clause
// A folder for captures, set in the environment as long as it lives, and a call to be captured.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>
#include <vector>

#include <suite/suite.hpp>

namespace suite::test {

class Captures {
public:
  explicit Captures(const char* limit = nullptr, const char* kernel = nullptr) {
    char name[] = "/tmp/suite-captures-XXXXXX";
    folder_ = ::mkdtemp(name);
    ::setenv("SUITE_PLUGIN_PATH", TEST_PLUGINS, 1);
    ::setenv("SUITE_CAPTURE", folder_.c_str(), 1);
    if (limit) ::setenv("SUITE_CAPTURE_LIMIT", limit, 1);
    if (kernel) ::setenv("SUITE_CAPTURE_KERNEL", kernel, 1);
  }
  ~Captures() {
    for (const char* name : {"SUITE_CAPTURE", "SUITE_CAPTURE_LIMIT", "SUITE_CAPTURE_KERNEL", "SUITE_CAPTURE_SKIP"}) ::unsetenv(name);
    std::filesystem::remove_all(folder_);
  }
  Captures(const Captures&) = delete;
  Captures& operator=(const Captures&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path file(const std::string& name) const { return folder_ / name; }
  // How many files lie there, finished or not.
  long count() const { return std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator()); }

private:
  std::filesystem::path folder_;
};

// probe.sum: state grows by weight, total holds weighted sums.
struct Sum {
  explicit Sum(const std::string& implementation) : kernel("probe.sum", implementation) {
    kernel.set("gain", 2.0);
    kernel.set("weight", weight.data(), {3});
    kernel.set("values", values.data(), {3, 2, 1});
    kernel.set("state", state.data(), {3});
    kernel.set("total", total.data(), {2, 1});
  }
  Kernel kernel;
  std::vector<double> weight{1, 2, 3}, values{1, 1, 1, 2, 2, 2}, state{10, 20, 30}, total{0, 0};
};

inline std::vector<std::string> warnings() {
  std::vector<std::string> lines;
  suite_warnings([](void* with, const char* line) { static_cast<std::vector<std::string>*>(with)->push_back(line); }, &lines);
  return lines;
}

}  // namespace suite::test
