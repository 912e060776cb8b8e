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
  const char* missing;             // reason if make is nullptr
};
const std::vector<Registered>& registered_apps();

// A feature found at configure time, or why it is missing: "OpenCL", "headers or loader not found".
struct Feature {
  const char *name, *state;
};
const std::vector<Feature>& features();

std::vector<std::string> app_names();  // apps in this build
// Throws Failure (not found) with the reason if the app is unknown or not in this build.
std::unique_ptr<App> make_app(const std::string& name);

}  // namespace suite::app
