// SPDX-License-Identifier: BSD-3-Clause
// Optional interface of an app: generates an input together with its molecule.
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
    std::vector<std::pair<std::string, std::string>> values;  // input keys and their values
    std::vector<TextFile> files;                              // files named by values, for the input's folder
  };
  virtual ~Starter() = default;
  // A polyalanine molecule of about that many atoms, for `suite init NAME --polyalanine N [--helix]`.
  virtual Start polyalanine(long atoms, bool helix) const = 0;
};

}  // namespace suite::app
