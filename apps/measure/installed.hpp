// SPDX-License-Identifier: BSD-3-Clause
// The kernels and implementations that the plugins found here have.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <suite/suite.hpp>

namespace suite::app {

// Choices of the parameter `variant`, empty where an implementation has none.
std::vector<std::string> variants_of(const suite_kernel_table& table);

// Implementations of a kernel that are installed, in the order of `suite list`.
std::vector<std::string> implementations_of(const std::string& kernel);
std::vector<std::string> implementations_beside_reference(const std::string& kernel);
// The implementation of a kernel that runs on a backend ("cuda", "cuda:1", "opencl:pocl"), with the same device behind
// its name: the one named like the backend, else the first one there is. Throws Failure (not found) when there is none.
std::string implementation_on(const std::string& kernel, const std::string& backend);
// The same; nothing where there is none.
std::optional<std::string> find_implementation_on(const std::string& kernel, const std::string& backend);
// Kernels of all usable plugins.
std::vector<std::string> kernel_names();
// Throws Failure (not found) with a suggestion unless some plugin has the kernel.
void require_kernel(const std::string& kernel);

}  // namespace suite::app
