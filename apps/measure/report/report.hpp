// SPDX-License-Identifier: BSD-3-Clause
// The page that `suite report` makes of results: one file of HTML without scripts that needs no network. It
// says whether what was computed is right, which implementation is fastest, how far each is from the limit of
// its machine, and how all that was measured. The same results give the same page.
#pragma once

#include <string>
#include <vector>

#include "measure/result_file.hpp"

namespace suite::report {

std::string report_page(const std::vector<app::stored::Result>& results);

}  // namespace suite::report
