// SPDX-License-Identifier: BSD-3-Clause
// The kernels that this plugin offers; one source for CUDA, HIP and the emulation.
#include "tables.hpp"

#include <suite/gpu.hpp>

using namespace suite::qmc;
SUITE_GPU_PLUGIN("qmc", closest_images_table(), ion_distances_table(), ewald_table(), jastrow_u_table(), jastrow_chi_table(),
                 jastrow_f_table(), jastrow_p_table(), structure_factor_table(), orbitals_free_table(), orbitals_blip_table(),
                 orbitals_gaussian_table(), orbitals_slater_table(), pseudopotential_table(), slater_ratio_table(), slater_update_table(),
                 slater_invert_table(), sweep_table(), local_energy_table(), branch_table())
