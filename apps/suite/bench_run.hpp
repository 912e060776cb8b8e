// SPDX-License-Identifier: BSD-3-Clause
// `suite bench`: runs the blocks of a plan one after the other, within a time limit, and resumes an earlier run.
#pragma once

#include "options.hpp"

namespace suite::app {

// Runs the benchmark and writes its own result folder. Returns the exit code.
int run_benchmark(const Arguments& arguments);
// Resumes a run that ended early (--resume DIR), with its options.
int resume_benchmark(const Arguments& arguments);
// Prints the plan with memory and time. Runs no kernel, except the ceiling's if no earlier result gives a time.
int report_plan(const Arguments& arguments);

}  // namespace suite::app
