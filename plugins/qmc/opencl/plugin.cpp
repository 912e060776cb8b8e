// SPDX-License-Identifier: BSD-3-Clause
// The kernels that this plugin offers.
#include <suite/plugin.hpp>

namespace suite::qmc::cl {
extern const suite_kernel_table closest_images_table, ion_distances_table, jastrow_u_table, jastrow_chi_table, jastrow_f_table,
    structure_factor_table, jastrow_p_table, orbitals_free_table, ewald_table, slater_ratio_table, slater_update_table, slater_invert_table,
    orbitals_blip_table, orbitals_gaussian_table, orbitals_slater_table, pseudopotential_table, branch_table, local_energy_table,
    sweep_table;
}  // namespace suite::qmc::cl

using namespace suite::qmc::cl;
SUITE_PLUGIN("qmc", "opencl", &closest_images_table, &ion_distances_table, &jastrow_u_table, &jastrow_chi_table, &jastrow_f_table,
             &structure_factor_table, &jastrow_p_table, &orbitals_free_table, &ewald_table, &slater_ratio_table, &slater_update_table,
             &slater_invert_table, &orbitals_blip_table, &orbitals_gaussian_table, &orbitals_slater_table, &pseudopotential_table,
             &branch_table, &local_energy_table, &sweep_table)
