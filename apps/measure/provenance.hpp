// SPDX-License-Identifier: BSD-3-Clause
// Provenance of a result: program, plugins used, machine, input, and command line.
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
  std::vector<std::string> devices;   // of each rank, if there are several
  std::optional<bool> deterministic;  // whether --deterministic was in effect
  Input input;
  std::vector<std::string> overrides, command_line;
  std::string utc;  // start time
};

// Adds what this process knows: program, machine, and the plugins of the rows.
Provenance completed(Provenance provenance, const std::vector<Row>& rows);

// Time and energy of a run.
struct Times {
  double wall_s = 0, cpu_s = 0;
  std::optional<double> waited_fraction;  // NaN if unknown
  std::optional<double> energy_J;         // NaN if energy_why gives the reason
  std::string energy_why;
  std::optional<double> app_s;  // without verification against the reference
};

}  // namespace suite::app
