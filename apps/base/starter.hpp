// SPDX-License-Identifier: BSD-3-Clause
// What an app may offer beside App: an input with its molecule, made for the user.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/io.hpp"

namespace suite::app {

class Starter {
public:
  struct Start {
    std::string title;
    std::vector<std::pair<std::string, std::string>> values;  // keys of the input and what they are
    std::vector<TextFile> files;                              // which they name, for the input's folder
  };
  virtual ~Starter() = default;
  // A molecule of about so many atoms for `suite init NAME --polyalanine N [--helix]`.
  virtual Start polyalanine(long atoms, bool helix) const = 0;
};

}  // namespace suite::app
