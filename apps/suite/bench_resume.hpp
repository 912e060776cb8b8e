// SPDX-License-Identifier: BSD-3-Clause
// Reads what a benchmark that ended early has finished (--resume DIR).
#pragma once

#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include "measure/result_blocks.hpp"
#include "options.hpp"

namespace suite::app {

struct Finished {
  std::filesystem::path folder;
  std::vector<std::string> words;  // of its command line, with the options given now
  std::string started;
  std::vector<std::string> resumed;                                 // UTC times at which it was resumed
  std::vector<RowBlock> blocks;                                     // without those cut off by a time limit
  using Key = std::tuple<std::string, std::string, int>;            // kernel, size, threads
  std::vector<Key> keys;                                            // one per block
  int threads = 0;                                                  // if no option sets them
  bool failed = false;                                              // whether a candidate failed verification
  bool has(const std::string& kernel, const std::string& size, int threads) const;
};
// Reads --resume DIR. Refuses results of another kind, of another machine, or of plugins that have changed since: their times are not
// comparable.
Finished read_finished(const Arguments& arguments);

}  // namespace suite::app
