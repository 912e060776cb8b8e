// SPDX-License-Identifier: BSD-3-Clause
#include <iostream>

#include "common/paths.hpp"
#include "common/result.hpp"
#include "exit_codes.hpp"
#include "registry.hpp"
#include "verbs.hpp"

namespace suite::app {

int version_verb(const Arguments& arguments) {
  const bool mpi = !module("suite_communicator_mpi.so").empty();
  const bool lapack = !module("suite_lapack.so").empty();
  const std::string compiler = "g++ " __VERSION__;
  if (arguments.has("--json")) {
    nlohmann::ordered_json j{{"schema", "suite-version-1"}, {"version", suite_version()}, {"build", version_text()}, {"compiler", compiler}, {"mpi", mpi}, {"lapack", lapack}, {"apps", app_names()}};
    std::cout << j.dump(2) << "\n";
    return exit_ok;
  }
  std::cout << "suite " << version_text() << "\ncompiler  " << compiler << "\nMPI       " << (mpi ? "yes" : "no") << "\nLAPACK    " << (lapack ? "yes" : "no") << "\napps     ";
  for (const auto& app : registered_apps()) std::cout << " " << app.name << (app.make ? "" : " (not in this build)");
  std::cout << "\n";
  return exit_ok;
}

}  // namespace suite::app
