// SPDX-License-Identifier: BSD-3-Clause
// Starts this program again under an MPI launcher.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace suite::app {

class Launcher {
public:
  // command: "mpirun -n", a program and its options, the last of which takes the number of ranks. Throws Failure (not found) if there is no
  // such program, or if this build has no MPI.
  explicit Launcher(const std::string& command);
  // Runs `suite WORDS` on that many ranks, with output to log. Throws Failure (device error) with the first lines of the log if the exit
  // code is not 0.
  void run(int ranks, const std::vector<std::string>& words, const std::filesystem::path& log) const;

private:
  std::string command_;
  std::vector<std::string> words_;
};

}  // namespace suite::app
