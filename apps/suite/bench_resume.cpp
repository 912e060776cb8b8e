// SPDX-License-Identifier: BSD-3-Clause
#include "bench_resume.hpp"

#include <algorithm>

#include "common/machine.hpp"
#include "common/near.hpp"
#include "measure/result_file.hpp"

namespace suite::app {

namespace fs = std::filesystem;

bool Finished::has(const std::string& kernel, const std::string& size, int threads) const {
  return std::find(keys.begin(), keys.end(), Key(kernel, size, threads)) != keys.end();
}

namespace {

constexpr const char* may_be_given[] = {"--time-limit", "--json", "--csv", "--junit", "--quiet"};

bool is_replaced(const std::string& option) {
  return option == "--output" || std::find(std::begin(may_be_given), std::end(may_be_given), option) != std::end(may_be_given);
}

void require_nothing_else(const Arguments& arguments) {
  bool other = !arguments.positional().empty();
  for (const auto& option : options())
    other = other || (arguments.has(option.name) && std::string(option.name) != "--resume" && !is_replaced(option.name));
  if (other || arguments.has("--output"))
    throw UsageError(
        "--resume continues with the options of the earlier run; it may be combined only with --time-limit, --json, "
        "--csv, --junit and --quiet");
}

bool takes_value(const std::string& option) {
  const auto& all = options();
  return std::any_of(all.begin(), all.end(), [&](const Option& o) { return option == o.name && o.value; });
}

// The words of the earlier command line, with options that may be given again replaced.
std::vector<std::string> words_of(const std::vector<std::string>& command_line, const Arguments& arguments) {
  std::vector<std::string> words;
  for (size_t i = 1; i < command_line.size(); ++i) {
    const std::string& word = command_line[i];
    if (word.rfind("--", 0) != 0 || !is_replaced(word.substr(0, word.find('=')))) words.push_back(word);
    else if (takes_value(word))  // "--output=out" is one word
      ++i;
  }
  for (const char* option : may_be_given) {
    if (!arguments.has(option)) continue;
    words.emplace_back(option);
    if (const std::string value = arguments.get(option); !value.empty()) words.push_back(value);
  }
  return words;
}

// results/last resolves to the folder it points at.
fs::path folder_behind(const fs::path& folder) {
  std::error_code error;
  const fs::path target = fs::read_symlink(folder, error);
  return error ? folder : folder.parent_path() / target;
}

void require_same_machine(const Provenance& then, const std::string& folder) {
  const Machine now = machine();
  const auto refuse = [&](const std::string& what) {
    throw Failure(SUITE_INVALID_ARGUMENT,
                  "--resume: " + what + "; do not compare times from different machines. Start again without --resume " + folder);
  };
  if (then.host.name != now.name || then.host.cpu != now.cpu)
    refuse("the run in " + in_quotes(folder) + " is of " + then.host.name + " (" + then.host.cpu + "), this is " + now.name + " (" +
           now.cpu + ")");
  for (const auto& plugin : then.plugins) {
    char digits[65] = {};
    suite_error error{};
    if (suite_hash_file(plugin.file.c_str(), digits, &error) != SUITE_OK || plugin.sha256 != digits)
      refuse("the plugin " + plugin.file + " has changed since the run in " + in_quotes(folder) + "");
  }
}

}  // namespace

Finished read_finished(const Arguments& arguments) {
  require_nothing_else(arguments);
  const std::string named = arguments.get("--resume");
  const stored::Result result = stored::read_result(named);
  if (result.schema != "bench")
    throw Failure(SUITE_INVALID_ARGUMENT,
                  "--resume: " + in_quotes(named) + " was not written by 'suite bench' (but by 'suite " + result.schema + "')");
  require_same_machine(result.provenance, named);
  Finished finished;
  finished.folder = folder_behind(result.folder);
  finished.words = words_of(result.provenance.command_line, arguments);
  if (finished.words.empty() || finished.words[0] != "bench")
    throw Failure(SUITE_INVALID_ARGUMENT, "--resume: the command line in " + in_quotes(named) + " is not a command line of 'suite bench'");
  finished.started = result.provenance.utc;
  finished.threads = result.provenance.threads;
  for (const auto& time : result.root["resumed"].items()) finished.resumed.push_back(time.text());
  finished.resumed.push_back(utc_time(false));
  auto blocks = stored::read_blocks(result);
  for (size_t i = 0; i < blocks.size(); ++i) {
    RowBlock& block = blocks[i];
    // Blocks cut off by the time limit are measured again.
    if (!block.ended_early.empty()) continue;
    const stored::Value value = result.root["blocks"][i];
    finished.keys.emplace_back(value["kernel"].text(), value["size"].text(), static_cast<int>(value["threads"].whole(1, 4096)));
    for (const auto& row : block.rows) finished.failed = finished.failed || row.failed();
    finished.blocks.push_back(std::move(block));
  }
  return finished;
}

}  // namespace suite::app
