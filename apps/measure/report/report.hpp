// SPDX-License-Identifier: BSD-3-Clause
// Renders results as the page of `suite report`: one HTML file without scripts that needs no network. It shows whether the results are
// correct, which implementation is fastest, how far each is from the limit of its machine, and how everything was measured. The same
// results give the same page.
#pragma once

#include <string>
#include <vector>

#include "measure/result_file.hpp"

namespace suite::report {

std::string report_page(const std::vector<app::stored::Result>& results);

}  // namespace suite::report
