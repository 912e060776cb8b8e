// SPDX-License-Identifier: BSD-3-Clause
// checkpoint.h5: the state of a run. Arrays over the points are those of all processes in the order of the batches, so that a run may
// continue on any number of processes.
#pragma once

#include <filesystem>
#include <vector>

#include "hdf5/hdf5.hpp"
#include "ground_state.hpp"
#include "response.hpp"
#include "settings.hpp"

namespace suite::all_electron {

// State of a mixer at this process's points.
struct MixerState {
  std::vector<double> density;                         // (n_points,n_dir,n_columns)
  std::vector<std::vector<app::Pulay::Step>> history;  // by direction
};

// Gathers and scatters arrays over the points; collective.
class PointArrays {
public:
  PointArrays(const app::Communicator& world, const BatchShare& share, size_t all_points)
      : world_(world), share_(share), all_(all_points) {}
  size_t all() const { return all_; }
  size_t columns_of(std::span<const double> own) const { return own.size() / share_.n_points; }
  std::vector<double> gather(std::span<const double> own, size_t n_dir) const;
  std::vector<double> scatter(const std::vector<double>& all, size_t n_dir) const;

private:
  const app::Communicator& world_;
  BatchShare share_;
  size_t all_;
};

// Collective; the root writes. mixer: that of the current stage, null at its end. response: null before the response.
void save_checkpoint(const std::filesystem::path& path, const Settings& settings, const PointArrays& points, const GroundState& ground,
                     const Response* response, const DensityMixer* mixer, const app::Communicator& world);

struct Checkpoint {
  GroundState ground;
  bool ground_done = false;
  Response response;  // no steps: not begun
  MixerState mixer;   // of the ground state, or of the response once it has begun
};
// Throws Failure if the file has other settings, naming the first that differs.
Checkpoint read_checkpoint(const std::filesystem::path& path, const Settings& settings, const PointArrays& points);

// A mixer restored from this state.
DensityMixer mixer_of(const MixerState& state, const Iteration& how, const GridMatrices& grid, size_t columns, size_t measured);

}  // namespace suite::all_electron
