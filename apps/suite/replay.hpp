// SPDX-License-Identifier: BSD-3-Clause
// A captured call (docs/capture.md) as input of a run or a comparison.
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

// Metadata of a capture.
struct CapturedCall {
  std::string implementation, backend, device, program, host, rank, utc, suite_version, plugin_version, plugin_compiler, plugin_sha256;
  Parameters parameters;
  long call = 1;
  double execute_s = 0;
};

// Deviations of candidates from the captured results.
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
    Field{&CapturedCall::plugin_sha256,   "plugin_sha256",   "", "", {.pattern = "^[0-9a-f]{64}$", .omit_empty = true}},
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
  // Whether a file is a capture, judged by its first bytes or its name.
  static bool recognises(const std::filesystem::path& file);
  // Reads the file and checks it against the kernel of that name. Throws Failure that names the file.
  explicit Replay(const std::filesystem::path& file);

  const std::string& kernel() const { return kernel_; }
  // The input keys given by a capture: implementation, variant, parameters, repeat.
  Input input(const Arguments& arguments) const;
  // Parameters that define what is computed: those that are not the default and that the reference shares.
  Parameters meaning() const;
  // Sets the arguments to their values before the captured run.
  SetArguments setter() {
    return [this](Kernel& kernel) { give(kernel); };
  }
  // Deviation of these results from the stored ones.
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
  Parameters parameters_;           // all parameters of the captured implementation, including the variant
  std::vector<Output> arguments_;   // before the run; NaN for outputs
  std::vector<Output> results_;     // after the run
  std::vector<std::vector<char>> now_;  // working copies of arguments_ that a run may modify
};

// Records which candidates of a comparison reproduce the captured results. Without a capture (null) it stays empty.
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
