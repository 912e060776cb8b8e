// SPDX-License-Identifier: BSD-3-Clause
#include "shells.hpp"

namespace suite::qmc::cl {

extern const suite_kernel_table orbitals_gaussian_table;
constexpr suite_kernel_table orbitals_gaussian_table =
    kernel_table<OrbitalsGaussian, OrbitalsOfShells<OrbitalsGaussian>>("opencl", "opencl");

}  // namespace suite::qmc::cl
