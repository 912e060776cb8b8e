// SPDX-License-Identifier: BSD-3-Clause
#include "result_folder.hpp"

#include <algorithm>
#include <iostream>

#include "common/machine.hpp"
#include "exit_codes.hpp"

namespace suite::app {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

ResultFolder::ResultFolder(const Arguments& arguments, const char* schema, const std::string& what)
    : arguments_(arguments), schema_(schema), begin_s_(wall_s()), begin_cpu_s_(cpu_s()) {
  provenance_.started = utc_time(false);
  const fs::path asked = arguments.get("--output");
  std::error_code error;
  fresh_ = asked.empty() || !fs::exists(asked, error);
  folder_ = make_run_folder(arguments.verb() + "-" + what, asked);
  begin();
}

ResultFolder::ResultFolder(const Arguments& arguments, const char* schema, const fs::path& folder, const std::string& started)
    : arguments_(arguments), schema_(schema), begin_s_(wall_s()), begin_cpu_s_(cpu_s()), fresh_(false), folder_(folder) {
  provenance_.started = started;
  begin();
}

void ResultFolder::begin() {
  provenance_.command_line = arguments_.words();
  provenance_.command_line.insert(provenance_.command_line.begin(), "suite");
  tell_interrupts();
}

void ResultFolder::tell_interrupts() {
  std::error_code error;
  const bool any = fs::exists(folder_ / "result.json", error);
  note_.reset();  // the old one's end would take the new one's handlers away
  note_ = std::make_unique<InterruptNote>(any ? "suite: interrupted; what was finished is in " + folder_.string()
                                              : "suite: interrupted; nothing had been finished");
}

ResultFolder::~ResultFolder() {
  std::error_code error;
  if (saved_ || !fresh_) return;
  fs::remove(folder_, error);
  if (folder_.parent_path() == "results") fs::remove("results", error);  // only where it is empty now
}

void ResultFolder::used(const KernelRecord& record) {
  const auto same = [&](const KernelRecord& r) { return r.plugin_file == record.plugin_file; };
  if (std::none_of(used_.begin(), used_.end(), same)) used_.push_back(record);
}

ordered_json ResultFolder::object(const char* status, const ordered_json& body) const {
  ordered_json j{{"schema", schema_}, {"status", status}};
  j.update(body);
  j["times"] = {{"wall_s", wall_s() - begin_s_}, {"cpu_s", cpu_s() - begin_cpu_s_}};
  Provenance provenance = provenance_;
  provenance.threads = threads_in_use();
  j["provenance"] = provenance_json(provenance, machine(), used_);
  j["folder"] = folder_.string();
  return j;
}

void ResultFolder::save(const ordered_json& body) {
  write_text_file(folder_ / "result.json", object("interrupted", body).dump(2) + "\n");
  if (!saved_) tell_interrupts();
  saved_ = true;
}

int ResultFolder::end(const ordered_json& body, bool failed) {
  const std::string text = object(failed ? "failed" : "ok", body).dump(2) + "\n";
  write_text_file(folder_ / "result.json", text);
  saved_ = true;
  point_last_at(folder_);
  if (arguments_.has("--json"))
    std::cout << text;
  else if (!arguments_.has("--quiet"))
    std::cout << "results in " << folder_.string() << "\n";
  if (failed) std::cerr << "suite: verification failed (exit " << exit_verification << ")\n";
  return failed ? exit_verification : exit_ok;
}

}  // namespace suite::app
