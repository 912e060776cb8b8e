// SPDX-License-Identifier: BSD-3-Clause
// The page of `suite history`: the figure, and a table of each series.
#pragma once

#include <string>

#include "measure/history.hpp"

namespace suite::report {

std::string history_page(const app::history::History& history);

}  // namespace suite::report
