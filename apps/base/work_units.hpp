// SPDX-License-Identifier: BSD-3-Clause
// Sums over processes whose bits do not depend on the number of processes. The work is cut into units by the
// input alone; every process has some of them, one after the other, and adds what each has found in the order
// of the units.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/communicator.hpp"

namespace suite::app {

// A deterministic run has this many units at most. Small numbers of processes divide it; more processes
// cannot share it.
inline constexpr int most_units = 12;

class WorkUnits {
public:
  // A unit for each process, and sums as MPI makes them.
  explicit WorkUnits(const Communicator& world);
  // As many as there are pieces of work, most_units at most, whatever the number of processes. Failure where
  // there are more processes than that.
  static WorkUnits of_input(const Communicator& world, int64_t pieces);

  int count() const { return count_; }
  // Those of this process, from 0.
  int begin() const { return begin_; }
  int end() const { return end_; }
  bool ordered() const { return ordered_; }  // of_input()
  int own() const { return end_ - begin_; }

  // parts: what each own unit has found, own() times n numbers. The sums over all units, on all processes.
  std::vector<double> sum(std::span<const double> parts, size_t n) const;
  void sum(std::span<const double> parts, std::span<double> total) const;

private:
  WorkUnits(const Communicator& world, int count, bool ordered);
  const Communicator* world_;
  bool ordered_;
  int count_, begin_, end_;
};

}  // namespace suite::app
