// SPDX-License-Identifier: BSD-3-Clause
// The kernels that this plugin offers.
#include "../device/tables.hpp"

using namespace suite::dfpt;
SUITE_PLUGIN("dfpt", "opencl", basis_table(), rho_table(), h_table(), multipoles_table(), poisson_table(), sum_up_table(), response_table(),
             reciprocal_table())
