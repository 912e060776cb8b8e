// SPDX-License-Identifier: BSD-3-Clause
#include "result.hpp"

#include <map>
#include <unistd.h>

#include <suite/deterministic.hpp>
#include <suite/suite.h>

#include "io.hpp"
#include "suite_git.hpp"  // generated at build time: the commit

namespace suite::app {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

fs::path make_run_folder(const std::string& name, const fs::path& asked) {
  std::error_code error;
  if (!asked.empty()) {
    if (fs::exists(asked, error) && !fs::is_directory(asked, error))
      throw Failure(SUITE_INVALID_ARGUMENT, "--output '" + asked.string() + "' exists and is not a folder");
    if (fs::is_directory(asked, error) && !fs::is_empty(asked, error))
      throw Failure(SUITE_INVALID_ARGUMENT, "--output '" + asked.string() + "' is not empty; results are never overwritten");
    fs::create_directories(asked, error);
    if (error) throw IoFailure("cannot make the folder '" + asked.string() + "': " + error.message());
    if (::access(asked.c_str(), W_OK | X_OK) != 0) throw IoFailure("cannot write into '" + asked.string() + "'");
    return asked;
  }
  fs::create_directories("results", error);
  if (error) throw IoFailure("cannot make the folder 'results': " + error.message() + "; --output DIR chooses another place");
  const std::string stem = "results/" + name + "-" + utc_time(true);
  for (int n = 1; n < 10000; ++n) {
    const fs::path folder = n == 1 ? stem : stem + "-" + std::to_string(n);
    if (fs::create_directory(folder, error)) return folder;  // false when it exists already
    if (error) throw IoFailure("cannot make the folder '" + folder.string() + "': " + error.message() + "; --output DIR chooses another place");
  }
  throw IoFailure("cannot make a new folder '" + stem + "': 9999 exist");
}

void point_last_at(const fs::path& folder) {
  if (folder.parent_path() != "results") return;
  std::error_code error;
  const fs::path fresh = "results/.last" + std::to_string(::getpid());
  fs::create_symlink(folder.filename(), fresh, error);
  if (!error) fs::rename(fresh, "results/last", error);
  if (error) fs::remove(fresh, error);  // a convenience only: file systems without links have none
}

std::string version_text() {
  const std::string commit = SUITE_GIT_COMMIT;
  return std::string(suite_version()) + (commit.empty() ? "" : " (" + commit + ")");
}

ordered_json kernel_json(const KernelRecord& r) {
  double total = 0;
  for (double s : r.samples_s) total += s;
  ordered_json j{{"kernel", r.kernel},
                 {"implementation", r.implementation},
                 {"backend", r.backend},
                 {"variant", r.variant},
                 {"device", r.device},
                 {"samples_s", r.samples_s},
                 {"better", "lower"},
                 {"total_s", total},
                 {"flops", r.flops},
                 {"bytes", r.bytes},
                 {"merit", merit_json(r.merit, total)}};
  j["verification"] = {{"status", r.verification.empty() ? "not checked" : r.verification}, {"max_relative_error", r.max_relative_error}};
  if (!r.detail.empty()) j["verification"]["detail"] = r.detail;
  for (const auto& [name, value] : r.parameters) j["parameters"][name] = value;
  if (!r.energy_J.empty()) {
    j["energy_J"] = r.energy_J;
  } else if (!r.energy_why.empty()) {
    j["energy_J"] = nullptr;
    j["energy_why"] = r.energy_why;
  }
  return j;
}

ordered_json provenance_json(const Provenance& p, const Machine& m, const std::vector<KernelRecord>& kernels) {
  ordered_json j{{"suite_version", suite_version()}, {"suite_commit", SUITE_GIT_COMMIT}};
  std::map<std::string, bool> files;
  for (const auto& k : kernels)
    if (!k.plugin_file.empty()) files[k.plugin_file] = true;
  // The tables of the plugins that served, found again by their files.
  struct Seen {
    std::map<std::string, bool>* files;
    ordered_json plugins = ordered_json::array();
  } seen{&files, ordered_json::array()};
  if (!files.empty())
    suite_visit(
        [](void* with, const char* file, const suite_plugin* plugin, const char*) {
          auto& s = *static_cast<Seen*>(with);
          if (plugin && s.files->count(file))
            s.plugins.push_back({{"file", file}, {"version", plugin->version}, {"compiler", plugin->compiler}});
        },
        &seen);
  for (const auto& [file, unused] : files) {
    char digits[65] = {};
    suite_error error{};
    bool listed = false;
    for (auto& plugin : seen.plugins)
      if (plugin["file"] == file) {
        listed = true;
        if (suite_hash_file(file.c_str(), digits, &error) == SUITE_OK) plugin["sha256"] = digits;
      }
    if (!listed) {
      seen.plugins.push_back({{"file", file}});
      if (suite_hash_file(file.c_str(), digits, &error) == SUITE_OK) seen.plugins.back()["sha256"] = digits;
    }
  }
  j["plugins"] = seen.plugins;
  j["host"] = {{"name", m.name}, {"cpu", m.cpu}, {"simd", m.simd}, {"cores", m.cores}, {"memory_B", m.memory_B}, {"system", m.system}};
  j["threads"] = p.threads;
  j["ranks"] = p.ranks;
  if (!p.devices.empty()) j["devices"] = p.devices;
  j["deterministic"] = deterministic_wanted();
  j["input"] = {{"file", p.input_file}, {"sha256", p.input_sha256}};
  j["overrides"] = p.overrides;
  j["command_line"] = p.command_line;
  j["utc"] = p.started;
  return j;
}

}  // namespace suite::app
