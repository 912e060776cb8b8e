// SPDX-License-Identifier: BSD-3-Clause
#include "work_units.hpp"

#include <algorithm>
#include <string>

#include <fmt/core.h>

#include <suite/plugin.hpp>

namespace suite::app {
namespace {

constexpr size_t at_once = size_t{1} << 16;  // numbers per unit in one message

// Rounded up, so that the root has work even if there are more processes than units.
int first_of(int rank, int count, int size) { return static_cast<int>((int64_t{count} * rank + size - 1) / size); }

}  // namespace

WorkUnits::WorkUnits(const Communicator& world, int count, bool ordered)
    : world_(&world),
      ordered_(ordered),
      count_(count),
      begin_(first_of(world.rank(), count, world.size())),
      end_(first_of(world.rank() + 1, count, world.size())) {}

WorkUnits::WorkUnits(const Communicator& world) : WorkUnits(world, world.size(), false) {}

WorkUnits WorkUnits::of_input(const Communicator& world, int64_t pieces) {
  if (world.size() > most_units)
    throw Failure(SUITE_INVALID_ARGUMENT,
                  fmt::format("a deterministic run has {} units of work and can use at most that many processes; {} were started",
                              most_units, world.size()));
  return WorkUnits(world, static_cast<int>(std::clamp<int64_t>(pieces, 1, most_units)), true);
}

std::vector<double> WorkUnits::sum(std::span<const double> parts, size_t n) const {
  std::vector<double> total(n);
  sum(parts, total);
  return total;
}

void WorkUnits::sum(std::span<const double> parts, std::span<double> total) const {
  const size_t n = total.size(), all = static_cast<size_t>(count_);
  if (!ordered_) {
    std::copy(parts.begin(), parts.end(), total.begin());
    return world_->sum(total);
  }
  std::vector<double> piece;
  for (size_t first = 0; first < n; first += at_once) {
    const size_t some = std::min(at_once, n - first);
    piece.assign(all * some, 0.0);
    for (size_t u = 0; u < static_cast<size_t>(own()); ++u)
      std::copy_n(parts.begin() + static_cast<std::ptrdiff_t>(u * n + first), some,
                  piece.begin() + static_cast<std::ptrdiff_t>((static_cast<size_t>(begin_) + u) * some));
    world_->sum(piece);  // exact: one process holds the number, the others 0
    std::copy_n(piece.begin(), some, total.begin() + static_cast<std::ptrdiff_t>(first));
    for (size_t u = 1; u < all; ++u)
      for (size_t i = 0; i < some; ++i) total[first + i] += piece[u * some + i];
  }
}

}  // namespace suite::app
