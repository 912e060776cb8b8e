// SPDX-License-Identifier: BSD-3-Clause
// The part common to all checkpoints: the app that wrote them and the settings required to restart from them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "hdf5/hdf5.hpp"

namespace suite::app {

// Writes the header. settings: JSON object with everything the results depend on, except the length of the run.
void begin_checkpoint(hdf5::Writer& file, const std::string& app, int version, const std::string& settings);

// Throws Failure if the file belongs to another app, version or settings, naming the first setting that differs.
void require_checkpoint(const hdf5::File& file, const std::string& app, int version, const std::string& settings);

// Writes and reads a list of 3-vectors as an array (n,3).
void write_rows(hdf5::Writer& file, const std::string& name, const std::vector<std::array<double, 3>>& rows);
std::vector<std::array<double, 3>> read_rows(const hdf5::File& file, const std::string& name);

}  // namespace suite::app
