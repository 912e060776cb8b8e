// SPDX-License-Identifier: BSD-3-Clause
// Where plugins are searched and which one serves.
#pragma once

#include <functional>
#include <string>

#include "plugin_table.hpp"

namespace suite::core {

// "cuda:1" is name "cuda", index 1; "cuda" is the device of this process; "opencl:pocl" is the device of
// opencl whose description holds the part "pocl". Throws when nothing stands behind ':'.
struct DeviceName {
  static constexpr int of_this_process = -1;
  std::string name;
  int index = of_this_process;
  std::string part = "";  // not empty: index is not known yet
};
DeviceName parse_device(const std::string& text);

struct FoundKernel {
  const Plugin* plugin;
  const KernelEntry* kernel;
};
// implementation: a name, or the path of a plugin.
FoundKernel find_kernel(const std::string& kernel, const std::string& implementation);
const Plugin& find_backend(const std::string& name);

// Stands for the file of a plugin that has none.
inline constexpr const char* registered_file = "(registered by the program)";
// Adds a plugin of the program itself (suite_register_plugin). Throws suite::Failure when its tables break a rule.
void register_plugin(const suite_plugin& plugin);

using Seen = std::function<void(const std::string& file, const Plugin* plugin, const std::string& why)>;
void visit_plugins(const Seen& seen);
// The folder of libsuite.so, in the build tree as after installation.
std::string library_folder();
// A sentence about an environment variable that cannot be obeyed, or nothing.
std::string environment_defect();

}  // namespace suite::core
