// SPDX-License-Identifier: BSD-3-Clause
// How far the work is, on stderr of the root process: one line with a bar on a terminal; elsewhere, as in the log of a batch job, a line a
// minute (SUITE_PROGRESS_INTERVAL), so that short runs write none.
#pragma once

#include <chrono>
#include <string>

namespace suite::app {

class Progress {
public:
  explicit Progress(bool shown);
  // Work of `total` units, "q-points", of which a continued run has `done` behind it.
  void start(const std::string& what, long total, long done = 0);
  void advance(long done, const std::string& note = "");  // note: after the numbers, "E = -1.098(2) Ha"
  // Iterations, at most `most` of them: the time that remains follows from how the error falls.
  void start_iterations(const std::string& what, long most);
  void iterate(long number, double error, double tolerance);
  void finish();  // clears the line

private:
  bool due(bool last);
  void show(const std::string& text);

  bool shown_, bar_;
  double interval_s_;
  std::string what_;
  long total_ = 0, before_ = 0;
  double first_error_ = 0;
  std::chrono::steady_clock::time_point begin_, drawn_;
};

// Estimated remaining seconds after an error fell from `first` to `now` in `seconds`, assuming a constant rate; 0 if it did not fall.
double seconds_left(double first, double now, double tolerance, double seconds);

}  // namespace suite::app
