// SPDX-License-Identifier: BSD-3-Clause
// Crystals from ES-HDF files, the format in which QMCPACK takes orbitals by their plane waves: pw2qmcpack.x of Quantum ESPRESSO writes it
// (QMCPACK's manual; J. Kim et al., J. Phys.: Condens. Matter 30, 195901 (2018)).
#pragma once

#include <array>
#include <filesystem>
#include <limits>

#include "crystal.hpp"
#include "molecule/molecule.hpp"

namespace suite::vmc {

struct EshdfChoice {
  std::array<std::array<long, 3>, 3> supercell{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  // its vectors by those of the file, rows
  std::array<double, 3> twist{};                                                    // of the supercell, in its reciprocal vectors
  double mesh_factor = 1;
  bool complex = false;  // complex orbitals, which twists other than multiples of 1/2 need
};

struct EshdfFile {
  Molecule molecule;  // with its crystal; nuclei have the charges of the file, without potentials
  std::array<int32_t, 2> nele{};
  std::vector<long> atomic_number;  // of each nucleus
  // Between the highest filled and the lowest empty orbital at these k, Ha; infinite where the file has no empty one.
  std::array<double, 2> gap{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
};

// Throws Failure with one sentence if the file is no whole ES-HDF file, has not the k points of the supercell and twist, or has less
// orbitals than electrons fill.
EshdfFile read_eshdf(const std::filesystem::path& file, const EshdfChoice& choice);

// Whether a twist has no real orbitals: a component is no multiple of 1/2.
bool needs_complex(const std::array<double, 3>& twist);

// k = 0 where the file has it, else its first k point.
std::array<double, 3> first_twist(const std::filesystem::path& file);

// Whether an HDF5 file says that it is one.
bool is_eshdf(const std::filesystem::path& file);

}  // namespace suite::vmc
