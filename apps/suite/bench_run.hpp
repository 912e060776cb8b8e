// SPDX-License-Identifier: BSD-3-Clause
// `suite bench`: the blocks of a plan one after the other, within a time limit, and going on where an earlier
// run ended.
#pragma once

#include "options.hpp"

namespace suite::app {

// Runs what is asked for and keeps it in a folder of its own. Returns the exit code.
int run_benchmark(const Arguments& arguments);
// Goes on with a run that ended early (--resume DIR), with the options it was given.
int resume_benchmark(const Arguments& arguments);
// Says what would run, with memory and time; runs no kernel but, where no earlier run says how long, the
// ceiling's.
int tell_benchmark(const Arguments& arguments);

}  // namespace suite::app
