// SPDX-License-Identifier: BSD-3-Clause
// The kernels of this plugin, each from the file of its name. Functions, because a constant that other files
// see would be one of the device as well, for HIP.
#pragma once

#include <suite/gpu.hpp>

namespace suite::lfd {

const suite_kernel_table* propagate_table();
const suite_kernel_table* kin_prop_table();
const suite_kernel_table* pot_prop_table();
const suite_kernel_table* set_prop_table();
const suite_kernel_table* periodic_bc_table();
const suite_kernel_table* compute_rho_table();
const suite_kernel_table* compute_vxc_table();
const suite_kernel_table* compute_v_table();
const suite_kernel_table* field_prop_table();
const suite_kernel_table* spectral_field_solve_table();
const suite_kernel_table* nlp_prop_table();
const suite_kernel_table* calc_energy_table();
const suite_kernel_table* hpsi_table();

}  // namespace suite::lfd
