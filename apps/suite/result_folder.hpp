// SPDX-License-Identifier: BSD-3-Clause
// The result folder of a measuring verb (compare, bench, ladder, roofline) with its result.json. Both exist from the first save on, so
// that an interrupt or crash loses only what came after the last save; nothing is left if nothing was saved.
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
  // results/<verb>-<what>-<time>, or --output, checked now and created when needed. Construct it after the command line has been checked
  // and before anything is measured. schema: "suite-bench-1".
  ResultFolder(const Arguments& arguments, const char* schema, const std::string& what);
  // Continues in the folder of an earlier run of the same kind, started at that time (UTC).
  ResultFolder(const Arguments& arguments, const char* schema, const std::filesystem::path& folder, const std::string& started);
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;

  const std::filesystem::path& path();              // creates the folder if it does not exist yet
  Provenance& provenance() { return provenance_; }  // for the input, if there is one
  // Adds the plugin of a row to the provenance.
  void used(const Row& record);
  // Writes result.json with the results so far and status "interrupted", which remains if the program does not finish.
  void save(const nlohmann::ordered_json& body);
  // Finishes: status "ok" or "failed" (a candidate was wrong), points results/last here, prints the object with --json, its rows with --csv, or
  // else the path unless --quiet is given. Returns the exit code.
  int end(const nlohmann::ordered_json& body, bool failed);
  // Finishes after a signal: the status stays "interrupted"; prints the object with --json. Returns the exit code.
  int interrupted(const nlohmann::ordered_json& body, int signal);

private:
  void remove_empty() const;  // removes the folders made by this run if they are empty
  nlohmann::ordered_json document(const char* status, const nlohmann::ordered_json& body) const;
  void write(const nlohmann::ordered_json& document);
  const Arguments& arguments_;
  std::string schema_, name_;
  double begin_s_, begin_cpu_s_;
  Provenance provenance_;
  std::vector<Row> used_;  // one row per plugin
  // Folders required by --output or results/ that did not exist, innermost first.
  std::vector<std::filesystem::path> missing_;
  std::filesystem::path folder_;
  InterruptNote note_;
};

}  // namespace suite::app
