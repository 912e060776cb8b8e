// SPDX-License-Identifier: BSD-3-Clause
// Checks an input's tree against the table of keys and reports all errors in one pass.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "diagnostics.hpp"
#include "input.hpp"
#include "yaml.hpp"

namespace suite::app {

// Result of the check.
struct Checked {
  std::map<std::string, Node> written;       // leaves, by path
  std::map<std::string, Position> sections;  // position of each section's name
  // Keys whose value is invalid, missing, or written under another name; an error has already been reported.
  std::set<std::string> unreadable;
};

// order: the keys in the order of the help; keys: the same by path; source: relative file names are resolved against its folder.
void check_keys(const Node& root, const std::vector<Key>& order, const std::map<std::string, Key>& keys,
                const std::filesystem::path& source, Diagnostics& diagnostics, Checked& checked);

// Resolves a file name from an input: against the working folder (override), else the input's folder, then the installed inputs.
// Returns an empty path if there is no such file.
std::filesystem::path find_file(const std::string& text, const std::filesystem::path& source, bool override);
// What is wrong with a name for which find_file finds nothing: "names a file that does not exist: ..".
std::string no_file(const std::string& text, const std::filesystem::path& source, bool override);

// For "sigma.bands": "bands" and "sigma".
std::string last_part(const std::string& path);
std::string parent_of(const std::string& path);

}  // namespace suite::app
