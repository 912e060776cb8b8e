// SPDX-License-Identifier: BSD-3-Clause
// A typical call of dfpt.sum_up for an input, to verify and compare implementations on.
#pragma once

#include "base/app.hpp"
#include "settings.hpp"

namespace suite::all_electron {

app::App::Sample typical_call(const Settings& settings);

}  // namespace suite::all_electron
