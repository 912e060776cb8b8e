// SPDX-License-Identifier: BSD-3-Clause
// Optional interface of an app with files of elements: writes one.
#pragma once

#include <string>

namespace suite::app {

class StarterOfSpecies {
public:
  virtual ~StarterOfSpecies() = default;
  // The text of an element's file, for `suite init NAME --species ELEMENT`. Throws Failure for an unknown element.
  virtual std::string species_file(const std::string& element) const = 0;
};

}  // namespace suite::app
