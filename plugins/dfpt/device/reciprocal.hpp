// SPDX-License-Identifier: BSD-3-Clause
// dfpt.reciprocal on a device: what its host side, reciprocal.cpp, asks of gpu/reciprocal.cu or
// opencl/reciprocal.cl. Lines and pairs of plane waves: ../plane_waves.hpp.
#pragma once

#include <suite/device.hpp>

namespace suite::dfpt {

// An item for each pair and direction, pairs fastest: pairs (8,n_pairs), atom_coords, moments, factors
// (4,n_dir,n_pairs), n_pairs, n_atoms, n_dir, l_max. A pair is g_1 b_1 + g_2 b_2, k b_3 and the weights of
// g_3 = k and -k; its factors are the real and imaginary parts of P and Q.
using PairFactors =
    device::Kernel<const double*, const double*, const double*, double*, device::Count, device::Count, device::Count, int32_t>;
PairFactors pair_factors();

// An item for each point, or vector of points: coords, reciprocal, lines (4,n_lines), factors, potential,
// n_lines, n_points, n_dir. A line is g_1, g_2, its first pair and the number of pairs.
using LineSums =
    device::Kernel<const double*, const double*, const int32_t*, const double*, double*, device::Count, device::Count, device::Count>;
LineSums line_sums();

}  // namespace suite::dfpt
