// SPDX-License-Identifier: BSD-3-Clause
// Text files, read whole and written so that a reader never sees half of one.
#pragma once

#include <filesystem>
#include <string>

#include <suite/plugin.hpp>

namespace suite::app {

// A file or folder that cannot be read or written; the program ends with exit code 6.
class IoFailure : public Failure {
public:
  explicit IoFailure(const std::string& sentence) : Failure(SUITE_INTERNAL, sentence) {}
};

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
