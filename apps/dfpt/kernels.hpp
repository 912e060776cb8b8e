// SPDX-License-Identifier: BSD-3-Clause
// Open kernels of family dfpt: on one device, of one implementation, with one row of result.json each.
#pragma once

#include <list>
#include <map>
#include <string>
#include <vector>

#include "base/app.hpp"
#include "measure/timed_kernel.hpp"

namespace suite::all_electron {

class Kernels {
public:
  explicit Kernels(const app::Context& context);

  const std::string& implementation() const { return implementation_; }
  const Device& device() const { return device_; }
  // Opens a separate call of dfpt.<name>, valid for the lifetime of this object or until closed. It gets those of the user's parameters
  // that it has, and of `preferred` those that the user has not set.
  app::TimedKernel& open(const std::string& name, const app::Parameters& preferred = {});
  // Releases a call's data; its row is kept.
  void close(const app::TimedKernel& kernel);
  // One row per kernel, all its calls combined.
  std::vector<app::Row> records() const;
  // Time of all calls so far, by kernel.
  std::map<std::string, double> seconds() const;

private:
  std::string implementation_, variant_;
  app::Parameters parameters_;
  Device device_;
  std::list<app::TimedKernel> open_;
  std::vector<app::Row> closed_;
};

// Unsets an optional argument.
void unset(Kernel& kernel, const char* argument);

template <class T> void set(Kernel& kernel, const char* argument, const std::vector<T>& values, Extents extents) {
  kernel.set(argument, values.data(), extents);
}

}  // namespace suite::all_electron
