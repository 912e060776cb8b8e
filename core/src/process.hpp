// SPDX-License-Identifier: BSD-3-Clause
// What the library can tell of the process and its files.
#pragma once

#include <string>
#include <vector>

#include "sha256.hpp"

namespace suite::core {

std::vector<std::string> process_warnings();
Digest hash_file(const std::string& file);

}  // namespace suite::core
