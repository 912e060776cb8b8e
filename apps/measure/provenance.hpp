// SPDX-License-Identifier: BSD-3-Clause
// Where a result comes from: the program, the plugins that served, the machine, the input, and how it was started.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/machine.hpp"
#include "row.hpp"

namespace suite::app {

struct PluginFile {
  std::string file, version, compiler, sha256;
};

struct Provenance {
  struct Input {
    std::string file, sha256;
  };
  std::string suite_version, suite_commit;
  std::vector<PluginFile> plugins;
  Machine host;
  int threads = 1, ranks = 1;
  std::vector<std::string> devices;   // of each rank, where there are several
  std::optional<bool> deterministic;  // whether --deterministic was in effect
  Input input;
  std::vector<std::string> overrides, command_line;
  std::string utc;  // when it began
};

// With all that this process knows of itself: program, machine, and the plugins that the rows are of.
Provenance completed(Provenance provenance, const std::vector<Row>& rows);

// What a run took.
struct Times {
  double wall_s = 0, cpu_s = 0;
  std::optional<double> waited_fraction;  // not a number where it is not known
  std::optional<double> energy_J;         // not a number where energy_why says why
  std::string energy_why;
  std::optional<double> app_s;  // without the check against the reference
};

}  // namespace suite::app
