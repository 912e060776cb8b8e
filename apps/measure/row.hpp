// SPDX-License-Identifier: BSD-3-Clause
// One measured kernel of one implementation: the row of every result, table, report and comparison. row_fields.hpp defines its form in
// files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "merit.hpp"
#include "parameters.hpp"
#include "statistics.hpp"

namespace suite::app {

struct Verification {
  std::string status = "not checked";  // "verified", "failed"
  double max_relative_error = 0;       // largest deviation, relative to the largest element of the reference; infinite for a NaN
  std::string detail;                  // the element that failed
  bool failed() const { return status == "failed"; }
  bool verified() const { return status == "verified"; }
};

struct Interval {
  double median = 0, low = 0, high = 0;
  std::optional<double> p;  // of a ratio: p value of the rank test for equality
};
Interval interval_of(const Comparison& comparison);

// A step of `suite ladder`.
struct LadderStep {
  struct Published {
    std::string device;
    double seconds = 0;  // 0: no time was published
    std::string text;    // "V100 1.73 s, 3.71 TFLOP"
  };
  std::string name, sentence, after;  // after: the step that it modifies
  std::vector<Published> published;
  std::string expected, met;
};

// Position of a kernel below the ceilings of its device.
struct Place {
  struct Roof {
    std::string name;  // "" if unknown
    double flop_per_s = 0;
    bool empty() const { return name.empty(); }
  };
  struct Traffic {
    std::string level;
    double bytes = 0, flop_per_B = 0;
  };
  std::string device, precision = "double";
  double flops = 0, bytes = 0;  // counted, for one run
  double working_set_B = 0;     // of all arguments
  double flop_per_B = 0;        // NaN without bytes
  double flop_per_s = 0, B_per_s = 0;
  Roof roof;
  double fraction = 0;  // of the roof; NaN without one
  std::vector<Traffic> traffic;
};

struct Row {
  std::string kernel, implementation, backend, variant, device, plugin_file;
  std::string name;             // of the implementation in tables; for a plugin's path, the part that distinguishes it from the others
  Parameters parameters;        // set by the user
  Parameters tuned;             // settings found by `suite bench --tune` and applied automatically
  std::string size;             // of generated arguments, or what was compared; "": unknown
  std::string verified_at;      // size used for verification if the reference would have taken too long for `size`
  int threads = 0;              // 0: unknown
  Verification verification;

  std::vector<double> samples_s, cpu_samples_s;  // seconds of every run, or of batches of runs
  std::optional<std::vector<double>> energy_J;   // of one run in each sample; empty if energy_why gives the reason
  std::string energy_why;
  double flops = 0, bytes = 0;  // counted, summed over the samples
  Merit merit;                  // figure of merit, likewise

  // Derived from the samples after the last one.
  std::optional<Estimate> time;
  std::optional<double> waited_fraction;  // as a fraction of the runnable time of its threads; NaN if unknown
  std::optional<double> flop_per_s, fma_flop_per_s, fma_fraction, fma_fraction_of_cpu_time;
  std::optional<double> prepare_s, upload_s, download_s;  // not part of the samples
  std::optional<long> warm_up_samples, samples_taken_again;
  std::optional<Interval> ratio;  // to the first row, or to the previous step
  std::string verdict;

  std::optional<LadderStep> step;
  std::optional<Place> roofline;
  bool lower_is_better = true;
  std::string place;  // "old.json: /kernels/0" if the row was read from a file

  bool failed() const { return verification.failed(); }
  bool timed() const { return !failed() && time && time->median > 0; }
  double total_s() const;
  // Per run, averaged over the samples; 0 without samples.
  double flops_per_run() const { return per_run(flops); }
  double bytes_per_run() const { return per_run(bytes); }
  Merit merit_per_run() const;
  double intensity() const { return bytes > 0 ? flops / bytes : 0; }  // flop/B
  double rate() const { return timed() ? flops_per_run() / time->median : 0; }  // flop/s
  std::string label() const;                                                     // "cpu v2 precision=mixed"

  // For a ladder step that was timed.
  std::optional<double> flops_of_step() const;
  std::optional<double> bytes_of_step() const;
  std::optional<Merit> merit_of_step() const;
  std::optional<std::string> better_of_step() const;

  // Computes time and the rates that follow from it.
  void conclude();

private:
  double per_run(double summed) const;
};

// An implementation not requested by name and not timed, with the reason: no such device here, or too slow compared with the others.
struct LeftOut {
  std::string implementation, why;
};

}  // namespace suite::app
