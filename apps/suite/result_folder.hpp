// SPDX-License-Identifier: BSD-3-Clause
// What a measuring verb (compare, bench, ladder, roofline) leaves behind, as `run` does: a folder of its own
// with result.json, there from the first save on, so that an interrupt or a crash loses what came after the
// last save only.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "common/result.hpp"
#include "interrupt.hpp"
#include "options.hpp"

namespace suite::app {

class ResultFolder {
public:
  // Makes results/<verb>-<what>-<time>, or --output. Opened once nothing is wrong with the command line,
  // before anything is measured. schema: "suite-bench-1".
  ResultFolder(const Arguments& arguments, const char* schema, const std::string& what);
  // Goes on in the folder of an earlier run of the same kind, which began at that time (UTC).
  ResultFolder(const Arguments& arguments, const char* schema, const std::filesystem::path& folder, const std::string& started);
  // Nothing saved: the folder goes again.
  ~ResultFolder();
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;

  const std::filesystem::path& path() const { return folder_; }
  Provenance& provenance() { return provenance_; }  // for the input, where there is one
  // What served: its plugin goes into the provenance.
  void used(const KernelRecord& record);
  // result.json with what has been found so far, under status "interrupted": that stays where the program
  // does not come to its end.
  void save(const nlohmann::ordered_json& body);
  // The end: status "ok" or "failed" (a contender was wrong), results/last points here, the object goes to
  // standard output with --json, a line that says where it is without --json and --quiet. Returns the exit
  // code.
  int end(const nlohmann::ordered_json& body, bool failed);

private:
  void begin();
  void tell_interrupts();  // what is said then: whether anything is there
  nlohmann::ordered_json object(const char* status, const nlohmann::ordered_json& body) const;
  const Arguments& arguments_;
  std::string schema_;
  double begin_s_, begin_cpu_s_;
  Provenance provenance_;
  std::vector<KernelRecord> used_;  // one of each plugin
  bool fresh_ = true, saved_ = false;
  std::filesystem::path folder_;
  std::unique_ptr<InterruptNote> note_;
};

}  // namespace suite::app
