// SPDX-License-Identifier: BSD-3-Clause
// The manual page suite(1), generated from the tables of verbs, options, apps and exit codes.
#pragma once

#include <string>

namespace suite::app {

std::string manual_page();

}  // namespace suite::app
