// SPDX-License-Identifier: BSD-3-Clause
// dfpt.sum_up with far=tree on a GPU: far fields at the points, and near ones added to them.
#pragma once

#include "../device/far_field.hpp"
#include "sum_up.hpp"

namespace suite::dfpt {

struct FarLeaves {
  const FarCell* cells;
  const int32_t *leaves, *points, *direct;
  const double* locals;
  int64_t n_leaves;
};
void sum_by_leaves(const gpu::Queue& queue, const Fields& f, int l_max, int dirs, int first, const FarLeaves& far);
void add_values(const gpu::Queue& queue, const Fields& f, int dirs, int first, const PairSums& near);

}  // namespace suite::dfpt
