// SPDX-License-Identifier: BSD-3-Clause
// What the library can tell of the process and its files.
#pragma once

#include <string>
#include <vector>

#include "sha256.hpp"

namespace suite::core {

std::vector<std::string> process_warnings();
bool openmp_is_loaded();     // libgomp
void note_openmp_of_host();  // before the first plugin is loaded
Digest hash_file(const std::string& file);

std::string host_name();     // "unknown" where the system does not tell
std::string program_path();  // of this program's file; "unknown" likewise
long launched_rank();        // as the launchers of MPI say it; -1 without one
long local_rank();           // among the processes of this node, likewise; SUITE_LOCAL_RANK says it better

}  // namespace suite::core
