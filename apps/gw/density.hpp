// SPDX-License-Identifier: BSD-3-Clause
// The electron density rho(G) of BerkeleyGW's binary file RHO (Fortran records).
#pragma once

#include <filesystem>

#include "lattice.hpp"
#include "plasmon_pole.hpp"

namespace suite::gw {

struct DensityFile {
  Crystal crystal;
  Density rho;
};
// Fails with the number and name of the first record that is not as it must be.
DensityFile read_density(const std::filesystem::path& path);

}  // namespace suite::gw
