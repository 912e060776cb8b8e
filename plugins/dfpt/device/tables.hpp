// SPDX-License-Identifier: BSD-3-Clause
// The kernels of this plugin, each from the file of its name. Functions, because a constant that other files
// see would be one of the device as well, for HIP.
#pragma once

#include <suite/plugin.hpp>

namespace suite::dfpt {

const suite_kernel_table* basis_table();
const suite_kernel_table* rho_table();
const suite_kernel_table* h_table();
const suite_kernel_table* multipoles_table();
const suite_kernel_table* poisson_table();
const suite_kernel_table* sum_up_table();
const suite_kernel_table* response_table();
const suite_kernel_table* reciprocal_table();

}  // namespace suite::dfpt
