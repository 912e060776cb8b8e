// SPDX-License-Identifier: BSD-3-Clause
#include "timed_kernel.hpp"

#include <algorithm>

namespace suite::app {
namespace {

constexpr size_t most_samples = 1000;  // per kernel in result.json

}  // namespace

std::string device_part(const std::string& implementation) {
  const size_t colon = implementation.find(':');
  return implementation.find('/') != std::string::npos || colon == std::string::npos ? "" : implementation.substr(colon);
}

Row record_of(const Kernel& kernel) {
  const suite_kernel_table& table = kernel.table();
  Row record;
  record.kernel = table.kernel;
  record.implementation = table.implementation;
  record.backend = table.backend;
  record.device = suite_device_describe(suite_call_device(kernel.handle()));
  record.merit = merit_of(table);
  if (const char* file = suite_plugin_file(kernel.handle())) record.plugin_file = file;
  return record;
}

Device device_of(const std::string& kernel, const std::string& implementation) {
  const Kernel probe(kernel, implementation);
  return Device(probe.table().backend + device_part(implementation));
}

TimedKernel::TimedKernel(const std::string& kernel, const std::string& implementation, const std::string& variant,
                         const Parameters& parameters, const Device* device)
    : kernel_(kernel, implementation, device), record_(record_of(kernel_)) {
  if (!variant.empty() && find_parameter(kernel_.table(), "variant")) {
    kernel_.choose("variant", variant);
    record_.variant = variant;
  }
  for (const auto& parameter : parameters) set_parameter(kernel_, parameter);
  record_.parameters = parameters;
}

void add_or_join(std::vector<Row>& rows, Row row) {
  const auto same = std::find_if(rows.begin(), rows.end(), [&](const Row& other) { return other.kernel == row.kernel; });
  if (same == rows.end()) {
    rows.push_back(std::move(row));
    return;
  }
  same->samples_s.insert(same->samples_s.end(), row.samples_s.begin(), row.samples_s.end());
  same->flops += row.flops;
  same->bytes += row.bytes;
  same->merit.count += row.merit.count;
  if (!same->failed() &&
      (row.failed() || (row.verification.verified() && row.verification.max_relative_error > same->verification.max_relative_error)))
    same->verification = row.verification;
}

void TimedKernel::run() {
  record_.samples_s.push_back(kernel_.run());
  const suite_cost cost = kernel_.cost();
  record_.flops += cost.flops;
  record_.bytes += cost.bytes;
  record_.merit.count += kernel_.merit();
}

void TimedKernel::add_to(std::vector<Row>& records) const {
  if (!used()) return;
  records.push_back(record_);
  auto& samples = records.back().samples_s;
  const size_t batch = (samples.size() + most_samples - 1) / most_samples;
  std::vector<double> sums((samples.size() + batch - 1) / batch, 0.0);
  for (size_t i = 0; i < samples.size(); ++i) sums[i / batch] += samples[i];
  samples = sums;
}

}  // namespace suite::app
