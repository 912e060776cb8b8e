// SPDX-License-Identifier: BSD-3-Clause
// One kernel on all ranks at the same time, as `suite bench KERNEL --scaling` starts it under mpirun.
#pragma once

#include "options.hpp"

namespace suite::app {

int measure_ranks(const Arguments& arguments);

}  // namespace suite::app
