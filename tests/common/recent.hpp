// SPDX-License-Identifier: BSD-3-Clause
// Kernels that stay open for a while after their test. What is compiled for a device lasts as long as a
// kernel that has run there is open: tests that open a kernel for each case would have it compiled for each
// again.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>

#include <suite/suite.hpp>

namespace suite::test {

// Returns the kernel, which stays open until four others of its backend have come; some of them may never
// run.
inline std::shared_ptr<suite::Kernel> kept_a_while(std::shared_ptr<suite::Kernel> kernel) {
  // Never destroyed: none is closed after its driver is gone.
  static auto& of_backend = *new std::map<std::string, std::deque<std::shared_ptr<suite::Kernel>>>;
  auto& recent = of_backend[kernel->table().backend];
  recent.push_back(kernel);
  if (recent.size() > 4) recent.pop_front();
  return kernel;
}

}  // namespace suite::test
