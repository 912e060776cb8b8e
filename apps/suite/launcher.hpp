// SPDX-License-Identifier: BSD-3-Clause
// Starting this program again under an MPI launcher.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace suite::app {

class Launcher {
public:
  // "mpirun -n": a program and its options, the last of which takes the number of ranks. Throws Failure (not
  // found) when there is no such program, or when this build has no MPI.
  explicit Launcher(const std::string& command);
  // Runs `suite WORDS` with so many ranks; what it says goes to log. Throws Failure (device error) with the
  // first lines of the log when it ends with another exit code than 0.
  void run(int ranks, const std::vector<std::string>& words, const std::filesystem::path& log) const;

private:
  std::string command_;
  std::vector<std::string> words_;
};

}  // namespace suite::app
