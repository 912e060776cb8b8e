// SPDX-License-Identifier: BSD-3-Clause
// The interface of an app to the command line: a table of input keys, a check, a run, and a representative kernel call for comparing
// implementations.
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

// Passed to App::run by the command line.
struct Context {
  const Communicator& world;
  Progress& progress;
  std::ostream& out;               // tables for the reader; the null stream with --json and on all ranks but the root
  std::filesystem::path folder;    // output folder of this run; exists
  std::string implementation;      // "cpu"; the input's kernel.implementation unless --implementation overrides it
  std::string variant;             // "best"
  std::vector<Row>& kernels;
  Outcome& outcome;                // filled on every rank; that of the root is reported
  Parameters parameters = {};      // implementation parameters set by the user
  bool deterministic = false;      // results are bitwise independent of the number of processes
};

// Writes files into the run's folder (once for all ranks) and appends their names to results["files"].
void write_files(const Context& context, const std::vector<TextFile>& files, nlohmann::ordered_json& results);

// apps/<name>/CMakeLists.txt defines the library target suite_app_<name>, which implements
//   std::unique_ptr<suite::app::App> suite::app::make_<name>();
// The program finds apps by these targets; there is no list of apps to maintain.
class App {
public:
  virtual ~App() = default;
  virtual const char* name() const = 0;     // "gw"
  virtual const char* summary() const = 0;  // one line
  virtual const std::vector<Key>& keys() const = 0;
  // Optional keys that most inputs have: `suite init` leaves them to be filled in, like the required ones.
  virtual std::vector<std::string> usual_keys() const { return {}; }
  // Checks what the key table cannot express: reads the headers of data files and reports errors with input.fail(). Runs no kernel.
  virtual void check(const Input& input, std::ostream& out) const = 0;
  // Returns "results" of result.json; writes the app's own files into context.folder.
  virtual nlohmann::ordered_json run(const Input& input, Context& context) const = 0;
  virtual nlohmann::ordered_json results_schema() const = 0;  // JSON Schema of "results"
  // A kernel call with arguments representative of this input, for `suite compare`. data owns the arguments.
  struct Sample {
    std::shared_ptr<void> data;
    std::function<void(Kernel&)> set_arguments;
    // Sets a part of the call, for verification where the reference would take too long for all of it.
    std::function<void(Kernel&)> set_part = {};
    std::string kernel, description;
  };
  virtual Sample sample(const Input& input) const = 0;
};

}  // namespace suite::app
