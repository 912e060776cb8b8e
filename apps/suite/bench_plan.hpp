// SPDX-License-Identifier: BSD-3-Clause
// The plan of `suite bench`: kernels, sizes and numbers of threads, block by block, determined before anything runs.
#pragma once

#include <string>
#include <vector>

#include "options.hpp"

namespace suite::app {

// A named set of options. Options given explicitly take precedence.
struct Preset {
  const char *name, *options, *meaning;
};
const std::vector<Preset>& presets();
// The arguments, extended by the options of --preset.
Arguments with_preset(const Arguments& arguments);

// Expands "published,ncouls=1000/2000,nw=1..3" into the six sizes it denotes: alternatives are separated by slashes, ranges are A..B,
// A..B+STEP or A..BxFACTOR.
std::vector<std::string> expand_size(const std::string& text);
// Expands "1,2,4..16x2" in the order given; each number must lie in [low, high]. Throws UsageError that names the option.
std::vector<int> expand_numbers(const std::string& text, const std::string& option, int low, int high);

// Whether the name is that of an input file ("gpp.yaml") rather than a kernel.
bool is_input(const std::string& name);

// One size of one kernel, on which the candidates are compared.
struct Block {
  std::string kernel, size;
  int threads = 0;           // 0: as set in the environment
  std::string name() const;  // "gpp.sigma standard, 2 threads"
};
// The blocks in the order in which they run. Without a kernel, all that have a reference: one of each family in turn, those with ladder
// steps first, so that a run that ends early covers every family. Throws Failure for an unknown kernel, and for a size that no kernel
// knows.
std::vector<Block> plan_blocks(const Arguments& arguments);

// The kernel's error message for a size; "" if it knows the size.
std::string trouble_with(const std::string& kernel, const std::string& size);

}  // namespace suite::app
