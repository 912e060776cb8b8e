// SPDX-License-Identifier: BSD-3-Clause
// checkpoint.h5: everything needed to continue a propagation bit for bit.
#pragma once

#include <filesystem>

#include "propagation.hpp"
#include "trajectory.hpp"

namespace suite::tddft {

// Of a calculation: the ground state (psi is kept only while further runs start from it), the sum rule of the grid, and the time
// series of the runs so far, the last of which may be unfinished.
struct Progress {
  GroundState ground_state;
  Vec3 sum_rule{};
  std::vector<TimeSeries> runs;
  Trajectory trajectory;  // empty unless the ions move
  int run() const { return static_cast<int>(runs.size()) - 1; }
};

// Collective; the root writes the file atomically.
void save_checkpoint(const std::filesystem::path& file, const Settings& settings, const Progress& progress, Saved& state,
                     const app::Communicator& world);

// Throws Failure if the file has other settings, naming the first that differs. Read the orbitals afterwards with
// Propagation::restore(file, "now", progress.run()).
Progress read_checkpoint(const hdf5::File& file, const Settings& settings);

}  // namespace suite::tddft
