// SPDX-License-Identifier: BSD-3-Clause
// What a benchmark that ended early has left behind.
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
  std::vector<std::string> words;  // of its command line, with what is given now
  std::string started;
  std::vector<std::string> resumed;                                 // when it was gone on with, UTC
  std::vector<RowBlock> blocks;                                     // without those that a time limit cut off
  using Key = std::tuple<std::string, std::string, int>;            // kernel, size, threads
  std::vector<Key> keys;                                            // of the blocks
  int threads = 0;                                                  // where no option says them
  bool failed = false;                                              // one of its candidates was wrong
  bool has(const std::string& kernel, const std::string& size, int threads) const;
};
// Of --resume DIR. Refuses a result of another kind, and one of another machine or of plugins that have
// changed since: times of two of them do not belong into one table.
Finished read_finished(const Arguments& arguments);

}  // namespace suite::app
