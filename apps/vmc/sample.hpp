// SPDX-License-Identifier: BSD-3-Clause
// A representative call of qmc.sweep for an input, to verify and compare implementations.
#pragma once

#include "base/app.hpp"
#include "settings.hpp"

namespace suite::vmc {

app::App::Sample typical_call(const Settings& settings);

}  // namespace suite::vmc
