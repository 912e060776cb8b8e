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

// On OpenCL a plugin keeps its programs for as long as one of its kernels is open that has run: one of them is, so that
// a kernel which forgets its arguments does not have its programs compiled again.
inline void keep_programs_of(const suite::Kernel& kernel) {
  static auto& kept = *new std::map<std::string, std::unique_ptr<suite::Kernel>>;
  const std::string name = kernel.table().kernel, implementation = kernel.table().implementation;
  if (std::string(kernel.table().backend) != "opencl") return;
  auto& open = kept[name.substr(0, name.find('.')) + ' ' + implementation];
  if (open) return;
  try {
    open = std::make_unique<suite::Kernel>(name, implementation);
    open->generate("test:0", 1);
    open->run();
  } catch (const Failure&) {  // the test itself says what does not run
  }
}

// Returns the kernel, which stays open until four others of its backend have come; some of them may never
// run.
inline std::shared_ptr<suite::Kernel> kept_a_while(std::shared_ptr<suite::Kernel> kernel) {
  // Never destroyed: none is closed after its driver is gone.
  static auto& of_backend = *new std::map<std::string, std::deque<std::shared_ptr<suite::Kernel>>>;
  auto& recent = of_backend[kernel->table().backend];
  recent.push_back(kernel);
  if (recent.size() > 4) recent.pop_front();
  keep_programs_of(*kernel);
  return kernel;
}

}  // namespace suite::test
