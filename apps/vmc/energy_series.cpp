// SPDX-License-Identifier: BSD-3-Clause
#include "energy_series.hpp"

#include <cmath>

#include <fmt/core.h>

namespace suite::vmc {

void EnergySeries::add(std::span<const double> energies, int64_t step) {
  for (size_t w = 0; w < walkers_.size(); ++w) {
    for (size_t i = 0; i < part::count; ++i) {
      const double energy = energies[part::count * w + i];
      if (!std::isfinite(energy))
        throw Failure(SUITE_INTERNAL, fmt::format("the local energy of walker {} is not finite at step {}",
                                                  static_cast<long long>(share_.begin) + static_cast<long long>(w), step));
      walkers_[w][i].add(energy);
    }
    const double off = energies[part::count * w + part::total] - reference_;
    walkers_[w][part::count].add(off * off);
  }
}

std::vector<double> EnergySeries::states(const app::Communicator& world) const {
  std::vector<double> own;
  for (const auto& walker : walkers_)
    for (const auto& row : walker) {
      const auto state = row.state();
      own.insert(own.end(), state.begin(), state.end());
    }
  return gather(world, share_, own);
}

void EnergySeries::restore(std::span<const double> states) {
  const size_t each = states.size() / (rows * static_cast<size_t>(share_.all));
  const auto begin = static_cast<size_t>(share_.begin);
  for (size_t w = 0; w < walkers_.size(); ++w)
    for (size_t i = 0; i < rows; ++i) walkers_[w][i] = Reblocking::restore(states.subspan(each * (i + rows * (w + begin)), each));
}

Energies EnergySeries::estimate(std::span<const double> states, int64_t walkers) {
  Energies out;
  const size_t each = states.size() / (rows * static_cast<size_t>(walkers));
  for (size_t i = 0; i < rows; ++i) {
    Reblocking all;
    for (size_t w = 0; w < static_cast<size_t>(walkers); ++w) all.merge(Reblocking::restore(states.subspan(each * (i + rows * w), each)));
    if (i < part::count) out.part[i] = all.estimate();
    else out.variance_error = all.estimate().error;
  }
  return out;
}

double mean_energy(const app::Communicator& world, const Share& share, std::span<const double> energies) {
  std::vector<double> own;
  for (size_t w = 0; w < static_cast<size_t>(share.own); ++w) own.push_back(energies[part::count * w + part::total]);
  return sum_over_walkers(world, share, own).front() / static_cast<double>(share.all);
}

}  // namespace suite::vmc
