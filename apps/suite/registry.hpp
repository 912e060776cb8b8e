// SPDX-License-Identifier: BSD-3-Clause
// The apps of this build. The table is generated from the folders under apps/.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/app.hpp"

namespace suite::app {

struct Registered {
  const char* name;
  std::unique_ptr<App> (*make)();  // nullptr: not in this build
  const char* missing;             // then the reason
};
const std::vector<Registered>& registered_apps();

// What was found when this was built, or the reason why it is missing: "OpenCL", "headers or loader not found".
struct Feature {
  const char *name, *state;
};
const std::vector<Feature>& features();

std::vector<std::string> app_names();  // those that can run
// Throws Failure (not found) with the reason when the app is not in this build or unknown.
std::unique_ptr<App> make_app(const std::string& name);

}  // namespace suite::app
