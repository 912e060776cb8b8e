// SPDX-License-Identifier: BSD-3-Clause
// Calls written to files with their arguments and results, where SUITE_CAPTURE names a folder
// (docs/capture.md). A host never loses its run by it: what goes wrong after a kernel was opened is a warning
// of the process.
#pragma once

#include <memory>
#include <string>

#include <suite/abi.h>

#include "capture_settings.hpp"

struct suite_call;

namespace suite::core {

class Capture {
public:
  // Null unless the environment asks for calls of this kernel. Throws when it asks for what cannot be done.
  static std::unique_ptr<Capture> wanted(const suite_kernel_table& table);
  ~Capture() { abandon(); }

  // Right before execute: what goes in. Nothing is written once a limit is reached.
  void begin(suite_call& call) noexcept;
  // After it: what came out.
  void finish(suite_call& call, double seconds) noexcept;
  // The run failed.
  void abandon() noexcept;

private:
  explicit Capture(CaptureSettings settings) : settings_(std::move(settings)) {}
  void describe(suite_call& call);
  void write(suite_call& call, const suite_argument& argument, const std::string& dataset);
  void text(const std::string& name, const std::string& value, const std::string& of = "/");
  void number(const std::string& name, double value);

  struct Discard {
    const suite_capture_module* module;
    void operator()(suite_capture_file* file) const { module->discard(file); }
  };
  CaptureSettings settings_;
  Admission admission_;
  std::unique_ptr<suite_capture_file, Discard> file_{nullptr, Discard{nullptr}};
};

}  // namespace suite::core
