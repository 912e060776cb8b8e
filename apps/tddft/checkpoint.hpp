// SPDX-License-Identifier: BSD-3-Clause
// checkpoint.h5: everything that a propagation needs to go on as if it had never stopped, to the last bit.
#pragma once

#include <filesystem>

#include "propagation.hpp"

namespace suite::tddft {

// Where a calculation is: the ground state (psi kept only while runs are still to start from it), the sum
// rule of the grid, and the series of the runs so far, of which the last may be unfinished.
struct Progress {
  GroundState ground_state;
  Vec3 sum_rule{};
  std::vector<TimeSeries> runs;
  int run() const { return static_cast<int>(runs.size()) - 1; }
};

// Collective; the root writes. The file is there as a whole or as it was before.
void save_checkpoint(const std::filesystem::path& file, const Settings& settings, const Progress& progress, Propagation& propagation,
                     const app::Communicator& world);

// Failure when the file is of other settings, naming the first that differs. The orbitals follow with
// Propagation::restore(file, "now", progress.run()).
Progress read_checkpoint(const hdf5::File& file, const Settings& settings);

}  // namespace suite::tddft
