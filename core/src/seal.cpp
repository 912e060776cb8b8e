// SPDX-License-Identifier: BSD-3-Clause
#include "seal.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <suite/plugin.hpp>

#include "text.hpp"

namespace suite::core {

static bool read_seal(const Bytes& file, Seal& seal) {
  if (file.size() < sizeof seal) return false;
  std::memcpy(&seal, file.data() + file.size() - sizeof seal, sizeof seal);
  return true;
}

bool looks_sealed(const Bytes& file) {
  Seal seal;
  return read_seal(file, seal) &&
         (!std::memcmp(seal.head, seal_head, 8) || !std::memcmp(seal.tail, seal_tail, 8));
}

std::string seal_defect(const Bytes& file) {
  Seal seal;
  if (!read_seal(file, seal)) return "it is shorter than its seal";
  if (std::memcmp(seal.head, seal_head, 8) || std::memcmp(seal.tail, seal_tail, 8))
    return "its seal is broken";
  const uint64_t payload = file.size() - sizeof seal;
  if (seal.payload != payload)
    return "it has " + std::to_string(payload) + " bytes but was sealed with " + std::to_string(seal.payload);
  const Digest digest = sha256(file.data(), payload);
  if (std::memcmp(seal.digest, digest.data(), digest.size()))
    return "its SHA-256 is not the one it was sealed with";
  return "";
}

Bytes sealed(Bytes file) {
  if (looks_sealed(file)) file.resize(file.size() - sizeof(Seal));
  Seal seal;
  std::memcpy(seal.head, seal_head, 8);
  std::memcpy(seal.tail, seal_tail, 8);
  seal.payload = file.size();
  const Digest digest = sha256(file.data(), file.size());
  std::memcpy(seal.digest, digest.data(), digest.size());
  const auto* bytes = reinterpret_cast<const uint8_t*>(&seal);
  file.insert(file.end(), bytes, bytes + sizeof seal);
  return file;
}

Bytes read_file(const std::string& path, uint64_t largest) {
  struct Descriptor {
    int fd;
    ~Descriptor() {
      if (fd >= 0) ::close(fd);
    }
  };
  // A FIFO must not block us: O_NONBLOCK, and only regular files are read.
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.fd < 0) throw Failure(SUITE_NOT_FOUND, std::string("cannot be opened: ") + std::strerror(errno));
  struct stat info;
  if (::fstat(file.fd, &info) != 0)
    throw Failure(SUITE_NOT_FOUND, std::string("cannot be read: ") + std::strerror(errno));
  if (!S_ISREG(info.st_mode)) throw Failure(SUITE_NOT_FOUND, "is not a regular file");
  if (static_cast<uint64_t>(info.st_size) > largest)
    throw Failure(SUITE_UNSUPPORTED, "has " + bytes_text(static_cast<uint64_t>(info.st_size)) +
                                         ", more than the " + bytes_text(largest) +
                                         " that a plugin may have");
  Bytes bytes(static_cast<size_t>(info.st_size));
  size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t got = ::read(file.fd, bytes.data() + have, bytes.size() - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw Failure(SUITE_NOT_FOUND, std::string("cannot be read: ") + std::strerror(errno));
    if (got == 0) break;
    have += static_cast<size_t>(got);
  }
  bytes.resize(have);
  return bytes;
}

}  // namespace suite::core
