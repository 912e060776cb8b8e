// SPDX-License-Identifier: BSD-3-Clause
// Ctrl-C and termination: the program says what is left behind and ends with 130 or 143.
#pragma once

#include <filesystem>
#include <string>

#include <sys/types.h>

namespace suite::app {

class InterruptNote {
public:
  // From now on an interrupt prints note and, where a file is given, writes text to it (a result marked as
  // interrupted); then the same of the note that was there before, which holds alone again when this one has gone.
  InterruptNote(const std::string& note, const std::filesystem::path& file = {}, const std::string& text = {});
  ~InterruptNote();
  InterruptNote(const InterruptNote&) = delete;
  InterruptNote& operator=(const InterruptNote&) = delete;
  // Another note in place of it; the handlers stay as they are.
  void change(const std::string& note);
};

// The exit code of a program that a signal has ended: 130 or 143.
int exit_code_of_signal(int signal);

// A process that is told of an interrupt too, as long as this lives: who is sent SIGTERM is not always the
// whole group.
class InterruptedToo {
public:
  explicit InterruptedToo(pid_t child);
  ~InterruptedToo();
  InterruptedToo(const InterruptedToo&) = delete;
  InterruptedToo& operator=(const InterruptedToo&) = delete;
};

}  // namespace suite::app
