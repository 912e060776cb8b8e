// SPDX-License-Identifier: BSD-3-Clause
// Atoms and molecules from CASINO's stowfn.data: nuclei, Slater shells and orbitals, as converters write them for ADF. The layout is that of
// files that CASINO's users published. A function is N r^n exp(-g r) times
//   s: 1;  p: x, y, z;  d: xy, yz, xz, 3z^2 - r^2, x^2 - y^2
// with n the "order of radial prefactor" plus l of the shell. N normalises it, but for two of the d functions: 3z^2 - r^2 is twice,
// x^2 - y^2 2/sqrt(3) times as large as normalised. These are the factors that make the orbitals of published files orthonormal: krypton's
// 3d, and those of ozone that have d functions. F and g functions are not known so well (docs/from-casino.md).
#pragma once

#include <array>
#include <filesystem>
#include <string>

#include "molecule.hpp"

namespace suite::vmc {

// nele: electrons with spin up and down; the lowest orbitals are occupied. Throws app::InputErrors with file, line and column if the file is
// no whole stowfn.data, or describes what this app does not do: periodic systems, orbitals with f or g functions, several determinants.
Molecule parse_stowfn(const std::string& name, const std::string& text, const std::array<int32_t, 2>& nele);
Molecule read_stowfn(const std::filesystem::path& file, const std::array<int32_t, 2>& nele);

}  // namespace suite::vmc
