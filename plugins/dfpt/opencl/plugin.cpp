// SPDX-License-Identifier: BSD-3-Clause
// The kernels that this plugin offers.
#include <suite/plugin.hpp>

namespace suite::dfpt::cl {
extern const suite_kernel_table basis_table, rho_table, h_table, multipoles_table, poisson_table,
    sum_up_table, response_table;
}  // namespace suite::dfpt::cl

using namespace suite::dfpt::cl;
SUITE_PLUGIN("dfpt", "opencl", &basis_table, &rho_table, &h_table, &multipoles_table, &poisson_table,
             &sum_up_table, &response_table)
