// SPDX-License-Identifier: BSD-3-Clause
// Paths of the program's own files, relative to the program so that an installed tree may be moved.
#pragma once

#include <filesystem>
#include <string>

namespace suite::app {

std::filesystem::path program();           // this executable
std::filesystem::path installed_inputs();  // <prefix>/share/suite/inputs; may not exist
std::filesystem::path installed_schemas();  // of inputs: <prefix>/share/suite/schema/input; may not exist
// <prefix>/lib*/suite/modules/<name>, or an empty path. Modules are parts of the program that are loaded on demand.
std::filesystem::path module(const std::string& name);

}  // namespace suite::app
