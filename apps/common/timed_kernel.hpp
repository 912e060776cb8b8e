// SPDX-License-Identifier: BSD-3-Clause
// The kernels of family lfd that a propagation uses, open on one device, with what they cost.
#pragma once

#include <memory>
#include <string>

#include <suite/suite.hpp>

#include "../common/app.hpp"

namespace suite::tddft {

// The device of an implementation: "cpu", "cuda:1", "opencl:pocl", or the path of a plugin.
Device device_of(const std::string& kernel, const std::string& implementation);

// One open kernel and its row of result.json.
class TimedKernel {
public:
  TimedKernel(const std::string& kernel, const std::string& implementation, const std::string& variant,
              const Device& device, const app::Parameters& parameters = {});
  Kernel* operator->() { return &kernel_; }
  Kernel& kernel() { return kernel_; }
  void run();
  bool used() const { return !record_.samples_s.empty(); }
  const app::KernelRecord& record() const { return record_; }

private:
  Kernel kernel_;
  app::KernelRecord record_;
};

}  // namespace suite::tddft
