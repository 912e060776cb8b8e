// SPDX-License-Identifier: BSD-3-Clause
// Kernels and implementations of the plugins that were found.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <suite/suite.hpp>

namespace suite::app {

// Choices of the parameter `variant`; empty if an implementation has none.
std::vector<std::string> variants_of(const suite_kernel_table& table);

// Installed implementations of a kernel, in the order of `suite list`.
std::vector<std::string> implementations_of(const std::string& kernel);
std::vector<std::string> implementations_beside_reference(const std::string& kernel);
// The implementation of a kernel on a backend ("cuda", "cuda:1", "opencl:pocl"), with the device appended to its name: the one named like
// the backend, else the first. Throws Failure (not found) if there is none.
std::string implementation_on(const std::string& kernel, const std::string& backend);
// The same; nullopt if there is none.
std::optional<std::string> find_implementation_on(const std::string& kernel, const std::string& backend);
// Kernels of all usable plugins.
std::vector<std::string> kernel_names();
// Throws Failure (not found) with a suggestion unless a plugin provides the kernel.
void require_kernel(const std::string& kernel);

}  // namespace suite::app
