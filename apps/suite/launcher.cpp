// SPDX-License-Identifier: BSD-3-Clause
#include "launcher.hpp"

#include <fstream>
#include <sstream>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "common/near.hpp"
#include "common/paths.hpp"
#include "child_program.hpp"

namespace suite::app {

namespace fs = std::filesystem;

namespace {

// The first non-empty lines, at most that many, joined into one.
std::string first_lines(const fs::path& log, int most) {
  std::ifstream lines(log);
  std::string text;
  for (std::string line; most > 0 && std::getline(lines, line);) {
    if (line.find_first_not_of(" -=\t\r") == std::string::npos) continue;
    text += (text.empty() ? "" : " ") + line;
    --most;
  }
  return text.empty() ? "no output" : text;
}

}  // namespace

Launcher::Launcher(const std::string& command) : command_(command) {
  std::istringstream stream(command);
  for (std::string word; stream >> word;) words_.push_back(word);
  if (words_.empty() || !is_program(words_[0]))
    throw Failure(SUITE_NOT_FOUND, "several ranks need an MPI launcher, but there is no program " +
                                       in_quotes(words_.empty() ? "" : words_[0]) + " in PATH; --launcher \"srun -n\" selects another");
  if (module("suite_communicator_mpi.so").empty())
    throw Failure(SUITE_NOT_FOUND, "several ranks need MPI, which this build lacks (configure with -DSUITE_WITH_MPI=ON)");
}

void Launcher::run(int ranks, const std::vector<std::string>& words, const fs::path& log) const {
  std::vector<std::string> all = words_;
  all.push_back(std::to_string(ranks));
  all.push_back(program().string());
  all.insert(all.end(), words.begin(), words.end());
  if (const int code = run_program(std::move(all), log); code != 0)
    throw Failure(SUITE_DEVICE_ERROR, fmt::format("{} ended with exit code {}: {} ({})", in_quotes(fmt::format("{} {}", command_, ranks)),
                                                  code, first_lines(log, 3), log.string()));
}

}  // namespace suite::app
