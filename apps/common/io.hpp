// SPDX-License-Identifier: BSD-3-Clause
// Text files, read whole and written so that a reader never sees half of one.
#pragma once

#include <filesystem>
#include <string>

#include <suite/plugin.hpp>

#include "hdf5/io_failure.hpp"

namespace suite::app {

using suite::IoFailure;

// At most limit bytes; a larger file is refused.
std::string read_text_file(const std::filesystem::path& file, size_t limit);

// Empty where there is none.
std::string first_line(const std::filesystem::path& file);

// Writes to a temporary name in the same folder, syncs it to the disk and renames it to file.
void write_text_file(const std::filesystem::path& file, const std::string& text);

struct TextFile {
  std::string name, text;
};

}  // namespace suite::app
