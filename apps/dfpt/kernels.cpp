// SPDX-License-Identifier: BSD-3-Clause
#include "kernels.hpp"

#include <algorithm>

namespace suite::all_electron {

Kernels::Kernels(const app::Context& context)
    : implementation_(context.implementation),
      variant_(context.variant),
      parameters_(context.parameters),
      device_(app::device_of("dfpt.rho", context.implementation)) {}

app::TimedKernel& Kernels::open(const std::string& name, const app::Parameters& preferred) {
  open_.emplace_back("dfpt." + name, implementation_, variant_, device_);
  app::TimedKernel& kernel = open_.back();
  app::Parameters all = parameters_;
  for (const auto& parameter : preferred)
    if (std::ranges::find(parameters_, parameter.name, &app::Parameter::name) == parameters_.end()) all.push_back(parameter);
  for (const auto& parameter : all) {
    if (!app::find_parameter(kernel->table(), parameter.name)) continue;
    app::set_parameter(kernel.kernel(), parameter);
    kernel.record().parameters.push_back(parameter);
  }
  return kernel;
}

namespace {

void join(std::vector<app::Row>& rows, const app::TimedKernel& kernel) {
  std::vector<app::Row> one;
  kernel.add_to(one);
  if (!one.empty()) app::add_or_join(rows, std::move(one.front()));
}

}  // namespace

void Kernels::close(const app::TimedKernel& kernel) {
  join(closed_, kernel);
  open_.remove_if([&](const app::TimedKernel& other) { return &other == &kernel; });
}

std::vector<app::Row> Kernels::records() const {
  std::vector<app::Row> rows;
  for (const auto& kernel : open_) join(rows, kernel);
  for (const auto& row : closed_) app::add_or_join(rows, row);
  return rows;
}

std::map<std::string, double> Kernels::seconds() const {
  std::map<std::string, double> seconds;
  for (const auto& record : records())
    for (const double sample : record.samples_s) seconds[record.kernel] += sample;
  return seconds;
}

void unset(Kernel& kernel, const char* argument) { kernel.set(argument, suite::describe<double>(nullptr, {})); }

}  // namespace suite::all_electron
