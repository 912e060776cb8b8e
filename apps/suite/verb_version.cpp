// SPDX-License-Identifier: BSD-3-Clause
#include <iostream>

#include "common/json_text.hpp"
#include "common/paths.hpp"
#include "measure/result.hpp"
#include "documents.hpp"
#include "exit_codes.hpp"
#include "registry.hpp"
#include "verbs.hpp"

namespace suite::app {

namespace {

struct Version {
  std::string version, build, compiler;
  bool mpi = false, lapack = false;
  std::vector<std::string> apps;
};

}  // namespace

// clang-format off
template <> inline constexpr auto fields<Version> = std::tuple{
    Constant{"schema", "suite-version-1"},
    Field{&Version::version,  "version",  "", "", not_empty},
    Field{&Version::build,    "build",    "", "with the commit, if known", not_empty},
    Field{&Version::compiler, "compiler", "", "", not_empty},
    Field{&Version::mpi,      "mpi",      "", ""},
    Field{&Version::lapack,   "lapack",   "", ""},
    Field{&Version::apps,     "apps",     "", "", {.items_not_empty = true}},
};
// clang-format on

SchemaObject version_schema() { return schema_of<Version>(); }

int version_verb(const Arguments& arguments) {
  const bool mpi = !module("suite_communicator_mpi.so").empty();
  const bool lapack = !module("suite_lapack.so").empty();
  const std::string compiler = "g++ " __VERSION__;
  if (arguments.has("--json")) {
    std::cout << json_document(json_of(Version{suite_version(), version_text(), compiler, mpi, lapack, app_names()}));
    return exit_ok;
  }
  std::cout << "suite " << version_text() << "\ncompiler  " << compiler << "\nMPI       " << (mpi ? "yes" : "no") << "\nLAPACK    "
            << (lapack ? "yes" : "no") << "\napps     ";
  for (const auto& app : registered_apps()) std::cout << " " << app.name << (app.make ? "" : " (not in this build)");
  std::cout << "\n";
  return exit_ok;
}

}  // namespace suite::app
