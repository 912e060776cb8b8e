// SPDX-License-Identifier: BSD-3-Clause
// What the checkpoints of all apps have in common: whose they are, and the settings they may be continued
// with.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "hdf5/hdf5.hpp"

namespace suite::app {

// settings: everything that the numbers depend on but the length of the run, as the text of a JSON object.
void begin_checkpoint(hdf5::Writer& file, const std::string& app, int version, const std::string& settings);

// Failure when the file is of another app or version, or of other settings, naming the first that differs.
void require_checkpoint(const hdf5::File& file, const std::string& app, int version, const std::string& settings);

// A list of vectors in space, as an array (n,3).
void write_rows(hdf5::Writer& file, const std::string& name, const std::vector<std::array<double, 3>>& rows);
std::vector<std::array<double, 3>> read_rows(const hdf5::File& file, const std::string& name);

}  // namespace suite::app
