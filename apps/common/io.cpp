// SPDX-License-Identifier: BSD-3-Clause
#include "io.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/core.h>

namespace suite::app {

namespace fs = std::filesystem;

namespace {

class Descriptor {
public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  int close() { return ::close(std::exchange(fd_, -1)); }

private:
  int fd_;
};

[[noreturn]] void fail(const std::string& what, const fs::path& file) {
  throw IoFailure(what + " '" + file.string() + "': " + std::strerror(errno));
}

}  // namespace

std::string first_line(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

std::string read_text_file(const fs::path& file, size_t limit) {
  // O_NONBLOCK: opening a named pipe must not block; it is refused below.
  Descriptor in(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (in.get() < 0) fail("cannot read", file);
  std::error_code error;
  if (!fs::is_regular_file(file, error)) throw IoFailure("cannot read '" + file.string() + "': not a regular file");
  std::string text;
  char block[1 << 16];
  for (;;) {
    const ssize_t n = ::read(in.get(), block, sizeof block);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("cannot read", file);
    if (n == 0) return text;
    text.append(block, static_cast<size_t>(n));
    if (text.size() > limit) throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("'{}' is larger than {} bytes", file.string(), limit));
  }
}

void write_text_file(const fs::path& file, const std::string& text) {
  const fs::path temporary = fmt::format("{}.part{}", file.string(), ::getpid());
  Descriptor out(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (out.get() < 0) fail("cannot write", file);
  for (size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(out.get(), text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const int reason = errno;
      ::unlink(temporary.c_str());
      errno = reason;
      fail("cannot write", file);
    }
    done += static_cast<size_t>(n);
  }
  if (::fsync(out.get()) != 0 || out.close() != 0 || ::rename(temporary.c_str(), file.c_str()) != 0) {
    const int reason = errno;
    ::unlink(temporary.c_str());
    errno = reason;
    fail("cannot write", file);
  }
}

}  // namespace suite::app
