// SPDX-License-Identifier: BSD-3-Clause
// What a measuring verb (compare, bench, ladder, roofline) leaves behind, as `run` does: a folder of its own
// with result.json. Both are there from the first save on, so that an interrupt or a crash loses what came
// after the last save only, and leaves nothing where nothing was saved.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "measure/result.hpp"
#include "interrupt.hpp"
#include "options.hpp"

namespace suite::app {

class ResultFolder {
public:
  // results/<verb>-<what>-<time>, or --output, which is tried and made when it is needed. Opened once nothing
  // is wrong with the command line, before anything is measured. schema: "suite-bench-1".
  ResultFolder(const Arguments& arguments, const char* schema, const std::string& what);
  // Goes on in the folder of an earlier run of the same kind, which began at that time (UTC).
  ResultFolder(const Arguments& arguments, const char* schema, const std::filesystem::path& folder, const std::string& started);
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;

  const std::filesystem::path& path();              // makes the folder where it is not there yet
  Provenance& provenance() { return provenance_; }  // for the input, where there is one
  // What served: its plugin goes into the provenance.
  void used(const Row& record);
  // result.json with what has been found so far, under status "interrupted": that stays where the program
  // does not come to its end.
  void save(const nlohmann::ordered_json& body);
  // The end: status "ok" or "failed" (a candidate was wrong), results/last points here, the object goes to
  // standard output with --json, a line that says where it is without --json and --quiet. Returns the exit
  // code.
  int end(const nlohmann::ordered_json& body, bool failed);
  // The end by a signal: the status stays "interrupted", the object goes to standard output with --json.
  // Returns the exit code.
  int interrupted(const nlohmann::ordered_json& body, int signal);

private:
  void remove_empty() const;  // what this run has made, where nothing is in it
  std::string text(const char* status, const nlohmann::ordered_json& body) const;
  void write(const std::string& text);
  const Arguments& arguments_;
  std::string schema_, name_;
  double begin_s_, begin_cpu_s_;
  Provenance provenance_;
  std::vector<Row> used_;  // one of each plugin
  // Folders that --output or results/ needs and that were not there before, innermost first.
  std::vector<std::filesystem::path> missing_;
  std::filesystem::path folder_;
  InterruptNote note_;
};

}  // namespace suite::app
