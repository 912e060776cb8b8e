// SPDX-License-Identifier: BSD-3-Clause
// An open kernel of an app, with its row of result.json: names, seconds, flops and bytes.
#pragma once

#include <string>

#include <suite/suite.hpp>

#include "parameters.hpp"
#include "row.hpp"

namespace suite::app {

// ":1" of "cuda:1"; empty if no device is named, and for the path of a plugin.
std::string device_part(const std::string& implementation);

// Properties of an open kernel known before it runs: names, device, plugin, figure of merit.
Row record_of(const Kernel& kernel);

// The device of an implementation ("cpu", "cuda:1", "opencl:pocl", or the path of a plugin), for kernels that share arrays.
Device device_of(const std::string& kernel, const std::string& implementation);

// Adds a row, or appends its samples to the row of the same kernel: calls of one kind in several pieces. Of two verifications, keeps the
// failed one, or the one with the larger error.
void add_or_join(std::vector<Row>& rows, Row row);

class TimedKernel {
public:
  // variant: ignored if empty or if the implementation has none. Without device, the kernel gets its own.
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
  // Adds the row if the kernel has run; the samples of very many runs are merged into fewer, longer ones.
  void add_to(std::vector<Row>& records) const;

private:
  Kernel kernel_;
  Row record_;
};

}  // namespace suite::app
