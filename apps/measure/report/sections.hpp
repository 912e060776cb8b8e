// SPDX-License-Identifier: BSD-3-Clause
// The sections of the page, each with its answer at the top.
#pragma once

#include <string>
#include <vector>

#include "html.hpp"
#include "model.hpp"

namespace suite::report {

// maximum number of figures in a section; the table of all races, or the file, has the rest
constexpr size_t most_figures = 24;

struct Section {
  const char* id;
  std::string question, answer, because;
  bool bad = false;  // whether the answer is bad news
  Html body;
};

Section right_section(const std::vector<Source>& sources);
Section physics_section(const std::vector<Source>& sources);  // without a body if no app was run
Section fastest_section(const std::vector<Source>& sources);
Section limit_section(const std::vector<Source>& sources);
Section measured_section(const std::vector<Source>& sources);

// Observables of several runs of one input side by side, and which runs differ.
struct Agreement {
  Html body;
  std::string different;  // "" if all agree
};
Agreement agreement(const std::vector<Source>& sources);  // part of the physics section

Html scaling(const Source& source);  // for 'suite bench --scaling'; part of the section on times

Html paragraph(const std::string& text);
Html figure(const Html& drawing, const Html& caption);

}  // namespace suite::report
