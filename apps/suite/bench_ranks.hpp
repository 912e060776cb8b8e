// SPDX-License-Identifier: BSD-3-Clause
// Measures one kernel on all ranks simultaneously, as started by `suite bench KERNEL --scaling` under mpirun.
#pragma once

#include <string>

#include "options.hpp"

namespace suite::app {

// The size a rank works on: the whole size (weak scaling), or its share along --along (strong scaling). Throws UsageError if it cannot be
// divided.
std::string size_on_rank(const Arguments& arguments, const std::string& kernel, int rank, int ranks);

int measure_ranks(const Arguments& arguments);

}  // namespace suite::app
