// SPDX-License-Identifier: BSD-3-Clause
// Molecules from CASINO's gwfn.data: nuclei, Gaussian shells and orbitals, as converters write them for PySCF, ORCA, Gaussian, CRYSTAL and
// others. The layout follows CASINO's public manual and files published by its users. A shell is sum_k c_k exp(-g_k r^2) times
//   s: 1;  p: x, y, z;  d: 3z^2 - r^2, xz, yz, x^2 - y^2, xy;
//   f, g: r^l P_l^|m|(cos theta) cos |m| phi or sin |m| phi, m = 0, 1, -1, 2, -2 ..., without signs (-1)^m;
// the c_k make the function with m = 0, as r^l P_l(cos theta), normalised, and the orbitals' coefficients have what else is missing.
#pragma once

#include <array>
#include <filesystem>
#include <string>

#include "molecule.hpp"

namespace suite::vmc {

// nele: electrons with spin up and down; the lowest orbitals are occupied. Throws app::InputErrors with file, line and column if the file is
// no whole gwfn.data, or describes what this app does not do: periodic systems, shells beyond g, several determinants.
Molecule parse_gwfn(const std::string& name, const std::string& text, const std::array<int32_t, 2>& nele);
Molecule read_gwfn(const std::filesystem::path& file, const std::array<int32_t, 2>& nele);

}  // namespace suite::vmc
