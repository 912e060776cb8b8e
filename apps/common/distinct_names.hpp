// SPDX-License-Identifier: BSD-3-Clause
// Files as tables name them: by their last folders, as few as tell them apart.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace suite::app {

// Of each path the name of its file, with as many of the folders above it as tell it from the other paths:
// "mine.so", or "old/mine.so" and "new/mine.so". What has no folder stays as it is.
std::map<std::string, std::string> distinct_names(const std::vector<std::string>& paths);

}  // namespace suite::app
