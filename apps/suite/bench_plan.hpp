// SPDX-License-Identifier: BSD-3-Clause
// What `suite bench` is asked to measure: kernels, sizes and numbers of threads, block by block, before
// anything runs.
#pragma once

#include <string>
#include <vector>

#include "options.hpp"

namespace suite::app {

// A name for a set of options. What the user gives besides wins.
struct Preset {
  const char *name, *options, *meaning;
};
const std::vector<Preset>& presets();
// The arguments with those of --preset put to them.
Arguments with_preset(const Arguments& arguments);

// "published,ncouls=1000/2000,nw=1..3" as the six sizes that it stands for: alternatives are separated by
// slashes, ranges are A..B, A..B+STEP or A..BxFACTOR.
std::vector<std::string> expand_size(const std::string& text);
// "1,2,4..16x2" as numbers from low to high, in the order given. Throws UsageError that names the option.
std::vector<int> expand_numbers(const std::string& text, const std::string& option, int low, int high);

// "gpp.yaml": by its name, no kernel.
bool is_input(const std::string& name);

// One input of one kernel, on which the candidates stand side by side.
struct Block {
  std::string kernel, size;
  int threads = 0;           // 0: as the environment has them
  std::string name() const;  // "gpp.sigma standard, 2 threads"
};
// The blocks in the order in which they run. Without a kernel, all that have a reference: one of each family
// in turn, those with steps of a ladder first, so that a run that ends early has seen every family. Throws
// Failure for an unknown kernel and for a size that no kernel knows.
std::vector<Block> plan_blocks(const Arguments& arguments);

// What is wrong with a size of a kernel, as its own sentence; "" where it knows the size.
std::string trouble_with(const std::string& kernel, const std::string& size);

}  // namespace suite::app
