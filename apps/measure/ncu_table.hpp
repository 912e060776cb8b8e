// SPDX-License-Identifier: BSD-3-Clause
// Tables of NVIDIA's profiler: what `ncu --csv --page raw` prints (a column for each metric, units in the
// second row), and the same with a row for each metric, as other pages and versions of it have.
#pragma once

#include <string>
#include <vector>

namespace suite::app {

// One launch of a kernel, or the mean over several.
struct ProfiledKernel {
  std::string name;
  int launches = 1;
  double seconds = 0, flops = 0;             // flops: an FMA is 2, in both precisions
  double flops_single = 0;                   // of which in single precision
  double l1_B = -1, l2_B = -1, dram_B = -1;  // -1: was not measured
};

// The name without return type, namespaces and arguments: "sigma_v9<double>" of
// "void suite::gpp::<unnamed>::sigma_v9<double>(const double *, long)".
std::string short_name(const std::string& kernel);

// What the launches need: for the call of ncu, and for messages.
extern const char* const ncu_metrics;

// Kernels in the order of their first launch, each with the mean over its launches. name: of the file, for
// messages. Throws Failure (invalid argument) with file and line for what is no such table.
std::vector<ProfiledKernel> read_ncu(const std::string& name, const std::string& text);

}  // namespace suite::app
