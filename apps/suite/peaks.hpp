// SPDX-License-Identifier: BSD-3-Clause
// What makers of devices publish: peaks that a roofline shows dashed beside the measured ceilings.
#pragma once

#include <string>
#include <vector>

namespace suite::app {

struct Peak {
  std::string name;            // "fp64", "fp32", "dram", "l1", "l2", "l3"
  double per_s = 0;            // flop/s of fp64 and fp32, else B/s
  std::string device, source;  // "given with --peak" where the user wrote the number
  bool is_bandwidth() const { return name != "fp64" && name != "fp32"; }
};

// --peak: a device of inputs/data/devices.yaml ("a100-sxm4-40gb"), or numbers with their units
// ("fp64=9.7TFLOP/s,dram=1555GB/s"). Throws UsageError.
std::vector<Peak> given_peaks(const std::string& text);

}  // namespace suite::app
