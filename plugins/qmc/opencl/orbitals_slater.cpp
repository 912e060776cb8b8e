// SPDX-License-Identifier: BSD-3-Clause
#include "shells.hpp"

namespace suite::qmc::cl {

extern const suite_kernel_table orbitals_slater_table;
constexpr suite_kernel_table orbitals_slater_table = kernel_table<OrbitalsSlater, OrbitalsOfShells<OrbitalsSlater>>("opencl", "opencl");

}  // namespace suite::qmc::cl
