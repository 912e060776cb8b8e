// SPDX-License-Identifier: BSD-3-Clause
// Text files, read whole and written atomically.
#pragma once

#include <filesystem>
#include <string>

#include <suite/plugin.hpp>

#include "hdf5/io_failure.hpp"

namespace suite::app {

using suite::IoFailure;

// Throws if the file is larger than limit bytes.
std::string read_text_file(const std::filesystem::path& file, size_t limit);

// Empty if the file does not exist.
std::string first_line(const std::filesystem::path& file);

// Writes to a temporary file in the same folder, syncs it to disk and renames it to file.
void write_text_file(const std::filesystem::path& file, const std::string& text);

struct TextFile {
  std::string name, text;
};

}  // namespace suite::app
