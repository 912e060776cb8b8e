// SPDX-License-Identifier: BSD-3-Clause
// What a named size of a kernel stands for, without its data.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <suite/suite.hpp>

namespace suite::app {

// Types and extents of the arguments, asked of the kernel once: a molecule's take their time. rank -1: left
// out. Throws Failure (invalid argument) for a size that the kernel does not know.
const std::vector<suite_array>& arguments_of(const suite_kernel_table& table, const std::string& size);

// Of all arguments.
double memory_B(const std::vector<suite_array>& arguments);

// The extents that the shapes name, each once; sums and products follow from them.
std::vector<std::pair<std::string, int64_t>> named_extents(const suite_kernel_table& table, const std::vector<suite_array>& arguments);

}  // namespace suite::app
