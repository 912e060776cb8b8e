// SPDX-License-Identifier: BSD-3-Clause
// Pseudopotentials of files, and the key system.pseudopotentials that names them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/input.hpp"
#include "pseudopotential.hpp"

namespace suite::tddft {

// Of a file in either format, named `file` in messages. entry: of a file with several for an element; empty: its only one. That of a UPF file
// is filtered for this grid. Throws Failure(SUITE_INVALID_ARGUMENT) if the file is damaged, of another element, or of an unsupported kind.
std::shared_ptr<const Pseudopotential> parse_pseudopotential(const std::string& file, const std::string& text, const std::string& element,
                                                             const std::string& entry, const Grid& grid, Boundary boundary);

// One that a run has used.
struct PseudopotentialFile {
  std::string element, file, entry, sha256;
};

// Reads the files of the key for the elements of system.atoms into system.pseudopotentials. Reports errors at the key, and warnings where a
// file is made for another functional than that of the run. Returns the files, or nullopt after an error.
std::optional<std::vector<PseudopotentialFile>> read_pseudopotentials(const app::Input& input, const std::string& functional,
                                                                      System& system);

// With a functional of the gradient: takes the built-in pseudopotentials for PBE instead of those for the local-density approximation, for the
// elements without a file. Warns of those that have none.
void take_built_in(const app::Input& input, const std::string& functional, System& system);

// Replaces every pseudopotential of Goedecker, Teter and Hutter, built in or from a file, by one filtered for the grid.
void filter_all(System& system);

}  // namespace suite::tddft
