// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <suite/plugin.hpp>

namespace suite {

// A file or folder that cannot be read or written; the program ends with exit code 6.
class IoFailure : public Failure {
public:
  explicit IoFailure(const std::string& sentence) : Failure(SUITE_INTERNAL, sentence) {}
};

}  // namespace suite
