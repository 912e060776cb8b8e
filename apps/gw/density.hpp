// SPDX-License-Identifier: BSD-3-Clause
// The electron density rho(G) of BerkeleyGW's binary file RHO (Fortran records).
#pragma once

#include <filesystem>
#include <vector>

#include "lattice.hpp"
#include "plasmon_pole.hpp"

namespace suite::gw {

struct DensityFile {
  Crystal crystal;
  Density rho;
};
// Fails with the number and name of the first record that is not as it must be.
DensityFile read_density(const std::filesystem::path& path);

// Invariance under {R|t} means rho(RG) = exp(-i RG.t) rho(G). The largest distance of the two over all G and
// operations, electrons per cell.
double asymmetry(const Density& rho, const std::vector<Operation>& operations);
// The mean over the operations, which is invariant where they are a group.
Density symmetrised(const Density& rho, const std::vector<Operation>& operations);

}  // namespace suite::gw
