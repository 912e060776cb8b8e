// SPDX-License-Identifier: BSD-3-Clause
// Reads the result files of suite (docs/results.md): result.json of run, compare, bench, ladder and roofline, and validation.json. The
// files are untrusted: invalid contents throw Failure (invalid argument) naming the file and the place in it, an unreadable file throws
// IoFailure.
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
  std::filesystem::path file, folder;  // folder: the one that contains the file
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
  std::string error;  // the message if status is "error"
  Value results;      // of a run: results of the app
  Value root;
};

// named: a file; a folder with result.json or validation.json; or "last", the newest run of this folder.
Result read_result(const std::string& named);
// The same from a text, for tests; name is used in messages.
Result parse_result(const std::string& name, const std::string& text);
// The blocks of a benchmark, ladder or roofline as stored in the file.
std::vector<RowBlock> read_blocks(const Result& result);
// Sets the names of all rows such that plugins with the same file name are distinct. Reading a result does this for its own rows; call it
// again for several results shown in one table.
void name_apart(const std::vector<Result*>& results);

}  // namespace suite::app::stored
