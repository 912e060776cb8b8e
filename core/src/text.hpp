// SPDX-License-Identifier: BSD-3-Clause
// Pieces of the sentences that errors are made of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace suite::core {

// 'name', shortened when absurdly long, control characters as '?'.
std::string quoted(std::string_view name);
// "; did you mean 'sigma'?", or nothing when no known name is near.
std::string did_you_mean(std::string_view asked, const std::vector<std::string>& known);
// The same, then all known names: "; did you mean 'sigma'? There are: sigma, chi".
std::string known_names(std::string_view asked, const std::vector<std::string>& known);
std::string joined(const std::vector<std::string>& parts, std::string_view between);
// "1.5 GiB", "512 B".
std::string bytes_text(uint64_t bytes);
// Cuts a sentence to what suite_error holds, at a character's border, ending in "...".
std::string fitted(std::string sentence);
const char* type_name(int32_t type);
size_t type_size(int32_t type);
bool is_complex(int32_t type);
// "real64 or complex128" for a type set, "real64" for a single type.
std::string type_text(int32_t type_or_set);
const char* status_name(int status);

}  // namespace suite::core
