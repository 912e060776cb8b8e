// SPDX-License-Identifier: BSD-3-Clause
// BerkeleyGW's epsilon.inp and sigma.inp, as values of this app's keys (docs/from-berkeleygw.md).
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace suite::gw {

using KeyValues = std::vector<std::pair<std::string, std::string>>;

// Keywords that say how the other code works, not what it computes, are left out. Throws Failure, beginning with "file:line: ", for one that
// has no counterpart, and for values that are no good.
KeyValues values_of_epsilon_inp(const std::filesystem::path& file);
KeyValues values_of_sigma_inp(const std::filesystem::path& file);

}  // namespace suite::gw
