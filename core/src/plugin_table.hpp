// SPDX-License-Identifier: BSD-3-Clause
// A plugin's tables as the host may use them: checked, and copied member by member as far as their sizes
// reach.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <suite/abi.h>

#include "shape.hpp"

namespace suite::core {

struct KernelEntry {
  suite_kernel_table table{};  // its arrays are those below
  std::vector<suite_argument> arguments;
  std::vector<suite_parameter> parameters;
  std::vector<std::vector<suite_choice>> choices;
  std::vector<std::vector<suite_published>> published;
  std::unique_ptr<Shapes> shapes;
};

struct Plugin {
  std::string file;
  suite_plugin table{};
  suite_backend backend{};
  std::vector<KernelEntry> kernels;
  std::vector<const suite_kernel_table*> pointers;

  const KernelEntry* find(std::string_view kernel) const;
};

// Fills all but `file` of a plugin. Throws suite::Failure with the first rule that the tables break.
void adopt(const suite_plugin* from, Plugin& plugin);

}  // namespace suite::core
