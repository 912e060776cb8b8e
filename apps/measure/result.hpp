// SPDX-License-Identifier: BSD-3-Clause
// The folder of a run, never overwritten, with its result.json (docs/results.md).
#pragma once

#include <filesystem>
#include <string>

#include "provenance.hpp"

namespace suite::app {

// Creates results/<name>-<UTC time>, or the folder asked for, which must be missing or empty. Throws IoFailure on I/O errors and Failure
// if the folder asked for contains files.
std::filesystem::path make_run_folder(const std::string& name, const std::filesystem::path& asked);
// Points results/last at a folder made by make_run_folder; folders the user named are ignored.
void point_last_at(const std::filesystem::path& folder);

// The version of this build with its commit, if known: "0.1.0 (1a2b3c4d)".
std::string version_text();

}  // namespace suite::app
