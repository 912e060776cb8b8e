// SPDX-License-Identifier: BSD-3-Clause
// The kernels that this plugin offers.
#include <suite/plugin.hpp>

namespace suite::dfpt {
extern const suite_kernel_table basis_table, rho_table, h_table, multipoles_table, poisson_table, sum_up_table, response_table,
    reciprocal_table;
}  // namespace suite::dfpt

using namespace suite::dfpt;
SUITE_PLUGIN("dfpt", "cpu", &basis_table, &rho_table, &h_table, &multipoles_table, &poisson_table, &sum_up_table, &response_table,
             &reciprocal_table)
