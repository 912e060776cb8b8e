// SPDX-License-Identifier: BSD-3-Clause
// Results as the sections of the page want them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "measure/result_file.hpp"
#include "html.hpp"

namespace suite::report {

using app::Row;
using app::stored::Result;

// A result with its mark on the page: "A", "B", ...; "" where there is one only.
struct Source {
  const Result& result;
  std::string mark;
};
std::string label_of(const Row& row);  // "cpu, v9, precision=mixed", or the step of a ladder
// A heading with the mark; nothing where there is one result only, which the title of the page names.
Html heading(const Source& source, const std::string& text);
std::string title_of(const Result& result);

// Implementations of one kernel on the same arguments with the same number of threads.
struct Race {
  std::string kernel, size, mark;
  int threads = 0;
  bool ladder = false;
  std::vector<const Row*> rows;
  std::string conditions() const;  // "size small, 2 threads"
  const Row* fastest() const;    // nullptr where none was timed
  const Row* reference() const;  // the row that ratios are taken to: the first that was not found wrong
};
std::vector<Race> races_of(const Source& source);

// An app's run calls its kernels on arguments that differ; its rows are parts of one whole and race with
// nobody.
bool is_app_run(const Result& result);

// What a row's work is done in, by CPU time: "19.2 G terms/s"; "" where nothing is counted.
std::string merit_text(const Row& row);
// "-1.09921 ± 0.00031": to the second digit of the error, which is not 0.
std::string with_error(double value, double error);

}  // namespace suite::report
