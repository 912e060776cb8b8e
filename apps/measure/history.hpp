// SPDX-License-Identifier: BSD-3-Clause
// How the times of kernels have changed over stored results: one time series for each kernel, size, implementation, parameters and number
// of threads on one machine and device, ordered by date. Results of different machines never share a series.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "provenance.hpp"
#include "result_file.hpp"
#include "row.hpp"
#include "statistics.hpp"

namespace suite::app::history {

struct Point {
  std::string utc, suite_version, suite_commit, file;
  std::vector<double> samples_s;
  Estimate time;
  std::optional<Interval> ratio;  // to all samples since the last change; none for the first point
  std::string verdict;            // "FASTER", "same", "SLOWER", "unclear"; "" for the first point
  bool changes() const { return verdict == "FASTER" || verdict == "SLOWER"; }
};

struct Series {
  std::string kernel, size, implementation, variant, device;
  Parameters parameters;
  int threads = 0;
  Machine host;
  std::vector<Point> points;
  std::string label() const;    // "cpu v2 precision=mixed"
  std::string place() const;    // "gpp.sigma, size small, 2 threads"
  std::string machine() const;  // "vm-1, AMD EPYC, 2 cores"; with the device where it is not the CPU
};

struct History {
  std::vector<Series> series;
  size_t results = 0;                // that have rows
  std::vector<std::string> left_out;  // "FILE: why"
};

// The result files named: a file, or a folder with its results (of itself, or of the folders in it). Throws IoFailure for a path that does
// not exist, and where nothing is found.
std::vector<std::filesystem::path> result_files(const std::vector<std::string>& named);

// wanted: kernels and families; empty: all. Files that cannot be read are left out with the reason.
History read(const std::vector<std::filesystem::path>& files, const std::vector<std::string>& wanted);

// Orders the points by date and compares each with all samples since the last change, by the rank test and interval for independent
// samples (statistics.hpp).
void judge(Series& series);

// One sentence for each series whose newest point is SLOWER by more than fraction. Throws Failure (invalid argument) where no series has two
// points to judge.
std::vector<std::string> slower_now(const History& history, double fraction);

// Times over the results, one panel for each place and machine. Empty if there is nothing to draw.
std::string figure(const History& history);

}  // namespace suite::app::history
