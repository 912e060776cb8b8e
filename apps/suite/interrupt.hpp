// SPDX-License-Identifier: BSD-3-Clause
// Ctrl-C and termination: the program says what is left behind and ends with 130 or 143.
#pragma once

#include <filesystem>
#include <string>

namespace suite::app {

class InterruptNote {
public:
  // From now on an interrupt prints note and, where a file is given, writes text to it (a result marked as interrupted).
  InterruptNote(const std::string& note, const std::filesystem::path& file = {}, const std::string& text = {});
  ~InterruptNote();
  InterruptNote(const InterruptNote&) = delete;
  InterruptNote& operator=(const InterruptNote&) = delete;
};

}  // namespace suite::app
