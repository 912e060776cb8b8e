// SPDX-License-Identifier: BSD-3-Clause
#include "kernel_source.hpp"

#include <algorithm>
#include <span>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "measure/installed.hpp"

namespace suite::gw {

KernelSource::KernelSource(const std::string& implementation, const std::string& variant, const app::Parameters& parameters)
    : implementation_(implementation), variant_(variant), parameters_(parameters), device_(app::device_of("gpp.sigma", implementation)) {}

app::TimedKernel KernelSource::open_sigma() const { return {"gpp.sigma", implementation_, variant_, device_, parameters_}; }

app::TimedKernel KernelSource::open(const std::string& kernel) {
  try {
    return {kernel, implementation_, "", device_};
  } catch (const Failure& failure) {
    if (failure.status() != SUITE_NOT_FOUND) throw;
  }
  const std::string backend = open_sigma()->table().backend;
  const std::string substitute = app::find_implementation_on(kernel, backend + app::device_part(implementation_)).value_or("cpu");
  const std::string warning = implementation_ + " has no " + kernel + ": it runs on " + substitute;
  if (std::find(warnings_.begin(), warnings_.end(), warning) == warnings_.end()) warnings_.push_back(warning);
  if (substitute == "cpu") return {kernel, substitute, ""};
  return {kernel, substitute, "", device_};
}

void share_verification(const app::Communicator& world, app::Row& record) {
  std::vector<double> of_rank(2 * static_cast<size_t>(world.size()));
  of_rank[2 * world.rank()] = record.failed();
  of_rank[2 * world.rank() + 1] = record.verification.max_relative_error;
  world.sum(std::span<double>(of_rank));
  for (int rank = 0; rank < world.size(); ++rank) {
    if (!(of_rank[2 * rank + 1] <= record.verification.max_relative_error)) record.verification.max_relative_error = of_rank[2 * rank + 1];
    if (of_rank[2 * rank] == 0 || record.failed()) continue;
    record.verification.status = "failed";
    record.verification.detail = fmt::format("on process {}", rank);
  }
}

}  // namespace suite::gw
