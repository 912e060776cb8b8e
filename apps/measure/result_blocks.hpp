// SPDX-License-Identifier: BSD-3-Clause
// Parts of results besides single rows: blocks of rows, and comparisons with published numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "row.hpp"

namespace suite::app {

// Rows on the same arguments, or the steps of one implementation.
struct RowBlock {
  std::string kernel, size, verified_at;
  uint64_t seed = 0;
  int threads = 0;
  double fma_flop_per_s = 0;
  std::vector<Row> rows;
  std::vector<LeftOut> left_out;
  std::string ended_early;  // "the time limit came after 3 of 11 rounds"; "": all rounds were done
  std::optional<double> wall_s;
  std::string implementation, backend, device, plugin;  // of a ladder
  Parameters parameters;
};

// A number checked by `suite validate`.
struct PublishedCheck {
  std::string name, quantity, deviation, verdict, source;  // name: of the case
  double value = 0, error = 0;
  std::optional<double> expected, below;
};

}  // namespace suite::app
