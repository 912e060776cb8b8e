// SPDX-License-Identifier: BSD-3-Clause
// What an app is to the command line: a table of input keys, a check, a run, and a typical kernel call to compare
// implementations on.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>
#include <suite/suite.hpp>

#include "common/communicator.hpp"
#include "common/io.hpp"
#include "common/progress.hpp"
#include "measure/outcome.hpp"
#include "measure/parameters.hpp"
#include "measure/row.hpp"
#include "input.hpp"

namespace suite::app {

// What the command line hands to a run.
struct Context {
  const Communicator& world;
  Progress& progress;
  std::ostream& out;               // tables for the reader; the null stream with --json and on other ranks
  std::filesystem::path folder;    // of this run's files; exists
  std::string implementation;      // "cpu"; the input's kernel.implementation unless --implementation overrides it
  std::string variant;             // "best"
  std::vector<Row>& kernels;
  Outcome& outcome;                // of every rank; that of the root is told
  Parameters parameters = {};      // of the implementation, set by the user
  bool deterministic = false;      // the same bits from any number of processes
};

// Writes files into the run's folder, once for all ranks, and adds their names to results["files"].
void write_files(const Context& context, const std::vector<TextFile>& files, nlohmann::ordered_json& results);

// apps/<name>/CMakeLists.txt makes the library target suite_app_<name>, which defines
//   std::unique_ptr<suite::app::App> suite::app::make_<name>();
// and the program finds it by that; no list of apps stands anywhere.
class App {
public:
  virtual ~App() = default;
  virtual const char* name() const = 0;     // "gw"
  virtual const char* summary() const = 0;  // one line
  virtual const std::vector<Key>& keys() const = 0;
  // What the key table cannot say: reads the headers of the data files, reports by input.fail(). No kernel is run.
  virtual void check(const Input& input, std::ostream& out) const = 0;
  // Returns "results" of result.json; writes the app's own files into context.folder.
  virtual nlohmann::ordered_json run(const Input& input, Context& context) const = 0;
  virtual nlohmann::ordered_json results_schema() const = 0;  // their JSON Schema
  // A kernel of the given implementation with arguments typical of this input, ready to run, for `suite compare`.
  // The arguments live as long as the returned object.
  struct Sample {
    std::shared_ptr<void> data;
    std::function<void(Kernel&)> set_arguments;
    // A part of the call, for the check against the reference where that would take long for all of it.
    std::function<void(Kernel&)> set_part = {};
    std::string kernel, description;
  };
  virtual Sample sample(const Input& input) const = 0;
};

}  // namespace suite::app
