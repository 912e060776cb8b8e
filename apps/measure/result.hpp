// SPDX-License-Identifier: BSD-3-Clause
// What a run leaves behind: a folder of its own, never overwritten, with result.json (docs/results.md) in it.
#pragma once

#include <filesystem>
#include <string>

#include "provenance.hpp"

namespace suite::app {

// Makes results/<name>-<UTC time>, or the folder asked for, which must not exist or be empty. Throws IoFailure when it
// cannot, Failure when the folder asked for has files in it.
std::filesystem::path make_run_folder(const std::string& name, const std::filesystem::path& asked);
// Points results/last at a folder made by make_run_folder; folders asked for by name are left out.
void point_last_at(const std::filesystem::path& folder);

// The version of this build with the commit it was made from, where that is known: "0.1.0 (1a2b3c4d)".
std::string version_text();

}  // namespace suite::app
