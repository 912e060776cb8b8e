// SPDX-License-Identifier: BSD-3-Clause
// The sections of the page, each with the answer that stands at its top.
#pragma once

#include <string>
#include <vector>

#include "html.hpp"
#include "model.hpp"

namespace suite::report {

// Of races in a section; the table of all of them, or the file, has the rest.
constexpr size_t most_figures = 24;

struct Section {
  const char* id;
  std::string question, answer, because;
  bool bad = false;  // the answer is none that one wants to hear
  Html body;
};

Section right_section(const std::vector<Source>& sources);
Section physics_section(const std::vector<Source>& sources);  // without a body where no app has run
Section fastest_section(const std::vector<Source>& sources);
Section limit_section(const std::vector<Source>& sources);
Section measured_section(const std::vector<Source>& sources);

// What several runs of one input computed, beside each other; which of them differ.
struct Agreement {
  Html body;
  std::string different;  // "" where all agree
};
Agreement agreement(const std::vector<Source>& sources);  // a part of the section on physics

Html scaling(const Source& source);  // of 'suite bench --scaling'; a part of the section on times

Html paragraph(const std::string& text);
Html figure(const Html& drawing, const Html& caption);

}  // namespace suite::report
