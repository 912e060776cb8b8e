// SPDX-License-Identifier: BSD-3-Clause
// The tddft app for the command line.
#pragma once

#include "base/app.hpp"

namespace suite::app {
std::unique_ptr<App> make_tddft();
}
