// SPDX-License-Identifier: BSD-3-Clause
// A call of lfd.propagate representative of an input, to compare implementations without a ground state.
#pragma once

#include "base/app.hpp"
#include "settings.hpp"

namespace suite::tddft {

app::App::Sample typical_call(const Settings& settings);

}  // namespace suite::tddft
