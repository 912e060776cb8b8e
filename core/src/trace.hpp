// SPDX-License-Identifier: BSD-3-Clause
// Where the time of a call goes: an event in the file that SUITE_TRACE names (trace_file.hpp) and a range for
// a profiler that is attached (ranges.hpp), named suite/<kernel>/<variant>. While nobody looks a span costs
// one test.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

struct suite_call;
struct suite_device;

namespace suite::core {

bool somebody_looks();
// Decided at the first call.
inline bool traced() {
  static const bool on = somebody_looks();
  return on;
}

// A step on this thread, from construction to destruction.
class Span {
public:
  // step: "run", "prepare", "upload". argument and bytes: of a transfer.
  Span(const char* step, const suite_call& call, const char* argument = nullptr, uint64_t bytes = 0) {
    if (traced()) begin(step, call, argument, bytes);
  }
  // A transfer by the host itself.
  Span(const char* step, const suite_device& device, uint64_t bytes) {
    if (traced()) begin(step, device, bytes);
  }
  // Until opened() tells more, all that is known of a call.
  Span(const std::string& kernel, const std::string& implementation) {
    if (traced()) begin_open(kernel, implementation);
  }
  ~Span();
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;

  void opened(const suite_call& call) {
    if (open_) tell_opened(call);
  }
  // The device's seconds: an event of its own, on the device's line, with flops and bytes.
  void took(suite_call& call, double seconds) {
    if (open_) tell_took(call, seconds);
  }

private:
  struct Open {
    std::string step, name, arguments;
    double from;
  };
  void begin(const char* step, const suite_call& call, const char* argument, uint64_t bytes);
  void begin(const char* step, const suite_device& device, uint64_t bytes);
  void begin_open(const std::string& kernel, const std::string& implementation);
  void begin(const char* step, std::string name, std::string arguments);
  void tell_opened(const suite_call& call);
  void tell_took(suite_call& call, double seconds);

  std::unique_ptr<Open> open_;
};

}  // namespace suite::core
