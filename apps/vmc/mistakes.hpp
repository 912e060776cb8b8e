// SPDX-License-Identifier: BSD-3-Clause
// Joins the errors of several files, or of several lines, into one failure, so that all are reported.
#pragma once

#include <string>
#include <vector>

#include "base/input.hpp"

namespace suite::vmc {

inline app::InputErrors joined(const std::vector<app::InputErrors>& all) {
  std::string text;
  size_t count = 0;
  for (const auto& errors : all) {
    text += (text.empty() ? "" : "\n") + std::string(errors.what());
    count += errors.count();
  }
  return {text, count};
}

}  // namespace suite::vmc
