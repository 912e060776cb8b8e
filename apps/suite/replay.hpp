// SPDX-License-Identifier: BSD-3-Clause
// A captured call (docs/capture.md) as the input of a run or a comparison.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/input.hpp"
#include "measure/candidate.hpp"
#include "measure/row_fields.hpp"
#include "options.hpp"
#include "rows.hpp"

namespace suite::app {

// What a capture says of itself.
struct CapturedCall {
  std::string implementation, backend, device, program, host, rank, utc, suite_version, plugin_version, plugin_compiler, plugin_sha256;
  Parameters parameters;
  long call = 1;
  double execute_s = 0;
};

// How far candidates are from the captured results.
struct Reproduced {
  struct Of {
    std::string candidate;
    Verification verification;
  };
  CapturedCall call;
  std::vector<Of> found;
};

// clang-format off
template <> inline constexpr auto fields<CapturedCall> = std::tuple{
    Field{&CapturedCall::implementation,  "implementation",  "", "", not_empty},
    Field{&CapturedCall::backend,         "backend",         "", "", not_empty},
    Field{&CapturedCall::device,          "device",          "", ""},
    Field{&CapturedCall::program,         "program",         "", ""},
    Field{&CapturedCall::host,            "host",            "", ""},
    Field{&CapturedCall::rank,            "rank",            "", "of the MPI job; empty without MPI"},
    Field{&CapturedCall::utc,             "utc",             "", "", not_empty},
    Field{&CapturedCall::suite_version,   "suite_version",   "", ""},
    Field{&CapturedCall::plugin_version,  "plugin_version",  "", ""},
    Field{&CapturedCall::plugin_compiler, "plugin_compiler", "", ""},
    Field{&CapturedCall::plugin_sha256,   "plugin_sha256",   "", "", {.pattern = "^[0-9a-f]{64}$"}},
    Field{&CapturedCall::parameters,      "parameters",      "", "all parameters of the implementation"},
    Field{&CapturedCall::call,            "call",            "", "number of the run of this kernel in its process, starting at 1", {.low = 1}},
    Field{&CapturedCall::execute_s,       "execute_s",       "s", "of the captured run, measured by the device", {.low = 0}},
};
template <> inline constexpr auto fields<Reproduced::Of> = std::tuple{
    Field{&Reproduced::Of::candidate, "contender", "", "", not_empty},
    flat_as<Decided>(&Reproduced::Of::verification),
};
template <> inline constexpr auto fields<Reproduced> = std::tuple{
    Flat{&Reproduced::call},
    Field{&Reproduced::found, "reproduced", "", ""},
};
// clang-format on

class Replay {
public:
  // Whether a file is meant to be a capture: by its first bytes, or its name.
  static bool recognises(const std::filesystem::path& file);
  // Reads all of it and holds it against the kernel of that name. Throws Failure with a sentence that names the file.
  explicit Replay(const std::filesystem::path& file);

  const std::string& kernel() const { return kernel_; }
  // The keys that a capture has as an input: implementation, variant, parameters, repeat.
  Input input(const Arguments& arguments) const;
  // What decides what is computed: those that were not the default and that the reference has too.
  Parameters meaning() const;
  // Sets the arguments as they were before the captured run.
  SetArguments setter() {
    return [this](Kernel& kernel) { give(kernel); };
  }
  // Distance of these results from the stored ones.
  Verification reproduced(const Kernel& kernel, const std::vector<Output>& found) const;

  std::string description() const;  // "call 3 of sigma.x on node12, cpu (variant best), 2026-11-20T20:14:10Z"
  CapturedCall captured() const;

private:
  void read_parameters();
  void give(Kernel& kernel);
  Parameters parameters_for(const std::string& implementation) const;

  std::filesystem::path file_;
  std::map<std::string, std::string> texts_;  // attributes of the file
  double seconds_ = 0, call_ = 0, tolerance_ = 0;
  std::string kernel_;
  Parameters parameters_;           // all that the implementation had, with the variant
  std::vector<Output> arguments_;   // before the run; those that only come out are NaN
  std::vector<Output> results_;     // after it
  std::vector<std::vector<char>> now_;  // what a run may change of arguments_
};

// Which candidates of a comparison have the captured results again. Of no capture (null) there is nothing to say.
class Reproductions {
public:
  explicit Reproductions(const Replay* replay) : replay_(replay) {}
  SeenOutputs observer();
  bool failed() const;
  std::string text() const;
  Reproduced stored() const;

private:
  const Replay* replay_;
  std::vector<std::pair<std::string, Verification>> found_;  // by label
};

}  // namespace suite::app
