// SPDX-License-Identifier: BSD-3-Clause
// dfpt.multipoles on a device: what its host side, multipoles.cpp, asks of gpu/multipoles.cu or
// opencl/multipoles.cl.
#pragma once

#include <suite/device.hpp>

namespace suite::dfpt {

// An item for each shell of each atom: coords, atom_coords, first point of each shell in the next, points of
// all shells, projection_weight, rho, rho_multipole, n_radial, n_atoms, n_points, n_dir, l_max.
using Projection = device::Kernel<const double*, const double*, const int32_t*, const int32_t*, const double*, const double*, double*,
                                  device::Count, device::Count, device::Count, device::Count, int32_t>;
Projection projection();

}  // namespace suite::dfpt
