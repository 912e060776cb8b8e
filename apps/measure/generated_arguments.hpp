// SPDX-License-Identifier: BSD-3-Clause
// Arguments that the reference makes for a named size.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <suite/suite.hpp>

#include "verification.hpp"

namespace suite::app {

using SetArguments = std::function<void(Kernel&)>;

// Arguments of a named size, made once (in the reference's memory) and shared by all candidates; what a kernel changes
// (psi) starts afresh each time they are set. Fails with a sentence that names need and have when they do not fit into
// memory.
class GeneratedArguments {
public:
  GeneratedArguments(const std::string& kernel, const std::string& size, uint64_t seed);
  // The size "small" in the same precision.
  bool is_single() const { return tolerance_factor(owner_) > 1; }
  std::string small_size() const;
  SetArguments setter() {
    return [this](Kernel& kernel) { give(kernel); };
  }
  Kernel& owner() { return owner_; }

private:
  void give(Kernel& kernel);
  Kernel owner_;
  std::vector<Output> state_;
};

}  // namespace suite::app
