// SPDX-License-Identifier: BSD-3-Clause
// The seal: 56 bytes that the build appends to every plugin, so that damage is noticed before dlopen runs
// into it. It guards against accidents (a full disk, a broken copy), not against malice: ownership and modes
// do that.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "file.hpp"
#include "sha256.hpp"

namespace suite::core {

using Bytes = std::vector<uint8_t>;

struct Seal {
  char head[8];
  uint64_t payload;  // bytes before the seal
  uint8_t digest[32];
  char tail[8];
};
static_assert(sizeof(Seal) == 56);

inline constexpr char seal_head[] = "SUITEsea", seal_tail[] = "l-v1\r\n\x1a";
// A plugin built to be sealed has a section of this name, so that a lost seal is noticed, too.
inline constexpr char sealed_section[] = "suite_sealed";

// Whether the last bytes look like a seal (either magic word is enough: one flipped bit must not hide it).
bool looks_sealed(const File& file);
// What is wrong with the seal of a file that looks sealed, or nothing.
std::string seal_defect(const File& file);
// The file's bytes with a fresh seal in the place of an old one.
Bytes sealed(const File& file);

}  // namespace suite::core
