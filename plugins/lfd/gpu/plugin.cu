// SPDX-License-Identifier: BSD-3-Clause
// The kernels that this plugin offers; one source for CUDA, HIP and the emulation.
#include "tables.hpp"

using namespace suite::lfd;
SUITE_GPU_PLUGIN("lfd", propagate_table(), kin_prop_table(), pot_prop_table(), set_prop_table(), periodic_bc_table(), compute_rho_table(),
                 compute_vxc_table(), compute_v_table(), field_prop_table(), spectral_field_solve_table(), nlp_prop_table(),
                 calc_energy_table(), hpsi_table())
