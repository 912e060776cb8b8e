// SPDX-License-Identifier: BSD-3-Clause
// The file that SUITE_TRACE names: an array of events in Chrome's JSON format, which Perfetto and
// chrome://tracing read. Every event is handed to the system at once, so a process that is killed leaves all
// of them; what is missing then is the closing bracket, which both readers do without.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "growing_file.hpp"

namespace suite::core {

// Microseconds since 2026-01-01 UTC, never backwards: the clocks of several ranks can be laid over each
// other.
double trace_clock();

class TraceFile {
public:
  static bool wanted();
  // Made at the first event, of which the file is made. Never destroyed: exit handlers of the host may run
  // kernels.
  static TraceFile& of_process();

  // kind: "run". times in trace_clock(). arguments: members of an object, without its braces.
  void add(const std::string& name, const std::string& kind, double from, double to, const std::string& arguments);
  // On the line of a device; overlapping events get lines of their own.
  void add_on_device(const std::string& device, const std::string& name, double from, double to, const std::string& arguments);
  // What the user should know: the file cannot be written, or has another name.
  static std::string trouble();

private:
  explicit TraceFile(const std::string& asked);
  void open(const std::string& asked);
  void append(const std::string& events);
  void write(const std::string& text);
  void finish();
  std::string event(const std::string& name, const std::string& kind, double from, double to, long thread,
                    const std::string& arguments) const;

  std::mutex mutex_;
  std::unique_ptr<GrowingFile> file_;
  // In a child of the process that made the file: it adds nothing, and asks before it locks the mutex, which
  // a thread of its parent may have held when it was forked.
  std::atomic<bool> forked_ = false;
  long process_;  // as shown: the rank, or the id of the process
  std::string trouble_;
  struct Line {
    std::string device;
    double busy_until;
  };
  std::vector<Line> lines_;
};

// "text" as JSON, quotes included; control characters and what is not ASCII as '?'.
std::string json_text(const std::string& text);
std::string json_number(double value);

}  // namespace suite::core
