// SPDX-License-Identifier: BSD-3-Clause
// One plugin file: the rules that it must keep before dlopen sees it, and the loading itself.
#pragma once

#include <string>
#include <vector>

#include "plugin_table.hpp"

namespace suite::core {

// Loads a plugin, or returns it when it is loaded already; plugins stay for the life of the process. Throws
// suite::Failure with the reason, which names no path: the caller knows it.
const Plugin& load_plugin(const std::string& path);
// Reads and checks many files by several threads, before load_plugin is called for each; no thread outlives
// the call, and none loads anything.
void check_ahead(const std::vector<std::string>& paths);

}  // namespace suite::core
