// SPDX-License-Identifier: BSD-3-Clause
// Reads tables of NVIDIA's profiler: the output of `ncu --csv --page raw` (one column per metric, units in the second row), and the
// layout with one row per metric that other pages and versions use.
#pragma once

#include <string>
#include <vector>

namespace suite::app {

// One launch of a kernel, or the mean of several.
struct ProfiledKernel {
  std::string name;
  int launches = 1;
  double seconds = 0, flops = 0;             // flops: an FMA counts 2, in both precisions
  double flops_single = 0;                   // the part in single precision
  double l1_B = -1, l2_B = -1, dram_B = -1;  // -1: not measured
};

// The name without return type, namespaces and arguments: "sigma_v9<double>" for
// "void suite::gpp::<unnamed>::sigma_v9<double>(const double *, long)".
std::string short_name(const std::string& kernel);

// The metrics needed, for the ncu command line and for messages.
extern const char* const ncu_metrics;

// Kernels in the order of their first launch, each averaged over its launches. name: file name for messages. Throws Failure (invalid
// argument) with file and line if the text is no such table.
std::vector<ProfiledKernel> read_ncu(const std::string& name, const std::string& text);

}  // namespace suite::app
