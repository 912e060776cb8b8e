// SPDX-License-Identifier: BSD-3-Clause
// Molecules from TREXIO files (Posenitskiy et al., J. Chem. Phys. 158, 174801 (2023)) with the HDF5 back end, as PySCF, Quantum Package,
// GAMESS and CP2K write them by their converters: Gaussian or Slater functions.
#pragma once

#include <array>
#include <filesystem>

#include "molecule.hpp"

namespace suite::vmc {

struct TrexioFile {
  Molecule molecule;
  std::array<int32_t, 2> nele{};  // electrons with spin up and down
};

// Throws Failure with one sentence if the file is no whole TREXIO file, or describes what this app does not do: periodic cells,
// Cartesian or numerical functions, shells beyond g, complex orbitals, several determinants, fractional occupations.
TrexioFile read_trexio(const std::filesystem::path& file);

}  // namespace suite::vmc
