// SPDX-License-Identifier: BSD-3-Clause
// Interruption by Ctrl-C or SIGTERM: the program reports what it has written and exits with 130 or 143.
#pragma once

#include <filesystem>
#include <string>

#include <sys/types.h>

namespace suite::app {

class InterruptNote {
public:
  // From now on an interrupt prints note and, if a file is given, writes text to it (a result marked as interrupted), and then does the
  // same for the previous note, which is active alone again once this one is destroyed.
  InterruptNote(const std::string& note, const std::filesystem::path& file = {}, const std::string& text = {});
  ~InterruptNote();
  InterruptNote(const InterruptNote&) = delete;
  InterruptNote& operator=(const InterruptNote&) = delete;
  // Replaces the note; the handlers stay installed.
  void change(const std::string& note);
};

// The exit code of a program ended by a signal: 130 or 143.
int exit_code_of_signal(int signal);

// Forwards interrupts to a child process during the lifetime of this object: SIGTERM is not always sent to the whole process group.
class InterruptedToo {
public:
  explicit InterruptedToo(pid_t child);
  ~InterruptedToo();
  InterruptedToo(const InterruptedToo&) = delete;
  InterruptedToo& operator=(const InterruptedToo&) = delete;
};

}  // namespace suite::app
