// SPDX-License-Identifier: BSD-3-Clause
// Reads what suite has left behind (docs/results.md): result.json of a run, compare, bench, ladder, roofline,
// and validation.json. Such a file may come from anywhere, so nothing in it is believed: whatever is wrong
// with it is a Failure (invalid argument) that names the file and the place in it, a file that cannot be read
// an IoFailure.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "outcome.hpp"
#include "provenance.hpp"
#include "result_blocks.hpp"
#include "stored_value.hpp"

namespace suite::app::stored {

struct Result {
  std::filesystem::path file, folder;  // folder: the one that the file lies in
  std::string schema;                  // "result", "compare", "bench", "ladder", "validate", "roofline"
  int version = 0;
  std::string status;       // "ok", "failed", "error", "interrupted"
  std::string app, title;   // of a run
  std::string description;  // of a comparison
  std::vector<Row> rows;
  std::vector<LeftOut> left_out;
  std::vector<PublishedCheck> checks;
  std::vector<ConsistencyCheck> consistency;
  std::vector<Observable> observables;
  std::vector<std::string> warnings;
  std::map<std::string, double> ceilings;  // "fma_flop_per_s"
  Provenance provenance;
  Times times;
  std::string error;  // the message, where status is "error"
  Value results;      // of a run: the app's
  Value root;
};

// named: a file; a folder with result.json or validation.json in it; "last", the newest run of this folder.
Result read_result(const std::string& named);
// The same from a text, for tests; name is that of messages.
Result parse_result(const std::string& name, const std::string& text);
// The blocks of a benchmark, a ladder or a roofline, as they stand in the file.
std::vector<RowBlock> read_blocks(const Result& result);
// Sets the names of all rows, so that plugins of one file name differ in them. Done for one result by reading it; again for several
// that stand in one table.
void name_apart(const std::vector<Result*>& results);

}  // namespace suite::app::stored
