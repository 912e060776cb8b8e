// SPDX-License-Identifier: BSD-3-Clause
// One plugin file: the rules that it must keep before dlopen sees it, and the loading itself.
#pragma once

#include <string>

#include "plugin_table.hpp"

namespace suite::core {

// Loads a plugin, or returns it when it is loaded already; plugins stay for the life of the process. Throws
// suite::Failure with the reason, which names no path: the caller knows it.
const Plugin& load_plugin(const std::string& path);

}  // namespace suite::core
