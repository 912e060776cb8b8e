// SPDX-License-Identifier: BSD-3-Clause
// The kernels that this plugin offers.
#include <suite/plugin.hpp>

namespace suite::lfd {
extern const suite_kernel_table kin_prop_table, pot_prop_table, set_prop_table, periodic_bc_table, compute_rho_table, compute_vxc_table,
    compute_v_table, field_prop_table, spectral_field_solve_table, nlp_prop_table, calc_energy_table, propagate_table, hpsi_table;
}  // namespace suite::lfd

using namespace suite::lfd;
SUITE_PLUGIN("lfd", "cpu", &propagate_table, &kin_prop_table, &pot_prop_table, &set_prop_table, &periodic_bc_table, &compute_rho_table,
             &compute_vxc_table, &compute_v_table, &field_prop_table, &spectral_field_solve_table, &nlp_prop_table, &calc_energy_table,
             &hpsi_table)
