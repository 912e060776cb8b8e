// SPDX-License-Identifier: BSD-3-Clause
// suite report RESULT --figures DIR: the figures of results as files for publications, each with its data and a script.
#pragma once

#include <vector>

#include "measure/result_file.hpp"
#include "options.hpp"

namespace suite::app {

// Returns the exit code. Throws UsageError for wrong options, IoFailure, and Failure (unsupported) where a format needs a program that is
// not installed, after writing everything else.
int export_figures(const Arguments& arguments, const std::vector<stored::Result>& results);

}  // namespace suite::app
