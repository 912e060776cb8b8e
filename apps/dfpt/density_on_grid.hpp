// SPDX-License-Identifier: BSD-3-Clause
// The density of the ground state on a regular grid about the molecule, for a cube file.
#pragma once

#include "base/density_files.hpp"
#include "calculation.hpp"
#include "kernels.hpp"

namespace suite::all_electron {

// Collective; complete on every process. occupied: C(n_basis,n_occ).
app::DensityGrid density_on_grid(const Settings& settings, const Setup& setup, const Matrix& occupied, Kernels& kernels,
                                 const app::Context& context);

}  // namespace suite::all_electron
