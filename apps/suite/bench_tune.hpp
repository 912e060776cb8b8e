// SPDX-License-Identifier: BSD-3-Clause
// `suite bench KERNEL --tune`: tries the knobs of each implementation and keeps what is faster than the
// default ones.
#pragma once

#include <string>
#include <vector>

#include "measure/parameters.hpp"
#include "options.hpp"

namespace suite::app {

// Values to try in place of the default one, of a parameter that only says how something is computed: every
// other choice that is held to the tolerance of the interface; a quarter, half, twice and four times a
// number; powers of two where the default 0 leaves it to the implementation. Empty for what is no such knob.
std::vector<std::string> values_to_try(const suite_parameter& parameter);

int tune_benchmark(const Arguments& arguments);

}  // namespace suite::app
