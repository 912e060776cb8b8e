// SPDX-License-Identifier: BSD-3-Clause
// What the library can tell of the process and its files.
#pragma once

#include <string>
#include <vector>

#include "sha256.hpp"

namespace suite::core {

std::vector<std::string> process_warnings();
Digest hash_file(const std::string& file);

std::string host_name();     // "unknown" where the system does not tell
std::string program_path();  // of this program's file; "unknown" likewise
long launched_rank();        // as the launchers of MPI say it; -1 without one

}  // namespace suite::core
