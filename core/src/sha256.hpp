// SPDX-License-Identifier: BSD-3-Clause
// SHA-256 (FIPS 180-4).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace suite::core {

using Digest = std::array<uint8_t, 32>;

class Sha256 {
public:
  void update(const void* data, size_t bytes);
  Digest finish();

private:
  uint32_t state_[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  uint8_t pending_[64];
  uint64_t length_ = 0;
};

Digest sha256(const void* data, size_t bytes);
std::string hexadecimal(const Digest& digest);

}  // namespace suite::core
