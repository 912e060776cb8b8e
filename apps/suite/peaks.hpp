// SPDX-License-Identifier: BSD-3-Clause
// --peak: published peaks of devices.
#pragma once

#include <string>
#include <vector>

#include "measure/roofline.hpp"

namespace suite::app {

// Parses --peak: a device of inputs/data/devices.yaml ("a100-sxm4-40gb"), or numbers with units ("fp64=9.7TFLOP/s,dram=1555GB/s").
// Throws UsageError.
std::vector<Peak> given_peaks(const std::string& text);

}  // namespace suite::app
