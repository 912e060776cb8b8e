// SPDX-License-Identifier: BSD-3-Clause
// An input's tree against the table of keys: finds everything that is wrong in one pass.
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

// What the check leaves behind.
struct Checked {
  std::map<std::string, Node> written;       // leaves, by path
  std::map<std::string, Position> sections;  // where a section's name stands
  // Keys whose value cannot be read, is missing, or was written under another name: an error tells so already.
  std::set<std::string> unreadable;
};

// order: the keys as they are explained; keys: the same by path. source: relative names of files start in its
// folder.
void check_keys(const Node& root, const std::vector<Key>& order, const std::map<std::string, Key>& keys,
                const std::filesystem::path& source, Diagnostics& diagnostics, Checked& checked);

// A file that an input names: from the working folder (override), the input's folder, or the installed
// inputs. Empty where there is none.
std::filesystem::path find_file(const std::string& text, const std::filesystem::path& source, bool override);

// "sigma.bands": "bands" and "sigma".
std::string last_part(const std::string& path);
std::string parent_of(const std::string& path);

}  // namespace suite::app
