// SPDX-License-Identifier: BSD-3-Clause
// Results in the form that the sections of the page use.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "measure/result_file.hpp"
#include "html.hpp"

namespace suite::report {

using app::Row;
using app::stored::Result;

// A result with its letter on the page: "A", "B", ...; "" if there is only one.
struct Source {
  const Result& result;
  std::string mark;
};
std::string label_of(const Row& row);  // "cpu, v9, precision=mixed", or the step of a ladder
// A heading with the letter; empty if there is only one result, which the page title names.
Html heading(const Source& source, const std::string& text);
std::string title_of(const Result& result);

// Implementations of one kernel on the same arguments with the same number of threads.
struct Race {
  std::string kernel, size, mark;
  int threads = 0;
  bool ladder = false;
  std::vector<const Row*> rows;
  std::string conditions() const;  // "size small, 2 threads"
  const Row* fastest() const;    // nullptr if none was timed
  const Row* reference() const;  // baseline of the ratios: the first row that did not fail verification
};
std::vector<Race> races_of(const Source& source);

// An app's run calls its kernels on different arguments; its rows are parts of one total and are not compared with each other.
bool is_app_run(const Result& result);

// Rate of a row's work per CPU time: "19.2 G terms/s"; "" if no work is counted.
std::string merit_text(const Row& row);
// "-1.09921 ± 0.00031": to the second digit of the error, which must not be 0.
std::string with_error(double value, double error);

}  // namespace suite::report
