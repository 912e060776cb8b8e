// SPDX-License-Identifier: BSD-3-Clause
// Optional interface of an app: generates an input for files of other programs.
#pragma once

#include <filesystem>
#include <string>

#include "starter.hpp"

namespace suite::app {

class StarterFromFiles {
public:
  virtual ~StarterFromFiles() = default;
  // For `suite init NAME --from SOURCE`, a file or a folder; folder: where the input will be. Throws Failure if the source is no good.
  virtual Starter::Start from(const std::filesystem::path& source, const std::filesystem::path& folder) const = 0;
};

// The name of a file as a value of an input in this folder: relative to it unless absolute, quoted.
std::string value_of(const std::filesystem::path& file, const std::filesystem::path& folder);

}  // namespace suite::app
