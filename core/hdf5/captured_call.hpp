// SPDX-License-Identifier: BSD-3-Clause
// A captured call as it stands in its file (docs/capture.md).
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "hdf5.hpp"

namespace suite::hdf5 {

struct CapturedCall {
  std::map<std::string, std::string> texts;    // attributes of the file: kernel, implementation, host, ...
  double seconds = 0, number = 0;              // of execute; which run of the kernel it was
  double tolerance = 0;                        // the largest of the choices in force
  std::vector<std::string> arguments;          // those that were set, in the order of the kernel's table
  std::map<std::string, Array> before, after;  // by name: what went in, what came out
};

// All of it, checked for whatever can be checked without the kernel. Throws Failure with a sentence that
// names the file.
CapturedCall read_captured_call(const std::filesystem::path& file);

}  // namespace suite::hdf5
