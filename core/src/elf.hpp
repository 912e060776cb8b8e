// SPDX-License-Identifier: BSD-3-Clause
// The ELF headers of a plugin, read before the dynamic linker sees the file: it trusts them blindly.
#pragma once

#include <string>

#include "file.hpp"

namespace suite::core {

struct Elf {
  std::string defect;       // what is wrong, or nothing
  uint64_t end = 0;         // where the last header table, section or segment ends
  bool wants_seal = false;  // it was built to carry a seal
};

Elf examine_elf(const File& file);

}  // namespace suite::core
