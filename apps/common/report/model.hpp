// SPDX-License-Identifier: BSD-3-Clause
// Results as the sections of the page want them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/result_file.hpp"
#include "html.hpp"

namespace suite::report {

using app::stored::Result;
using app::stored::Row;

// A result with its mark on the page: "A", "B", ...; "" where there is one only.
struct Source {
  const Result& result;
  std::string mark;
};
std::string label_of(const Row& row);  // "cpu, v9, precision=mixed", or the step of a ladder
// A heading with the mark; nothing where there is one result only, which the title of the page names.
Html heading(const Source& source, const std::string& text);
std::string title_of(const Result& result);

// A row that was timed.
struct Entry {
  const Row* row;
  std::string label;  // "cpu, variant v9, precision=mixed", or a ladder's "v9"
  double median_s = 0, low_s = 0, high_s = 0;
  bool interval = false;  // false: low and high are the least and the largest of a few samples
  double flop_per_s = 0;
  bool timed() const { return !row->failed() && median_s > 0; }
  double intensity() const { return row->bytes > 0 ? row->flops / row->bytes : 0; }
};

std::vector<Entry> entries_of(const Result& result);

// Implementations of one kernel on the same arguments with the same number of threads.
struct Race {
  std::string kernel, size, mark;
  int threads = 0;
  bool ladder = false;
  std::vector<Entry> entries;
  std::string conditions() const;  // "size small, 2 threads"
  const Entry* fastest() const;    // nullptr where none was timed
  const Entry* reference() const;  // the entry that ratios are taken to: the first that was not found wrong
};
std::vector<Race> races_of(const Source& source);

// An app's run calls its kernels on arguments that differ; its rows are parts of one whole and race with
// nobody.
bool is_app_run(const Result& result);

// What a row's work is done in, on the processor of its time: "19.2 G terms/s"; "" where nothing is counted.
std::string merit_text(const Row& row);
// "-1.09921 ± 0.00031": to the second digit of the error, which is not 0.
std::string with_error(double value, double error);
std::string count(size_t n, const char* one, const char* many);

}  // namespace suite::report
