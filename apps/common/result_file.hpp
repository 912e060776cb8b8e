// SPDX-License-Identifier: BSD-3-Clause
// Reads what suite has left behind (docs/results.md): result.json of a run, compare, bench, ladder, roofline,
// and validation.json. Such a file may come from anywhere, so nothing in it is believed: whatever is wrong
// with it is a Failure (invalid argument) that names the file and the place in it, a file that cannot be read
// an IoFailure.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "parameters.hpp"
#include "stored_value.hpp"

namespace suite::app::stored {

struct Interval {
  double median = 0, low = 0, high = 0;
  std::optional<double> p;  // of a ratio: of the rank test that both are the same
};

// The figure of merit: what is counted, how, and how much of it is done in a second.
struct Merit {
  std::string unit, formula;  // "terms", "ncouls*ngpown*ntband*nex*nw"
  double per_s = 0;
};

// A step of `suite ladder`.
struct Step {
  std::string name, sentence, after, expected, met;
  std::vector<std::string> published;  // "V100 1.73 s, 3.71 TFLOP"
};

// One kernel of one implementation, timed.
struct Row {
  std::string kernel, implementation, backend, variant, device;
  std::string name;  // of the implementation in tables: of a plugin's path what tells it from the others
  Parameters parameters;  // by name
  Parameters tuned;       // settings that nobody asked for: `suite bench --tune` found them best
  std::string
      size;  // of generated arguments, or what a comparison was made on; "" where the file does not say
  std::string verified_at;  // another size than `size` where the reference would have taken too long there
  int threads = 0;          // 0: the file does not say
  std::vector<double> samples_s, cpu_samples_s;
  std::vector<double> energy_J;           // of every sample; empty where it could not be read
  std::optional<Interval> time_s, ratio;  // as the file has them
  std::string verdict;
  double flops = 0, bytes = 0;               // of one sample, in the mean
  Merit merit;                               // unit "": none
  std::string verification = "not checked";  // "verified", "failed"
  double max_relative_error = 0;             // infinite where a NaN was found
  std::string detail;                        // the element that failed
  double fma_flop_per_s = 0;                 // 0: not measured
  std::optional<Step> step;
  Value source;  // the row itself, for keys that are not here

  bool failed() const { return verification == "failed"; }
  std::string label() const;  // "cpu v2 precision=mixed"
};

struct LeftOut {
  std::string implementation, why;
};

struct Plugin {
  std::string file, version, compiler, sha256;
};

struct Provenance {
  std::string suite_version, suite_commit, utc;
  std::vector<Plugin> plugins;
  std::string host, cpu, simd, system;
  int cores = 0, threads = 0, ranks = 0;
  double memory_B = 0;
  std::string input_file, input_sha256;
  std::vector<std::string> overrides, command_line;
  Value source;
};

// A number of `suite validate`.
struct Check {
  std::string name, quantity, deviation, verdict, source;
  double value = 0, error = 0;
  std::optional<double> expected, below;
};

// A law that the results of an app must obey (outcome.hpp).
struct ConsistencyCheck {
  std::string name, unit, meaning;
  double deviation = 0, bound = 0;  // deviation: not a number where the file has none
  bool holds = false;
};

// A number, or a list of them, that another run of the same input must repeat (outcome.hpp).
struct Observable {
  std::string name, unit;
  std::vector<double> values;       // not a number where the file has none
  std::vector<std::string> labels;  // none, or one for each value
  double tolerance = 0;
  std::vector<double> errors;  // none, or one for each value
};

struct Result {
  std::filesystem::path file, folder;  // folder: the one that the file lies in
  std::string schema;                  // "result", "compare", "bench", "ladder", "validate", "roofline"
  int version = 0;
  std::string status;       // "ok", "failed", "error", "interrupted"
  std::string app, title;   // of a run
  std::string description;  // of a comparison
  std::vector<Row> rows;
  std::vector<LeftOut> left_out;
  std::vector<Check> checks;
  std::vector<ConsistencyCheck> consistency;
  std::vector<Observable> observables;
  std::vector<std::string> warnings;
  std::map<std::string, double> ceilings;  // "fma_flop_per_s"
  Provenance provenance;
  double wall_s = 0, cpu_s = 0;
  std::string error;  // the message, where status is "error"
  Value results;      // of a run: the app's
  Value root;
};

// named: a file; a folder with result.json or validation.json in it; "last", the newest run of this folder.
Result read_result(const std::string& named);
// The same from a text, for tests; name is that of messages.
Result parse_result(const std::string& name, const std::string& text);
// Sets the names of all rows, so that plugins of one file name differ in them. Done for one result by reading it; again for several
// that stand in one table.
void name_apart(const std::vector<Result*>& results);

}  // namespace suite::app::stored
