// SPDX-License-Identifier: BSD-3-Clause
// Extents of a kernel's named sizes, without their data.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <suite/suite.hpp>

namespace suite::app {

// Types and extents of the arguments, requested from the kernel once, since those of a molecule take time. rank -1: omitted. Throws Failure
// (invalid argument) for a size the kernel does not know.
const std::vector<suite_array>& arguments_of(const suite_kernel_table& table, const std::string& size);

// Total memory of all arguments.
double memory_B(const std::vector<suite_array>& arguments);

// The extents named in the shapes, each once; sums and products follow from them.
std::vector<std::pair<std::string, int64_t>> named_extents(const suite_kernel_table& table, const std::vector<suite_array>& arguments);

}  // namespace suite::app
