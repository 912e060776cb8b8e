// SPDX-License-Identifier: BSD-3-Clause
// Loading an unsealed plugin in a child process first, so that a damaged one kills only the child.
#pragma once

#include <string>

#include "plugin_table.hpp"

namespace suite::core {

// The loading itself, without any check of the file (loader.cpp).
void open_plugin(const std::string& path, Plugin& plugin);
// Why the plugin cannot be loaded, or nothing.
std::string probe_plugin(const std::string& path);

}  // namespace suite::core
