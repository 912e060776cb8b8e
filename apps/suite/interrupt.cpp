// SPDX-License-Identifier: BSD-3-Clause
#include "interrupt.hpp"

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

#include "exit_codes.hpp"

namespace suite::app {
namespace {

// Prepared before the handlers are set, because a handler may only call what is safe in one (open, write, rename, _exit).
struct Prepared {
  std::string note, file, temporary, text;
};
Prepared* prepared = nullptr;

bool write_all(int fd, const std::string& text) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t n = write(fd, text.data() + done, text.size() - done);
    if (n <= 0) return false;
    done += static_cast<size_t>(n);
  }
  return true;
}

// All of the file under its name, or nothing.
void leave_file(const Prepared& p) {
  const int fd = open(p.temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return;
  const bool whole = write_all(fd, p.text) && fsync(fd) == 0;
  if (close(fd) != 0 || !whole || rename(p.temporary.c_str(), p.file.c_str()) != 0) unlink(p.temporary.c_str());
}

extern "C" void on_signal(int signal) {
  if (prepared) {
    write_all(STDERR_FILENO, prepared->note);
    if (!prepared->file.empty()) leave_file(*prepared);
  }
  _exit(signal == SIGTERM ? exit_terminated : exit_interrupted);
}

void handle(void (*handler)(int)) {
  std::signal(SIGINT, handler);
  std::signal(SIGTERM, handler);
}

}  // namespace

InterruptNote::InterruptNote(const std::string& note, const std::filesystem::path& file, const std::string& text) {
  handle(SIG_DFL);
  delete prepared;
  prepared = new Prepared{"\n" + note + "\n", file.string(), file.string() + ".interrupted", text};
  handle(on_signal);
}

InterruptNote::~InterruptNote() {
  handle(SIG_DFL);
  delete prepared;
  prepared = nullptr;
}

}  // namespace suite::app
