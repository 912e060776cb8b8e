// SPDX-License-Identifier: BSD-3-Clause
// Short distinct names of files for tables.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace suite::app {

// Maps each path to its file name, preceded by as many folders as needed to distinguish it from the other paths: "mine.so", or
// "old/mine.so" and "new/mine.so". Names without a folder are unchanged.
std::map<std::string, std::string> distinct_names(const std::vector<std::string>& paths);

}  // namespace suite::app
