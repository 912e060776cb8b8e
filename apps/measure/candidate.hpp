// SPDX-License-Identifier: BSD-3-Clause
// A kernel of one implementation and variant, verified against the reference and timed.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <suite/suite.hpp>

#include "energy.hpp"
#include "generated_arguments.hpp"
#include "parameters.hpp"
#include "row.hpp"
#include "statistics.hpp"
#include "tuned.hpp"

namespace suite::app {

// What a call costs beside its run, by the host's clock: never part of a sample. 0 where a backend shares the host's memory.
struct Overheads {
  double prepare_s = 0, upload_s = 0, download_s = 0;
};

class Candidate {
public:
  // variant: "" leaves the implementation's own default. Fails when the implementation has no such variant or parameter.
  Candidate(const std::string& kernel, const std::string& implementation, const std::string& variant, const Parameters& parameters = {});
  const std::string& label() const { return label_; }
  // Tells plugins of one file name apart in the labels.
  static void name_apart(const std::vector<std::unique_ptr<Candidate>>& candidates);
  const std::string& device() const { return device_; }  // backend and device as asked for: "cpu", "cuda:1"
  bool is_single() const { return tolerance_factor(kernel_) > 1; }  // the call's arguments, once they are set
  Kernel& kernel() { return kernel_; }
  Row& record() { return record_; }
  const Row& record() const { return record_; }

  // From the next first run on, knobs that nobody named are as the file has them for its arguments.
  void use(std::shared_ptr<const TunedFile> tuned) { tuned_ = std::move(tuned); }
  const Parameters& tuned() const { return record_.tuned; }  // those in use
  // Sets the arguments, fills the outputs with NaN, runs once and returns what came out. part: of the same
  // call, to be run in its place, with the knobs of the whole.
  std::vector<Output> first_run(const SetArguments& set, const SetArguments& part = {});
  void accept(const Verification& verification);
  // A sample that is not kept; false, without a run, once it is warm: two samples in a row were at most 2 % faster than the fastest
  // before them, or there were 10, or half a second has passed (a run that long warms the machine itself). The fastest decides how
  // many runs make a sample: a cold run may take many times as long as those that follow.
  bool warm_up_turn();
  // One sample, kept in record(). A short one during which the system gave a core to another program says nothing of the kernel:
  // it is taken again, three times at most.
  void sample();
  // After the last sample: fills in what of the row follows from them.
  void conclude();
  const Overheads& overheads() const { return overheads_; }
  double first_run_s() const { return first_s_; }
  double estimated_sample_s() const { return warm_.fastest_s * static_cast<double>(runs_); }
  // Of the time for which its threads could run, the share that they waited for a core: median of the samples. NaN where the
  // system does not tell.
  double waited() const { return waited_.empty() ? NAN : estimate(waited_).median; }

private:
  struct WarmUp {
    double fastest_s = 0, spent_s = 0;
    long samples = 0, level = 0;  // level: samples in a row that were not faster
  };
  std::string untuned_label() const;
  void adopt_tuned_settings();
  double runs_of_a_sample();  // seconds in the mean
  Kernel kernel_;
  std::shared_ptr<const TunedFile> tuned_;
  Overheads overheads_;
  WarmUp warm_;
  std::string name_, label_, device_;  // name_: of the implementation in labels
  Row record_;
  double first_s_ = 0, merit_ = 0;
  suite_cost cost_{};
  long runs_ = 1, taken_again_ = 0;
  std::vector<double> waited_;  // shares of the samples
  std::optional<EnergySamples> energy_;
};

// What the reference makes of the same arguments. A parameter that the reference has too says what is computed, and is
// taken from the candidate.
class Truth {
public:
  Truth(std::string kernel, SetArguments set) : kernel_(std::move(kernel)), set_(std::move(set)) {}
  const std::vector<Output>& of(const Candidate& candidate);

private:
  std::string kernel_;
  SetArguments set_;
  std::map<std::string, std::vector<Output>> known_;
};

}  // namespace suite::app
