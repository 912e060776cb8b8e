// SPDX-License-Identifier: BSD-3-Clause
// `suite bench KERNEL --tune`: tries the knobs of each implementation and stores settings faster than the defaults.
#pragma once

#include <string>
#include <vector>

#include "measure/parameters.hpp"
#include "options.hpp"

namespace suite::app {

// Values to try instead of the default of a parameter that affects only how something is computed: every other choice held to the
// tolerance of the interface; a quarter, half, twice and four times a number; powers of two if the default is 0 (automatic). Empty for
// parameters that are no such knobs.
std::vector<std::string> values_to_try(const suite_parameter& parameter);

int tune_benchmark(const Arguments& arguments);

}  // namespace suite::app
