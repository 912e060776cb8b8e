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

// Cost of a call besides the kernel itself, in wall time, never part of a sample. 0 if a backend shares the host's memory.
struct Overheads {
  double prepare_s = 0, upload_s = 0, download_s = 0;
};

class Candidate {
public:
  // variant: "" keeps the implementation's default. Throws Failure if the implementation has no such variant or parameter.
  Candidate(const std::string& kernel, const std::string& implementation, const std::string& variant, const Parameters& parameters = {});
  const std::string& label() const { return label_; }
  // Makes the labels of plugins with the same file name distinct.
  static void name_apart(const std::vector<std::unique_ptr<Candidate>>& candidates);
  const std::string& device() const { return device_; }  // backend and device as requested: "cpu", "cuda:1"
  bool is_single() const { return tolerance_factor(kernel_) > 1; }  // precision of the call; requires its arguments to be set
  Kernel& kernel() { return kernel_; }
  Row& record() { return record_; }
  const Row& record() const { return record_; }

  // From the next first_run() on, knobs the user did not set are taken from the file's entry for the arguments.
  void use(std::shared_ptr<const TunedFile> tuned) { tuned_ = std::move(tuned); }
  const Parameters& tuned() const { return record_.tuned; }  // the settings in use
  // Sets the arguments, fills the outputs with NaN, runs once and returns the outputs. part: a part of the same call to run instead, with
  // the knobs of the whole call.
  std::vector<Output> first_run(const SetArguments& set, const SetArguments& part = {});
  void accept(const Verification& verification);
  // Runs one warm-up sample, which is discarded. Returns false, without a run, once the kernel is warm: two samples in a row were at most
  // 2 % faster than the fastest before them, or 10 were taken, or half a second has passed (a run that long warms the machine itself). The
  // fastest sample determines the number of runs per sample: a cold run may take many times as long as later ones.
  bool warm_up_turn();
  // Takes one sample into record(). A short sample during which the system preempted a thread is repeated, at most three times.
  void sample();
  // After the last sample: computes the members of the row that follow from the samples.
  void conclude();
  const Overheads& overheads() const { return overheads_; }
  double first_run_s() const { return first_s_; }
  double estimated_sample_s() const { return warm_.fastest_s * static_cast<double>(runs_); }
  // Waiting for a core as a fraction of the runnable time of the threads: median of the samples. NaN if the system does not report it.
  double waited() const { return waited_.empty() ? NAN : estimate(waited_).median; }

private:
  struct WarmUp {
    double fastest_s = 0, spent_s = 0;
    long samples = 0, level = 0;  // level: consecutive samples that were not faster
  };
  std::string untuned_label() const;
  void adopt_tuned_settings();
  double runs_of_a_sample();  // returns mean seconds
  Kernel kernel_;
  std::shared_ptr<const TunedFile> tuned_;
  Overheads overheads_;
  WarmUp warm_;
  std::string name_, label_, device_;  // name_: of the implementation, in labels
  Row record_;
  double first_s_ = 0, merit_ = 0;
  suite_cost cost_{};
  long runs_ = 1, taken_again_ = 0;
  std::vector<double> waited_;  // one fraction per sample
  std::optional<EnergySamples> energy_;
};

// Outputs of the reference for the same arguments. Parameters that the reference shares define what is computed and are taken from
// the candidate.
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
