// SPDX-License-Identifier: BSD-3-Clause
#include <suite/plugin.hpp>

namespace suite::dfpt::reference {
extern const suite_kernel_table basis_table, rho_table, h_table, multipoles_table, poisson_table, sum_up_table, response_table,
    reciprocal_table;
}  // namespace suite::dfpt::reference

using namespace suite::dfpt::reference;
SUITE_PLUGIN("dfpt", "reference", &basis_table, &rho_table, &h_table, &multipoles_table, &poisson_table, &sum_up_table, &response_table,
             &reciprocal_table)
