// SPDX-License-Identifier: BSD-3-Clause
// Other programs, started by this one.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace suite::app {

// Whether there is such a program: a file if the name has a '/', else one found in PATH.
bool is_program(const std::string& name);

// Runs a program and its arguments, without input and with output and errors to a file. Interrupts are forwarded to it. Returns its exit code,
// 128 + signal if a signal ended it. Throws Failure (not found) if it cannot be started.
int run_program(std::vector<std::string> words, const std::filesystem::path& output);

}  // namespace suite::app
