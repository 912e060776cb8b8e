// SPDX-License-Identifier: BSD-3-Clause
// The kernels of this plugin, each from the file of its name. Functions, because a constant that other files
// see would be one of the device as well, for HIP.
#pragma once

#include <suite/gpu.hpp>

namespace suite::qmc {

const suite_kernel_table* closest_images_table();
const suite_kernel_table* ion_distances_table();
const suite_kernel_table* ewald_table();
const suite_kernel_table* jastrow_u_table();
const suite_kernel_table* jastrow_chi_table();
const suite_kernel_table* jastrow_f_table();
const suite_kernel_table* jastrow_p_table();
const suite_kernel_table* structure_factor_table();
const suite_kernel_table* orbitals_free_table();
const suite_kernel_table* orbitals_blip_table();
const suite_kernel_table* orbitals_gaussian_table();
const suite_kernel_table* orbitals_slater_table();
const suite_kernel_table* pseudopotential_table();
const suite_kernel_table* slater_ratio_table();
const suite_kernel_table* slater_update_table();
const suite_kernel_table* slater_invert_table();
const suite_kernel_table* sweep_table();
const suite_kernel_table* local_energy_table();
const suite_kernel_table* branch_table();

}  // namespace suite::qmc
