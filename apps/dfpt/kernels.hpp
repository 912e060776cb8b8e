// SPDX-License-Identifier: BSD-3-Clause
// The kernels of family dfpt as the app has them open: on one device, of one implementation, with one row of
// result.json each.
#pragma once

#include <list>
#include <string>
#include <vector>

#include "base/app.hpp"
#include "measure/timed_kernel.hpp"

namespace suite::all_electron {

class Kernels {
public:
  explicit Kernels(const app::Context& context);

  const Device& device() const { return device_; }
  // A call of its own of dfpt.<name>, which stays open as long as this or until it is closed. Of the
  // parameters set by the user it gets those that it has.
  app::TimedKernel& open(const std::string& name);
  // Gives up what a call keeps; its row stays.
  void close(const app::TimedKernel& kernel);
  // A row for each kernel, all its calls together.
  std::vector<app::Row> records() const;

private:
  std::string implementation_, variant_;
  app::Parameters parameters_;
  Device device_;
  std::list<app::TimedKernel> open_;
  std::vector<app::Row> closed_;
};

// Takes an optional argument away.
void unset(Kernel& kernel, const char* argument);

template <class T> void set(Kernel& kernel, const char* argument, const std::vector<T>& values, Extents extents) {
  kernel.set(argument, values.data(), extents);
}

}  // namespace suite::all_electron
