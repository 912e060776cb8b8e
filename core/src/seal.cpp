// SPDX-License-Identifier: BSD-3-Clause
#include "seal.hpp"

#include <algorithm>
#include <cstring>

#include <suite/plugin.hpp>

namespace suite::core {

static bool read_seal(const File& file, Seal& seal) {
  if (file.size() < sizeof seal) return false;
  seal = file.at<Seal>(file.size() - sizeof seal);
  return true;
}

bool looks_sealed(const File& file) {
  Seal seal;
  return read_seal(file, seal) && (!std::memcmp(seal.head, seal_head, 8) || !std::memcmp(seal.tail, seal_tail, 8));
}

// In pieces that stay in the second-level cache.
static Digest hash_of(const File& file, uint64_t bytes) {
  Sha256 hash;
  std::vector<uint8_t> piece(static_cast<size_t>(std::min(bytes, uint64_t(128) << 10)));
  for (uint64_t done = 0; done < bytes; done += piece.size()) {
    piece.resize(static_cast<size_t>(std::min<uint64_t>(piece.size(), bytes - done)));
    file.read(done, piece.data(), piece.size());
    hash.update(piece.data(), piece.size());
  }
  return hash.finish();
}

std::string seal_defect(const File& file) {
  Seal seal;
  if (!read_seal(file, seal)) return "it is shorter than its seal";
  if (std::memcmp(seal.head, seal_head, 8) != 0 || std::memcmp(seal.tail, seal_tail, 8) != 0) return "its seal is broken";
  const uint64_t payload = file.size() - sizeof seal;
  if (seal.payload != payload) return concat("it has ", payload, " bytes but was sealed with ", seal.payload);
  const Digest digest = hash_of(file, payload);
  if (std::memcmp(seal.digest, digest.data(), digest.size()) != 0) return "its SHA-256 is not the one it was sealed with";
  return "";
}

Bytes sealed(const File& file) {
  Seal seal;
  Bytes bytes = file.array<uint8_t>(0, file.size() - (looks_sealed(file) ? sizeof seal : 0));
  std::memcpy(seal.head, seal_head, 8);
  std::memcpy(seal.tail, seal_tail, 8);
  seal.payload = bytes.size();
  const Digest digest = sha256(bytes.data(), bytes.size());
  std::memcpy(seal.digest, digest.data(), digest.size());
  const auto* end = reinterpret_cast<const uint8_t*>(&seal);
  bytes.insert(bytes.end(), end, end + sizeof seal);
  return bytes;
}

}  // namespace suite::core
