// SPDX-License-Identifier: BSD-3-Clause
#include "interrupt.hpp"

#include <atomic>
#include <csignal>
#include <memory>

#include <fcntl.h>
#include <unistd.h>

#include "exit_codes.hpp"

namespace suite::app {
namespace {

// Prepared before the handlers are installed, because a handler may call only async-signal-safe functions (open, write, rename, _exit).
struct Prepared {
  std::string note, file, temporary, text;
  Prepared* outer = nullptr;
  std::unique_ptr<Prepared> earlier = nullptr;  // kept: a handler on another thread may be reading it
};
std::atomic<Prepared*> prepared = nullptr;
std::atomic<pid_t> child = 0;

bool write_all(int fd, const std::string& text) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t n = write(fd, text.data() + done, text.size() - done);
    if (n <= 0) return false;
    done += static_cast<size_t>(n);
  }
  return true;
}

// Writes the file atomically.
void leave_file(const Prepared& p) {
  const int fd = open(p.temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return;
  const bool whole = write_all(fd, p.text) && fsync(fd) == 0;
  if (close(fd) != 0 || !whole || rename(p.temporary.c_str(), p.file.c_str()) != 0) unlink(p.temporary.c_str());
}

extern "C" void on_signal(int signal) {
  if (const pid_t pid = child; pid > 0) kill(pid, signal);
  for (const Prepared* p = prepared; p; p = p->outer) {
    write_all(STDERR_FILENO, p->note);
    if (!p->file.empty()) leave_file(*p);
  }
  _exit(exit_code_of_signal(signal));
}

void handle(void (*handler)(int)) {
  std::signal(SIGINT, handler);
  std::signal(SIGTERM, handler);
}

std::string as_lines(const std::string& note) { return "\n" + note + "\n"; }

}  // namespace

int exit_code_of_signal(int signal) { return signal == SIGTERM ? exit_terminated : exit_interrupted; }

InterruptNote::InterruptNote(const std::string& note, const std::filesystem::path& file, const std::string& text) {
  prepared = new Prepared{as_lines(note), file.string(), file.string() + ".interrupted", text, prepared};
  handle(on_signal);
}

InterruptNote::~InterruptNote() {
  handle(SIG_DFL);
  Prepared* own = prepared;
  prepared = own->outer;
  delete own;
  if (prepared) handle(on_signal);
}

void InterruptNote::change(const std::string& note) {
  Prepared* old = prepared;
  prepared = new Prepared{as_lines(note), old->file, old->temporary, old->text, old->outer, std::unique_ptr<Prepared>(old)};
}

InterruptedToo::InterruptedToo(pid_t pid) { child = pid; }

InterruptedToo::~InterruptedToo() { child = 0; }

}  // namespace suite::app
