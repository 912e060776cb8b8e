// SPDX-License-Identifier: BSD-3-Clause
#include "probe.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <suite/plugin.hpp>

namespace suite::core {
namespace {

constexpr unsigned patience_s = 10;

// The child's whole life. It writes "" or the reason, ended by a zero byte: without that byte it died.
[[noreturn]] void be_the_child(const std::string& path, int out) {
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  // The host's handlers (of MPI, of a sanitizer) would print or clean up in the host's name.
  for (int s : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS, SIGALRM, SIGTERM, SIGPIPE}) ::signal(s, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (const int null = ::open("/dev/null", O_WRONLY | O_CLOEXEC); null >= 0) ::dup2(null, 1), ::dup2(null, 2);
  ::alarm(patience_s);
  std::string reason;
  try {
    Plugin plugin;
    open_plugin(path, plugin);
  } catch (const std::exception& e) { reason = e.what(); } catch (...) {
    reason = "an exception of unknown type was thrown during loading";
  }
  const bool told = ::write(out, reason.c_str(), reason.size() + 1) == static_cast<ssize_t>(reason.size() + 1);
  ::_exit(told ? 0 : 1);
}

// All that the child writes, until it is gone or out of time (a grandchild might hold the pipe open).
std::string listen_to(int in) {
  std::string said;
  char buffer[512];
  for (;;) {
    pollfd ready{in, POLLIN, 0};
    const int polled = ::poll(&ready, 1, static_cast<int>(patience_s + 2) * 1000);
    if (polled < 0 && errno == EINTR) continue;
    if (polled <= 0) return said;
    const ssize_t got = ::read(in, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return said;
    said.append(buffer, static_cast<size_t>(got));
    if (said.back() == '\0') return said;
  }
}

}  // namespace

std::string probe_plugin(const std::string& path) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return std::string("it is not sealed and cannot be tried: ") + std::strerror(errno);
  const pid_t child = ::fork();
  if (child == 0) be_the_child(path, ends[1]);
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    return std::string("it is not sealed and cannot be tried in a separate process: ") + std::strerror(errno);
  }
  std::string said = listen_to(ends[0]);
  ::close(ends[0]);
  int state = 0;
  pid_t reaped;
  do reaped = ::waitpid(child, &state, 0);
  while (reaped < 0 && errno == EINTR);
  if (!said.empty() && said.back() == '\0') {
    said.pop_back();
    return said;
  }
  // A host that ignores SIGCHLD hides how the child ended.
  if (reaped != child || !WIFSIGNALED(state)) return "it ended the process while being loaded";
  const int signal = WTERMSIG(state);
  if (signal == SIGALRM) return concat("it was not loaded within ", patience_s, " seconds");
  return concat("crashed while being loaded (signal ", signal, ")");
}

}  // namespace suite::core
