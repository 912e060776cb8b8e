// SPDX-License-Identifier: BSD-3-Clause
// A kernel that an app has open, with its row of result.json: what it is, its seconds, flops and bytes.
#pragma once

#include <string>

#include <suite/suite.hpp>

#include "parameters.hpp"
#include "row.hpp"

namespace suite::app {

// ":1" of "cuda:1"; nothing where no device is named, and of a plugin's path.
std::string device_part(const std::string& implementation);

// What is known of an open kernel before it runs: names, device, plugin, figure of merit.
Row record_of(const Kernel& kernel);

// The device of an implementation: "cpu", "cuda:1", "opencl:pocl", or the path of a plugin. For kernels that
// share arrays.
Device device_of(const std::string& kernel, const std::string& implementation);

// A row of its own, or the samples of the same kernel's row behind those it has: calls of one kind in several pieces.
// Of their verifications the one that failed, or with the larger error, is kept.
void add_or_join(std::vector<Row>& rows, Row row);

class TimedKernel {
public:
  // variant: left alone where it is empty or the implementation has none. On a device of its own without one.
  TimedKernel(const std::string& kernel, const std::string& implementation, const std::string& variant, const Parameters& parameters = {},
              const Device* device = nullptr);
  TimedKernel(const std::string& kernel, const std::string& implementation, const std::string& variant, const Device& device,
              const Parameters& parameters = {})
      : TimedKernel(kernel, implementation, variant, parameters, &device) {}
  Kernel* operator->() { return &kernel_; }
  Kernel& kernel() { return kernel_; }
  void run();
  bool used() const { return !record_.samples_s.empty(); }
  const Row& record() const { return record_; }
  Row& record() { return record_; }
  // Adds the row where the kernel has run; the samples of very many runs are put together to fewer, longer ones.
  void add_to(std::vector<Row>& records) const;

private:
  Kernel kernel_;
  Row record_;
};

}  // namespace suite::app
