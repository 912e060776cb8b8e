// SPDX-License-Identifier: BSD-3-Clause
#include "timed_kernel.hpp"

#include <algorithm>

namespace suite::app {
namespace {

constexpr size_t most_samples = 1000;  // of a kernel in result.json

}  // namespace

Device device_of(const std::string& kernel, const std::string& implementation) {
  const Kernel probe(kernel, implementation);
  const size_t colon =
      implementation.find('/') == std::string::npos ? implementation.find(':') : std::string::npos;
  return Device(probe.table().backend +
                (colon == std::string::npos ? std::string() : implementation.substr(colon)));
}

TimedKernel::TimedKernel(const std::string& kernel, const std::string& implementation,
                         const std::string& variant, const Parameters& parameters, const Device* device)
    : kernel_(kernel, implementation, device) {
  const suite_kernel_table& table = kernel_.table();
  if (!variant.empty() && find_parameter(table, "variant")) {
    kernel_.choose("variant", variant);
    record_.variant = variant;
  }
  for (const auto& parameter : parameters) set_parameter(kernel_, parameter);
  record_.parameters = parameters;
  record_.kernel = table.kernel;
  record_.implementation = table.implementation;
  record_.backend = table.backend;
  record_.device = suite_device_describe(suite_call_device(kernel_.handle()));
  record_.plugin_file = suite_plugin_file(kernel_.handle());
  record_.merit = merit_of(table);
  record_.verification = "not checked";
}

void add_or_join(std::vector<KernelRecord>& rows, KernelRecord row) {
  const auto same =
      std::find_if(rows.begin(), rows.end(), [&](const KernelRecord& other) { return other.kernel == row.kernel; });
  if (same == rows.end()) {
    rows.push_back(std::move(row));
    return;
  }
  same->samples_s.insert(same->samples_s.end(), row.samples_s.begin(), row.samples_s.end());
  same->flops += row.flops;
  same->bytes += row.bytes;
  same->merit.count += row.merit.count;
}

void TimedKernel::run() {
  record_.samples_s.push_back(kernel_.run());
  const suite_cost cost = kernel_.cost();
  record_.flops += cost.flops;
  record_.bytes += cost.bytes;
  record_.merit.count += kernel_.merit();
}

void TimedKernel::add_to(std::vector<KernelRecord>& records) const {
  if (!used()) return;
  records.push_back(record_);
  auto& samples = records.back().samples_s;
  const size_t batch = (samples.size() + most_samples - 1) / most_samples;
  std::vector<double> sums((samples.size() + batch - 1) / batch, 0.0);
  for (size_t i = 0; i < samples.size(); ++i) sums[i / batch] += samples[i];
  samples = sums;
}

}  // namespace suite::app
