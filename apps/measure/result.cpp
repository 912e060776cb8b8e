// SPDX-License-Identifier: BSD-3-Clause
#include "result.hpp"

#include <set>
#include <unistd.h>

#include <fmt/core.h>

#include <suite/deterministic.hpp>
#include <suite/suite.h>

#include "common/io.hpp"
#include "suite_git.hpp"  // generated at build time: the commit

namespace suite::app {

namespace fs = std::filesystem;

fs::path make_run_folder(const std::string& name, const fs::path& asked) {
  std::error_code error;
  if (!asked.empty()) {
    if (fs::exists(asked, error) && !fs::is_directory(asked, error))
      throw Failure(SUITE_INVALID_ARGUMENT, "--output '" + asked.string() + "' exists and is not a folder");
    if (fs::is_directory(asked, error) && !fs::is_empty(asked, error))
      throw Failure(SUITE_INVALID_ARGUMENT, "--output '" + asked.string() + "' is not empty; results are never overwritten");
    fs::create_directories(asked, error);
    if (error) throw IoFailure("cannot create the folder '" + asked.string() + "': " + error.message());
    if (::access(asked.c_str(), W_OK | X_OK) != 0) throw IoFailure("cannot write into '" + asked.string() + "'");
    return asked;
  }
  fs::create_directories("results", error);
  if (error) throw IoFailure("cannot create the folder 'results': " + error.message() + "; --output DIR chooses another place");
  const std::string stem = "results/" + name + "-" + utc_time(true);
  for (int n = 1; n < 10000; ++n) {
    const fs::path folder = n == 1 ? stem : fmt::format("{}-{}", stem, n);
    if (fs::create_directory(folder, error)) return folder;  // false if it exists already
    if (error)
      throw IoFailure("cannot create the folder '" + folder.string() + "': " + error.message() + "; --output DIR chooses another place");
  }
  throw IoFailure("cannot create a new folder '" + stem + "': 9999 exist");
}

void point_last_at(const fs::path& folder) {
  if (folder.parent_path() != "results") return;
  std::error_code error;
  const fs::path fresh = fmt::format("results/.last{}", ::getpid());
  fs::create_symlink(folder.filename(), fresh, error);
  if (!error) fs::rename(fresh, "results/last", error);
  if (error) fs::remove(fresh, error);  // optional: some file systems have no links
}

std::string version_text() {
  const std::string commit = SUITE_GIT_COMMIT;
  return std::string(suite_version()) + (commit.empty() ? "" : " (" + commit + ")");
}

namespace {

// The plugin files used, with the versions in their tables.
std::vector<PluginFile> plugin_files(const std::vector<Row>& rows) {
  std::set<std::string> files;
  for (const auto& row : rows)
    if (!row.plugin_file.empty()) files.insert(row.plugin_file);
  struct Seen {
    const std::set<std::string>* files;
    std::vector<PluginFile> plugins;
  } seen{&files, {}};
  if (!files.empty())
    suite_visit(
        [](void* with, const char* file, const suite_plugin* plugin, const char*) {
          auto& s = *static_cast<Seen*>(with);
          if (plugin && s.files->count(file)) s.plugins.push_back({file, plugin->version, plugin->compiler, ""});
        },
        &seen);
  for (const auto& plugin : seen.plugins) files.erase(plugin.file);
  for (const auto& file : files) seen.plugins.push_back({file, "", "", ""});
  for (auto& plugin : seen.plugins) {
    char digits[65] = {};
    suite_error error{};
    if (suite_hash_file(plugin.file.c_str(), digits, &error) == SUITE_OK) plugin.sha256 = digits;
  }
  return seen.plugins;
}

}  // namespace

Provenance completed(Provenance provenance, const std::vector<Row>& rows) {
  provenance.suite_version = suite_version();
  provenance.suite_commit = SUITE_GIT_COMMIT;
  provenance.plugins = plugin_files(rows);
  provenance.host = machine();
  provenance.deterministic = deterministic_wanted();
  return provenance;
}

}  // namespace suite::app
