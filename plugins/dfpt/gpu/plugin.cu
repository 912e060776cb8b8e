// SPDX-License-Identifier: BSD-3-Clause
// The kernels that this plugin offers; one source for CUDA, HIP and the emulation.
#include "../device/tables.hpp"

#include <suite/gpu.hpp>

using namespace suite::dfpt;
SUITE_GPU_PLUGIN("dfpt", basis_table(), rho_table(), h_table(), multipoles_table(), poisson_table(), sum_up_table(), response_table(),
                 reciprocal_table())
