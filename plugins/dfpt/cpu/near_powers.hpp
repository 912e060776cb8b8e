// SPDX-License-Identifier: BSD-3-Clause
// The tables of all atoms in powers of z (powers_of_z.hpp), behind the knots that have near points: made once
// a call, since a knot of an atom has points in many chunks.
#pragma once

#include <suite/cpu/buffer.hpp>

#include "sum_up.hpp"

namespace suite::dfpt {

struct NearList;

class NearPowers {
public:
  // Which knots they are, as near lists say; whether their sums are paired_sums.hpp's.
  void prepare(const SumUpCall& call, const SumUp& arrays, const std::vector<NearList>& lists, bool paired);
  void read(const SumUpCall& call, const SumUp& arrays, int64_t threads);

  bool paired() const { return paired_; }
  // [direction][power of the spline][component]; then, if they are paired, a scale for each direction.
  const double* behind(int64_t table, int32_t knot) const { return powers_.data() + size_ * place_[at(n_knots_ * table + knot)]; }

private:
  bool paired_ = false;
  int64_t n_knots_ = 0, size_ = 0;  // size: of a knot, more than its numbers, since whole vectors are written
  std::vector<int32_t> place_;      // of each table's knots, -1 if it is not needed
  std::vector<int64_t> knots_;      // those that are needed
  cpu::Buffer<double> powers_{"dfpt.sum_up"};
};

}  // namespace suite::dfpt
