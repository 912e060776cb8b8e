// SPDX-License-Identifier: BSD-3-Clause
#include "launcher.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "common/near.hpp"
#include "common/paths.hpp"
#include "interrupt.hpp"

namespace suite::app {

namespace fs = std::filesystem;

namespace {

bool is_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return ::access(name.c_str(), X_OK) == 0;
  std::istringstream folders(std::getenv("PATH") ? std::getenv("PATH") : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((folder + "/" + name).c_str(), X_OK) == 0) return true;
  return false;
}

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

// Returns the exit code; 128 + signal if ended by a signal.
int wait_for(pid_t child) {
  const InterruptedToo told(child);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) throw Failure(SUITE_INTERNAL, std::string("cannot wait for a process: ") + std::strerror(errno));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
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
  std::vector<char*> pointers;
  for (auto& word : all) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int trouble = posix_spawnp(&child, pointers[0], &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (trouble != 0) throw Failure(SUITE_NOT_FOUND, "cannot start " + in_quotes(words_[0]) + ": " + std::strerror(trouble));
  if (const int code = wait_for(child); code != 0)
    throw Failure(SUITE_DEVICE_ERROR, fmt::format("{} ended with exit code {}: {} ({})", in_quotes(fmt::format("{} {}", command_, ranks)),
                                                  code, first_lines(log, 3), log.string()));
}

}  // namespace suite::app
