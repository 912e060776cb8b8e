// SPDX-License-Identifier: BSD-3-Clause
// One kernel on all ranks at the same time, as `suite bench KERNEL --scaling` starts it under mpirun.
#pragma once

#include <string>

#include "options.hpp"

namespace suite::app {

// The size that a rank works on: the whole one (weak), or its share along --along (strong). Throws UsageError
// where it cannot be divided.
std::string size_on_rank(const Arguments& arguments, const std::string& kernel, int rank, int ranks);

int measure_ranks(const Arguments& arguments);

}  // namespace suite::app
