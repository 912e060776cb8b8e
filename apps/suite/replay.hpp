// SPDX-License-Identifier: BSD-3-Clause
// A captured call (docs/capture.md) as the input of a run or a comparison.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "common/input.hpp"
#include "contender.hpp"
#include "rows.hpp"
#include "options.hpp"

namespace suite::app {

class Replay {
public:
  // Whether a file is meant to be a capture: by its first bytes, or its name.
  static bool recognises(const std::filesystem::path& file);
  // Reads all of it and holds it against the kernel of that name. Throws Failure with a sentence that names the file.
  explicit Replay(const std::filesystem::path& file);

  const std::string& kernel() const { return kernel_; }
  // The keys that a capture has as an input: implementation, variant, parameters, repeat.
  Input input(const Arguments& arguments) const;
  // What decides what is computed: those that were not the standard and that the reference has too.
  Parameters meaning() const;
  // Sets the arguments as they were before the captured run.
  SetArguments setter() {
    return [this](Kernel& kernel) { give(kernel); };
  }
  // Distance of these results from the stored ones.
  Verification reproduced(const Kernel& kernel, const std::vector<Output>& found) const;

  std::string description() const;  // "call 3 of sigma.x on node12, cpu (variant best), 2026-11-20T20:14:10Z"
  nlohmann::ordered_json json() const;

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

// Which contenders of a comparison have the captured results again. Of no capture (null) there is nothing to say.
class Reproductions {
public:
  explicit Reproductions(const Replay* replay) : replay_(replay) {}
  SeenOutputs observer();
  bool failed() const;
  std::string text() const;
  nlohmann::ordered_json json() const;

private:
  const Replay* replay_;
  std::vector<std::pair<std::string, Verification>> found_;  // by label
};

// {status: verified | failed, max_relative_error, detail where it failed}
nlohmann::ordered_json verification_json(const Verification& verification);

}  // namespace suite::app
