// SPDX-License-Identifier: BSD-3-Clause
// Where the kernels of a run come from: one implementation, whose kernels share a device.
#pragma once

#include <string>
#include <vector>

#include <suite/suite.hpp>

#include "common/communicator.hpp"
#include "measure/timed_kernel.hpp"

namespace suite::gw {

class KernelSource {
public:
  // variant and parameters are those of gpp.sigma, the kernel that an input or a command line names them for.
  explicit KernelSource(const std::string& implementation, const std::string& variant = "", const app::Parameters& parameters = {});

  app::TimedKernel open_sigma() const;
  // One of the family gw. Where the implementation has none, that of the same backend is taken, or cpu, with
  // a warning.
  app::TimedKernel open(const std::string& kernel);
  // Whether gpp.sigma runs on this machine's cores.
  bool on_cpu() const { return open_sigma()->table().backend == std::string("cpu"); }
  const std::vector<std::string>& warnings() const { return warnings_; }

private:
  std::string implementation_, variant_;
  app::Parameters parameters_;
  Device device_;
  std::vector<std::string> warnings_;
};

// What failed on one rank failed on all.
void share_verification(const app::Communicator& world, app::Row& record);

}  // namespace suite::gw
