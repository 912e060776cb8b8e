// SPDX-License-Identifier: BSD-3-Clause
#include "result_folder.hpp"

#include <algorithm>
#include <iostream>

#include "common/io.hpp"
#include "common/json_text.hpp"
#include "common/machine.hpp"
#include "documents.hpp"
#include "exit_codes.hpp"
#include "junit.hpp"

namespace suite::app {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

namespace {

std::vector<std::string> command_line(const Arguments& arguments) {
  std::vector<std::string> words = arguments.words();
  words.insert(words.begin(), "suite");
  return words;
}

std::string finished_in(const fs::path& folder) { return "suite: interrupted; partial results are in " + folder.string(); }

}  // namespace

ResultFolder::ResultFolder(const Arguments& arguments, const char* schema, const std::string& what)
    : arguments_(arguments),
      schema_(schema),
      name_(arguments.verb() + "-" + what),
      begin_s_(wall_s()),
      begin_cpu_s_(cpu_s()),
      note_("suite: interrupted; there are no results yet") {
  provenance_.command_line = command_line(arguments);
  provenance_.utc = utc_time(false);
  std::error_code error;
  const std::string asked = arguments.get("--output");
  for (fs::path p = asked.empty() ? "results" : asked; !p.empty() && !fs::exists(p, error); p = p.parent_path()) missing_.push_back(p);
  path();
  remove_empty();
  folder_.clear();
}

ResultFolder::ResultFolder(const Arguments& arguments, const char* schema, const fs::path& folder, const std::string& started)
    : arguments_(arguments), schema_(schema), begin_s_(wall_s()), begin_cpu_s_(cpu_s()), folder_(folder), note_(finished_in(folder)) {
  provenance_.command_line = command_line(arguments);
  provenance_.utc = started;
}

const fs::path& ResultFolder::path() {
  if (folder_.empty()) folder_ = make_run_folder(name_, arguments_.get("--output"));
  return folder_;
}

void ResultFolder::remove_empty() const {
  std::error_code error;  // ignored: folders that are not empty
  if (!arguments_.has("--output")) fs::remove(folder_, error);
  for (const auto& folder : missing_) fs::remove(folder, error);
}

void ResultFolder::used(const Row& record) {
  const auto same = [&](const Row& r) { return r.plugin_file == record.plugin_file; };
  if (std::none_of(used_.begin(), used_.end(), same)) used_.push_back(record);
}

ordered_json ResultFolder::document(const char* status, const ordered_json& body) const {
  ordered_json j{{"schema", schema_}, {"status", status}};
  j.update(body);
  Closing closing{{}, completed(provenance_, used_), folder_.string()};
  closing.times.wall_s = wall_s() - begin_s_;
  closing.times.cpu_s = cpu_s() - begin_cpu_s_;
  closing.provenance.threads = threads_in_use();
  j.update(json_of(closing));
  return j;
}

void ResultFolder::write(const ordered_json& document) {
  try {
    write_text_file(folder_ / "result.json", json_document(document));
  } catch (const IoFailure&) {
    remove_empty();
    throw;
  }
}

void ResultFolder::save(const ordered_json& body) {
  path();
  write(document("interrupted", body));
  note_.change(finished_in(folder_));
}

int ResultFolder::end(const ordered_json& body, bool failed) {
  path();
  const ordered_json object = document(failed ? "failed" : "ok", body);
  write(object);
  point_last_at(folder_);
  write_junit(arguments_, object);
  if (!print_document(arguments_, object) && !arguments_.has("--quiet")) std::cout << "results in " << folder_.string() << "\n";
  if (failed) std::cerr << "suite: verification failed (exit " << exit_verification << ")\n";
  return failed ? exit_verification : exit_ok;
}

int ResultFolder::interrupted(const ordered_json& body, int signal) {
  path();
  const ordered_json object = document("interrupted", body);
  write(object);
  write_junit(arguments_, object);
  print_document(arguments_, object);
  std::cerr << "\n" << finished_in(folder_) << "\n";
  return exit_code_of_signal(signal);
}

}  // namespace suite::app
