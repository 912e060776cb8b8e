// SPDX-License-Identifier: BSD-3-Clause
// One progress line with ETA on stderr; silent unless stderr is a terminal and this is the root process.
#pragma once

#include <chrono>
#include <string>

namespace suite::app {

class Progress {
public:
  explicit Progress(bool shown);
  void start(const std::string& what, long total);  // "q-points"
  void advance(long done, const std::string& note = "");  // note: after the numbers, "E = -1.098(2) Ha"
  void finish();  // clears the line

private:
  bool shown_;
  std::string what_;
  long total_ = 0;
  std::chrono::steady_clock::time_point begin_, drawn_;
};

}  // namespace suite::app
