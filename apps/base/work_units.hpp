// SPDX-License-Identifier: BSD-3-Clause
// Sums over processes that are bitwise independent of the number of processes. The work is divided into units that depend only on the
// input; every process has some of them, consecutively, and the contributions are added in the order of the units.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/communicator.hpp"

namespace suite::app {

// Maximum number of units of a deterministic run. Divisible by small numbers of processes; more processes than this are refused.
inline constexpr int most_units = 12;

class WorkUnits {
public:
  // One unit per process; sums in MPI's order.
  explicit WorkUnits(const Communicator& world);
  // One unit per piece of work, at most most_units, whatever the number of processes. Throws Failure if there are more processes than
  // units.
  static WorkUnits of_input(const Communicator& world, int64_t pieces);

  int count() const { return count_; }
  // The units of this process, from 0.
  int begin() const { return begin_; }
  int end() const { return end_; }
  bool ordered() const { return ordered_; }  // true if made by of_input()
  int own() const { return end_ - begin_; }

  // Sums over all units, on all processes. parts: n numbers for each own unit, own() * n in all.
  std::vector<double> sum(std::span<const double> parts, size_t n) const;
  void sum(std::span<const double> parts, std::span<double> total) const;

private:
  WorkUnits(const Communicator& world, int count, bool ordered);
  const Communicator* world_;
  bool ordered_;
  int count_, begin_, end_;
};

}  // namespace suite::app
