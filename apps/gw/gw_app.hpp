// SPDX-License-Identifier: BSD-3-Clause
// The gw app for the command line: its input keys, and a run from an input to the files of output.hpp.
#pragma once

#include "base/app.hpp"
#include "gw.hpp"

namespace suite::gw {

// The keys of an input, in the order in which they are explained.
const std::vector<app::Key>& input_keys();

// The settings that an input means. What is wrong with it goes to input.fail(); the caller finishes the
// input.
Settings read_settings(const app::Input& input);

const app::App& gw_app();

}  // namespace suite::gw

namespace suite::app {
std::unique_ptr<App> make_gw();
}
