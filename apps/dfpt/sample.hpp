// SPDX-License-Identifier: BSD-3-Clause
// A representative call of dfpt.sum_up for an input, to verify and compare implementations.
#pragma once

#include "base/app.hpp"
#include "settings.hpp"

namespace suite::all_electron {

app::App::Sample typical_call(const Settings& settings);

}  // namespace suite::all_electron
