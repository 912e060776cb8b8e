// SPDX-License-Identifier: BSD-3-Clause
// One kernel of one implementation, as it was measured: the row of every result, table, report and comparison. How files have it is
// in row_fields.hpp.
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
  double max_relative_error = 0;       // largest distance, relative to the largest element of the reference; infinite for a NaN
  std::string detail;                  // the element that failed
  bool failed() const { return status == "failed"; }
  bool verified() const { return status == "verified"; }
};

struct Interval {
  double median = 0, low = 0, high = 0;
  std::optional<double> p;  // of a ratio: of the rank test that both are the same
};
Interval interval_of(const Comparison& comparison);

// A step of `suite ladder`.
struct LadderStep {
  struct Published {
    std::string device;
    double seconds = 0;  // 0: no time was published
    std::string text;    // "V100 1.73 s, 3.71 TFLOP"
  };
  std::string name, sentence, after;  // after: the step that it changes
  std::vector<Published> published;
  std::string expected, met;
};

// Where a kernel stands below the ceilings of its device.
struct Place {
  struct Roof {
    std::string name;  // "" where none is known
    double flop_per_s = 0;
    bool empty() const { return name.empty(); }
  };
  struct Traffic {
    std::string level;
    double bytes = 0, flop_per_B = 0;
  };
  std::string device, precision = "double";
  double flops = 0, bytes = 0;  // counted, of one run
  double working_set_B = 0;     // of all arguments
  double flop_per_B = 0;        // not a number without bytes
  double flop_per_s = 0, B_per_s = 0;
  Roof roof;
  double fraction = 0;  // of the roof; not a number without one
  std::vector<Traffic> traffic;
};

struct Row {
  std::string kernel, implementation, backend, variant, device, plugin_file;
  std::string name;             // of the implementation in tables: of a plugin's path what tells it from the others
  Parameters parameters;        // set by the user
  Parameters tuned;             // settings that nobody asked for: `suite bench --tune` found them best
  std::string size;             // of generated arguments, or what a comparison was made on; "": not known
  std::string verified_at;      // another size than `size` where the reference would have taken too long there
  int threads = 0;              // 0: not known
  Verification verification;

  std::vector<double> samples_s, cpu_samples_s;  // seconds of every run, or of batches of runs
  std::optional<std::vector<double>> energy_J;   // of one run in each sample; empty where energy_why says why
  std::string energy_why;
  double flops = 0, bytes = 0;  // counted, summed over the samples
  Merit merit;                  // the same of what got done

  // What follows from the samples, filled once when the last one is there.
  std::optional<Estimate> time;
  std::optional<double> waited_fraction;  // of the time for which its threads could run; not a number where it is not known
  std::optional<double> flop_per_s, fma_flop_per_s, fma_fraction, fma_fraction_of_cpu_time;
  std::optional<double> prepare_s, upload_s, download_s;  // beside the samples
  std::optional<long> warm_up_samples, samples_taken_again;
  std::optional<Interval> ratio;  // to the first row, or to the step before
  std::string verdict;

  std::optional<LadderStep> step;
  std::optional<Place> roofline;
  bool lower_is_better = true;
  std::string place;  // "old.json: /kernels/0" of a row that was read

  bool failed() const { return verification.failed(); }
  bool timed() const { return !failed() && time && time->median > 0; }
  double total_s() const;
  // Of one run, in the mean over the samples; 0 without any.
  double flops_per_run() const { return per_run(flops); }
  double bytes_per_run() const { return per_run(bytes); }
  Merit merit_per_run() const;
  double intensity() const { return bytes > 0 ? flops / bytes : 0; }  // flop/B
  double rate() const { return timed() ? flops_per_run() / time->median : 0; }  // flop/s
  std::string label() const;                                                     // "cpu v2 precision=mixed"

  // Of a step of a ladder, where it was timed.
  std::optional<double> flops_of_step() const;
  std::optional<double> bytes_of_step() const;
  std::optional<Merit> merit_of_step() const;
  std::optional<std::string> better_of_step() const;

  // Fills time and the rates that follow from it.
  void conclude();

private:
  double per_run(double summed) const;
};

// What nobody asked for by name and is not timed, with the reason: no such device here, or too slow beside the others.
struct LeftOut {
  std::string implementation, why;
};

}  // namespace suite::app
